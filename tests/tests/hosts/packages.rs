//! Packages on this disk: the vectors of `tests/packages`, with what their `extra.yaml` adds, and those of `examples`.

use std::fs;
use std::path::{Path, PathBuf};

use appdecl::facts::document::{Document, Syntax};
use serde_json::json;
use tempfile::TempDir;

use crate::folders;
use crate::paper::{self, asked};
use crate::work::Work;

/// A vector that would take the other runtimes very long.
const SLOW: &str = "contents-too-many";

const MACHINES: [&str; 3] =
    ["os: linux", "os: win32", "{ os: linux, home: /home/u, files: { /usr/bin/blender: executable } }"];

/// Packages laid out below a temporary folder.
pub(crate) struct Packages {
    room: TempDir,
    /// The name of each vector and its folder.
    vectors: Vec<(String, PathBuf)>,
}

impl Packages {
    /// Lays all vectors out.
    pub(crate) fn new() -> Self {
        let room = tempfile::tempdir().unwrap();
        let mut vectors = Vec::new();
        for vector in fs::read_dir(tests().join("packages")).unwrap() {
            let vector = vector.unwrap().path();
            let name = vector.file_name().unwrap().to_string_lossy().into_owned();
            if vector.is_dir() && folders::is_on_disk(&vector) && name != SLOW {
                let folder = folders::make(&vector, &room.path().join(&name)).unwrap();
                vectors.push((name, folder));
            }
        }
        vectors.sort();
        Self { room, vectors }
    }

    /// The same questions about every package, each with what it came to in Rust.
    pub(crate) fn cases(&self) -> Vec<Work> {
        let mut work = Vec::new();
        for (name, folder) in &self.vectors {
            work.push(about(name, folder, "os: linux"));
        }
        for name in ["blender", "one-faulty-server", "static-repository"] {
            let path = tests().join("..").join("examples").join(name);
            work.extend(MACHINES.map(|machine| about(name, &path, machine)));
        }
        let empty = self.room.path().join("empty");
        fs::create_dir_all(&empty).unwrap();
        let nothing = [self.room.path().join("gone"), empty];
        work.extend(nothing.map(|path| about("no package", &path, "os: linux")));
        work
    }
}

fn about(name: &str, path: &Path, machine: &str) -> Work {
    let facts = Document::parse(machine, Syntax::Yaml, paper::MAX_BYTES).unwrap();
    let calls = [
        json!(["validate", path, null]),
        json!(["validate", path, "static_repository"]),
        json!(["install_gate", path, []]),
        json!(["install_gate", path, ["windows", "macos"]]),
    ];
    asked(format!("{name} where {machine}"), calls.into(), facts.root())
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
