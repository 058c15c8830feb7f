//! The engine's settings: one function for the build script, which compiles the component, and for the library, which
//! loads what was compiled. wasmtime refuses code that was compiled under other settings.

use wasmtime::{Config, Result};

/// How deep calls inside the component may go, in bytes of the calling thread's stack. A thread needs about this much
/// free: half of the smallest usual one (512 KiB on macOS, outside the main thread).
const STACK: usize = 256 << 10;

/// Address space that an instance reserves for its memory, in bytes. Memory that has to grow beyond it is moved.
const RESERVED: u64 = 4 << 20;

/// The settings for code that runs on `target`, a Rust target triple.
///
/// The target is always set, also where it is this machine: without it the code would be compiled for this very
/// processor and refuse to run on an older one.
///
/// Nothing that belongs to the whole process is touched: traps are found by checks in the code, without signal handlers,
/// and work is counted as fuel, without a thread that watches a clock. The count is the same on every machine.
///
/// What only serves backtraces through the component is left out: no error shows one, and their tables would be copied at
/// every start. Windows alone needs them all the same, and wasmtime insists.
///
/// # Errors
///
/// When `target` is no triple that wasmtime knows.
pub(crate) fn engine_config(target: &str) -> Result<Config> {
    let mut config = Config::new();
    config
        .target(target)?
        .wasm_component_model(true)
        .consume_fuel(true)
        .signals_based_traps(false)
        .memory_reservation(RESERVED)
        .memory_guard_size(0)
        .memory_init_cow(false)
        .generate_address_map(false)
        .native_unwind_info(target.contains("-windows"))
        .wasm_backtrace_max_frames(None)
        .max_wasm_stack(STACK);
    Ok(config)
}
