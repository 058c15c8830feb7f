//! Where the component and its contract come from: the workspace around this crate, or the package that it was published
//! in.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use crate::guest;

/// One of the two components that the guest is built as.
pub(crate) struct Part {
    /// The file's name, without its ending.
    pub(crate) name: &'static str,
    /// The feature of the guest that chooses it.
    feature: &'static str,
    /// The target folder of its build.
    folder: &'static str,
    /// The environment variable that names a file to take instead of building one.
    prebuilt: &'static str,
}

/// Declarations, and what they come to on a machine.
pub(crate) const GATE: Part =
    Part { name: "appdecl", feature: "gate", folder: "guest", prebuilt: "APPDECL_COMPONENT" };

/// The rules of packages.
pub(crate) const PACKAGES: Part = Part {
    name: "appdecl-packages",
    feature: "packages",
    folder: "guest-packages",
    prebuilt: "APPDECL_PACKAGES_COMPONENT",
};

/// The place of the sources.
pub(crate) enum Source {
    /// A checkout: the guest is built.
    Workspace(PathBuf),
    /// A published package: `component/` holds the components and their WIT.
    Package(PathBuf),
}

impl Source {
    /// Looks around the crate at `crate_folder`, and tells cargo what to watch.
    ///
    /// # Errors
    ///
    /// When there is neither a workspace with the guest nor a `component` folder.
    pub(crate) fn find(crate_folder: &Path) -> Result<Self, Box<dyn Error>> {
        println!("cargo::rerun-if-changed=build.rs");
        println!("cargo::rerun-if-changed=build");
        println!("cargo::rerun-if-changed=src/engine_config.rs");
        for part in [&GATE, &PACKAGES] {
            println!("cargo::rerun-if-env-changed={}", part.prebuilt);
        }
        println!("cargo::rustc-check-cfg=cfg(packaged)");
        let workspace = crate_folder.join("..").join("..");
        if workspace.join("guest").join("Cargo.toml").is_file() {
            for part in ["guest/src", "guest/Cargo.toml", "wit", "Cargo.toml", "Cargo.lock"] {
                println!("cargo::rerun-if-changed={}", workspace.join(part).display());
            }
            return Ok(Self::Workspace(workspace));
        }
        let package = crate_folder.join("component");
        if package.join("appdecl.wasm").is_file() {
            println!("cargo::rerun-if-changed={}", package.display());
            println!("cargo::rustc-cfg=packaged");
            return Ok(Self::Package(package));
        }
        Err(format!(
            "there is neither a guest at {} nor a component at {}",
            workspace.display(),
            package.display()
        )
        .into())
    }

    /// The bytes of a component: the one that its variable names, the packaged one, or one that is built now.
    ///
    /// # Errors
    ///
    /// When the file can not be read, or the guest does not build.
    pub(crate) fn component(&self, part: &Part, out: &Path) -> Result<Vec<u8>, Box<dyn Error>> {
        let path = match (env::var_os(part.prebuilt).filter(|path| !path.is_empty()), self) {
            (Some(path), _) => {
                println!("cargo::rerun-if-changed={}", Path::new(&path).display());
                path.into()
            }
            (None, Self::Package(package)) => package.join(part.name).with_extension("wasm"),
            (None, Self::Workspace(workspace)) => {
                guest::build(workspace, part.feature, &target_folder(out, part.folder))?
            }
        };
        Ok(fs::read(&path).map_err(|error| format!("{} can not be read: {error}", path.display()))?)
    }

    /// The contract as one WIT file that holds both packages.
    ///
    /// # Errors
    ///
    /// When a file of it can not be read.
    pub(crate) fn wit(&self) -> Result<String, Box<dyn Error>> {
        let (Self::Workspace(root) | Self::Package(root)) = self;
        let folder = root.join("wit");
        let gate = WitPackage::read(&folder.join("gate"))?.whole_file();
        let host = WitPackage::read(&folder.join("host"))?.nested();
        Ok(format!("{gate}\n{host}"))
    }
}

/// The target folder of the inner build: one beside the profiles of the outer one, so that all of them share it, and
/// never the outer one itself, whose lock is held while this runs.
fn target_folder(out: &Path, name: &str) -> PathBuf {
    let target = out.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.unwrap_or(out).join(name)
}

/// The files of one WIT package, put together.
struct WitPackage {
    /// What stands above the package's name.
    head: String,
    name: String,
    body: String,
}

impl WitPackage {
    fn read(folder: &Path) -> Result<Self, Box<dyn Error>> {
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .map_err(|error| format!("{} can not be read: {error}", folder.display()))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        let (mut head, mut name, mut body) = (String::new(), String::new(), String::new());
        for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "wit")) {
            let text = fs::read_to_string(file)
                .map_err(|error| format!("{} can not be read: {error}", file.display()))?;
            let mut lines = text.lines();
            for line in lines.by_ref() {
                match line.strip_prefix("package ").and_then(|rest| rest.strip_suffix(';')) {
                    Some(found) => {
                        name = found.to_owned();
                        break;
                    }
                    None => head = format!("{head}{line}\n"),
                }
            }
            for line in lines {
                body = format!("{body}{line}\n");
            }
        }
        Ok(Self { head, name, body })
    }

    /// As the package that a file is: one has to be.
    fn whole_file(&self) -> String {
        format!("{}package {};\n{}", self.head, self.name, self.body)
    }

    /// As `package NAME { … }`, for a file that is another package.
    fn nested(&self) -> String {
        let indented = self.body.lines().fold(String::new(), |body, line| {
            let indent = if line.is_empty() { "" } else { "  " };
            format!("{body}{indent}{line}\n")
        });
        format!("{}package {} {{{indented}}}\n", self.head, self.name)
    }
}
