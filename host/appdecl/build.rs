//! Puts the component into the library: the guest is built, compiled ahead of time for the target, and hashed, so that
//! the shipped program carries no compiler.

#[path = "src/engine_config.rs"]
mod engine_config;
#[path = "build/guest.rs"]
mod guest;
#[path = "build/source.rs"]
mod source;

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

fn main() {
    if let Err(error) = run() {
        for line in error.to_string().lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(variable("OUT_DIR")?);
    let target = variable("TARGET")?;
    let source = source::Source::find(Path::new(&variable("CARGO_MANIFEST_DIR")?))?;
    let component = source.component(&out)?;

    let engine = wasmtime::Engine::new(&engine_config::engine_config(&target)?)?;
    let compiled = engine
        .precompile_component(&component)
        .map_err(|error| format!("the component does not compile for {target}: {error:?}"))?;
    let hash = Sha256::digest(&component).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    });

    fs::write(out.join("appdecl.wasm"), component)?;
    fs::write(out.join("appdecl.cwasm"), compiled)?;
    fs::write(out.join("appdecl.wit"), source.wit()?)?;
    println!("cargo::rustc-env=APPDECL_SHA256={hash}");
    println!("cargo::rustc-env=APPDECL_TARGET={target}");
    Ok(())
}

/// A variable that cargo sets for build scripts.
fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}
