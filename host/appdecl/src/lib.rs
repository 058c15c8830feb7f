//! placeholder
mod bindings;
mod engine_config;
