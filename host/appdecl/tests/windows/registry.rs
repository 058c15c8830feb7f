//! The command reads what installers have written.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

const UNINSTALL: &str = r"SOFTWARE\Microsoft\Windows\CurrentVersion\Uninstall";

/// An entry that `reg`, which every Windows has, writes and takes away again.
struct Entry {
    key: String,
    view: &'static str,
}

impl Entry {
    /// None where this user may not write there.
    fn write(root: &str, view: &'static str, name: &str, values: &[(&str, &str, &str)]) -> Option<Self> {
        let entry = Self { key: format!(r"{root}\{UNINSTALL}\{name}"), view };
        for (value, kind, data) in values {
            if !entry.reg(&["add", &entry.key, "/v", value, "/t", kind, "/d", data, "/f"]) {
                println!("skipped: this user may not write to {root}");
                return None;
            }
        }
        Some(entry)
    }

    fn reg(&self, arguments: &[&str]) -> bool {
        Command::new("reg").args(arguments).arg(self.view).output().unwrap().status.success()
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.reg(&["delete", &self.key, "/f"]);
    }
}

#[test]
fn an_application_is_found_by_its_entry_in_each_of_the_three_places() {
    for (root, view, version) in
        [("HKLM", "/reg:64", "64.1.0"), ("HKLM", "/reg:32", "32.1.0"), ("HKCU", "/reg:64", "1.1.0")]
    {
        for kind in ["REG_SZ", "REG_EXPAND_SZ"] {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("acme.exe"), "MZ").unwrap();
            // A name that no other test and no installer has.
            let name = format!("appdecl test {} {version} {kind}", std::process::id());
            let location = folder.path().to_str().unwrap();
            let home = std::env::var("USERPROFILE").unwrap();
            let location = match location.strip_prefix(&home) {
                Some(rest) if kind == "REG_EXPAND_SZ" => format!("%USERPROFILE%{rest}"),
                _ => location.to_owned(),
            };
            let values = [
                ("DisplayName", kind, name.as_str()),
                ("DisplayVersion", kind, version),
                ("InstallLocation", kind, &location),
            ];
            let Some(_entry) = Entry::write(root, view, &name, &values) else { continue };
            let found = check(folder.path(), &name);
            assert_eq!(found["state"], "available", "{root} {view} {kind}: {found}");
            assert_eq!(found["version"], version, "{root} {view} {kind}: {found}");
            let path = folder.path().join("acme.exe");
            assert_eq!(found["path"], path.to_str().unwrap(), "{root} {view} {kind}: {found}");
        }
    }
}

/// What `appdecl check` says of the application with such an entry.
fn check(folder: &Path, name: &str) -> Value {
    let declaration = json!({ "servers": { "acme": {
        "app": { "win32": {
            "presence": "executable",
            "location": [{ "kind": "uninstall_registry", "display_name_prefix": name, "file": "acme.exe" }],
            "version": { "kind": "uninstall_registry", "display_name_prefix": name },
        } },
        "requires": { "app": true, "min_version": "1.0" },
    } } });
    fs::write(folder.join("servers.json"), declaration.to_string()).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_appdecl"))
        .current_dir(folder)
        .args(["check", "servers.json", "--format", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let said: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        unreachable!("{error}: {text}{}", String::from_utf8_lossy(&output.stderr));
    });
    said["servers"][0]["availability"].clone()
}
