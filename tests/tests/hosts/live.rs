//! Questions about the machine that this runs on.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::{env, fs, io};

use appdecl::Gate;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::paper::Taking;
use crate::work::Work;

/// Files, links, a pipe, runtime files, a live process and one that has ended, made for one comparison.
pub(crate) struct Scene {
    folder: TempDir,
    ended: Child,
}

impl Scene {
    /// Makes all of it below a temporary folder.
    pub(crate) fn new() -> Self {
        let scene = Self { folder: tempfile::tempdir().unwrap(), ended: ended_process() };
        scene.write("plain", "", false);
        scene.write("bin/acme", "#!/bin/sh\n", true);
        scene.write("Acme 2/acme", "", true);
        scene.write("Acme 10/acme", "", true);
        scene.write("not-executable/acme", "", false);
        fs::create_dir(scene.at("folder")).unwrap();
        symlink("bin/acme", scene.at("link")).unwrap();
        symlink("nothing", scene.at("nowhere")).unwrap();
        symlink("loop", scene.at("loop")).unwrap();
        mknodat(CWD, scene.at("pipe"), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        let running = std::process::id();
        scene.write("running.json", &runtime_file(running), false);
        scene.write("ended.json", &runtime_file(scene.ended.id()), false);
        scene.write("absent.json", &runtime_file(i32::MAX.unsigned_abs()), false);
        scene.write("half.json", "{\"pid\": 1", false);
        scene.write("large.json", &" ".repeat(70_000), false);
        scene
    }

    /// The same questions for every host, each with what it came to in Rust.
    pub(crate) fn cases(&self) -> Vec<Work> {
        let gate = Gate::builder().redactor(Arc::new(Taking)).build().unwrap();
        let mut work = Vec::new();
        for name in [
            "plain",
            "bin/acme",
            "link",
            "nowhere",
            "loop",
            "folder",
            "pipe",
            "gone",
            "plain/x",
            "Acme*/acme",
        ] {
            work.push(self.work(&gate, name, json!(self.at(name)), None));
        }
        work.push(self.work(&gate, "/dev/null", json!("/dev/null"), None));
        for name in ["sh", "no-such-command-anywhere"] {
            work.push(self.work(&gate, name, json!([{ "kind": "command", "name": name }]), None));
        }
        for name in [
            "running.json",
            "ended.json",
            "absent.json",
            "half.json",
            "large.json",
            "gone",
            "pipe",
            "link",
            "folder",
        ] {
            work.push(self.work(&gate, name, json!(self.at("bin/acme")), Some(json!(self.at(name)))));
        }
        work
    }

    fn work(&self, gate: &Gate, name: &str, location: Json, runtime_file: Option<Json>) -> Work {
        let mut system = json!({ "presence": "executable", "location": location });
        if let Some(path) = &runtime_file {
            system["liveness"] = json!({ "kind": "server_json", "path": path });
        }
        let app = json!({ "linux": system, "darwin": system });
        let declaration = json!({ "app": app, "requires": { "app": true } }).to_string();
        let calls = [
            json!(["register", name, declaration, "live", null]),
            json!(["availability", name]),
            json!(["endpoint", name]),
            json!(["status", name, false]),
            json!(["explain", name, false]),
        ];
        Work::new(format!("{name} {runtime_file:?}"), calls.into(), gate)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &str, executable: bool) {
        let path = self.at(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(if executable { 0o755 } else { 0o600 }))
            .unwrap();
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let _ = self.ended.wait();
    }
}

/// A child that has ended and was not waited for: a zombie.
fn ended_process() -> Child {
    let own = env::current_exe().unwrap();
    let mut child = Command::new(own).arg("--list").stdout(Stdio::piped()).spawn().unwrap();
    // The end of its output is the last that is heard of it before it ends.
    io::copy(child.stdout.as_mut().unwrap(), &mut io::sink()).unwrap();
    let stat = format!("/proc/{}/stat", child.id());
    while fs::read_to_string(&stat).is_ok_and(|text| !text.contains(") Z ")) {
        std::thread::yield_now();
    }
    child
}

fn runtime_file(pid: u32) -> String {
    json!({ "pid": pid, "http": "http://127.0.0.1:4321/any", "token": "not-a-real-one" }).to_string()
}
