//! Builds the guest crate as a component. Shared by the build script and by the test that builds it twice.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WASM: &str = "wasm32-unknown-unknown";
const PROFILE: &str = "component";

/// Variables of cargo and rustup that say where things are fetched from and how much may run at once. All others that
/// begin with `CARGO` or `RUST` are kept from the inner build: flags, wrappers and profiles of the outer one would change
/// the bytes.
const KEPT: [&str; 10] = [
    "CARGO_HOME",
    "CARGO_HTTP_",
    "CARGO_MAKEFLAGS",
    "CARGO_NET_",
    "CARGO_REGISTRIES_",
    "CARGO_REGISTRY_",
    "CARGO_SOURCE_",
    "CARGO_TERM_",
    "RUSTUP_",
    "RUST_BACKTRACE",
];

/// Builds the component that `feature` of the guest chooses, from the workspace at `workspace` into the target folder
/// `target_dir`, and gives the file's path. The same sources give the same bytes, wherever the folders are.
///
/// Each feature wants a target folder of its own: both components have the same file name.
///
/// # Errors
///
/// When the wasm target is not installed, when cargo can not be started, or when the guest does not compile.
pub(crate) fn build(workspace: &Path, feature: &str, target_dir: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let workspace = plain(workspace)?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    check_target()?;

    let mut command = Command::new(cargo);
    for (name, _) in std::env::vars_os() {
        if is_foreign(&name.to_string_lossy()) {
            command.env_remove(name);
        }
    }
    let output = command
        .current_dir(&workspace)
        // As an rlib beside the cdylib the guest would not be optimised across crates, and a fifth larger.
        .args([
            "rustc",
            "--quiet",
            "--locked",
            "--package",
            "appdecl-guest",
            "--lib",
            "--crate-type",
            "cdylib",
        ])
        .args(["--no-default-features", "--features", feature])
        .args(["--target", WASM, "--profile", PROFILE, "--target-dir"])
        .arg(target_dir)
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-component-ld")
        .env("CARGO_ENCODED_RUSTFLAGS", flags(&workspace)?)
        .env("CARGO_INCREMENTAL", "0")
        .env("RUSTC", compiler())
        .output()
        .map_err(|error| format!("cargo could not be started to build the component: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("the component does not build ({})\n{said}", output.status).into());
    }
    Ok(target_dir.join(WASM).join(PROFILE).join("appdecl_guest.wasm"))
}

/// Whether a variable of the outer build would leak into the inner one.
fn is_foreign(name: &str) -> bool {
    let ours = name.starts_with("CARGO") || name.starts_with("RUST") || name.starts_with("LLVM_PROFILE");
    ours && !KEPT.iter().any(|kept| name.starts_with(kept))
}

/// Compiler flags that take every folder of this machine out of the component.
fn flags(workspace: &Path) -> Result<OsString, Box<dyn Error>> {
    let sysroot = PathBuf::from(rustc(&["--print", "sysroot"])?);
    let version = rustc(&["-vV"])?;
    let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: ")).unwrap_or("unknown");
    let library = sysroot.join("lib").join("rustlib").join("src").join("rust");
    let places = [
        (workspace.to_path_buf(), "/appdecl".to_owned()),
        (cargo_home()?, "/cargo".to_owned()),
        (library, format!("/rustc/{commit}")),
    ];
    let mut flags = OsString::new();
    for (from, to) in places {
        if !flags.is_empty() {
            flags.push("\u{1f}");
        }
        flags.push("--remap-path-prefix=");
        flags.push(from);
        flags.push("=");
        flags.push(to);
    }
    Ok(flags)
}

/// Where cargo keeps the sources of packages.
fn cargo_home() -> Result<PathBuf, Box<dyn Error>> {
    if let Some(home) = std::env::var_os("CARGO_HOME").filter(|home| !home.is_empty()) {
        return Ok(home.into());
    }
    let home = std::env::home_dir().ok_or("neither CARGO_HOME nor a home folder is set")?;
    Ok(home.join(".cargo"))
}

/// The path with its links resolved, in the form that compilers print.
fn plain(path: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let full =
        fs::canonicalize(path).map_err(|error| format!("{} can not be read: {error}", path.display()))?;
    let text = full.to_str().ok_or("the path of the workspace is not Unicode text")?;
    Ok(PathBuf::from(text.strip_prefix(r"\\?\").unwrap_or(text)))
}

/// Fails with what to do where the standard library for the component's target is missing.
fn check_target() -> Result<(), Box<dyn Error>> {
    let folder = rustc(&["--print", "target-libdir", "--target", WASM])?;
    if Path::new(&folder).is_dir() {
        return Ok(());
    }
    Err(format!(
        "the target {WASM} is not installed: run `rustup target add {WASM}`, or set APPDECL_COMPONENT to the path of a \
         component that is already built"
    )
    .into())
}

/// What the compiler answers.
fn rustc(arguments: &[&str]) -> Result<String, Box<dyn Error>> {
    let output = Command::new(compiler())
        .args(arguments)
        .output()
        .map_err(|error| format!("rustc could not be started: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "rustc {} failed: {}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// The compiler that cargo chose.
fn compiler() -> OsString {
    std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into())
}
