//! Puts both components into the library: the guest is built, compiled ahead of time for the target, and hashed, so that
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
    let engine = wasmtime::Engine::new(&engine_config::engine_config(&target)?)?;
    for (part, hash_name) in
        [(&source::GATE, "APPDECL_SHA256"), (&source::PACKAGES, "APPDECL_PACKAGES_SHA256")]
    {
        let component = source.component(part, &out)?;
        let compiled = engine
            .precompile_component(&component)
            .map_err(|error| format!("{} does not compile for {target}: {error:?}", part.name))?;
        println!("cargo::rustc-env={hash_name}={}", sha256(&component));
        let file = out.join(part.name);
        fs::write(file.with_extension("wasm"), component)?;
        fs::write(file.with_extension("cwasm"), compiled)?;
    }
    fs::write(out.join("appdecl.wit"), source.wit()?)?;
    println!("cargo::rustc-env=APPDECL_TARGET={target}");
    Ok(())
}

/// The SHA-256 of some bytes in lower-case hexadecimal.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// A variable that cargo sets for build scripts.
fn variable(name: &str) -> Result<String, Box<dyn Error>> {
    env::var(name).map_err(|error| format!("{name}: {error}").into())
}
