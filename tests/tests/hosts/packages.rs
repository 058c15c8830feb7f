//! Packages on this disk: the vectors of `tests/packages`, with what their `extra.yaml` adds, and those of `examples`.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use appdecl::facts::document::{Document, Syntax};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use serde_json::{Value as Json, json};
use tempfile::TempDir;

use crate::paper::{self, asked};
use crate::work::Work;

/// What a disk can not hold, and what would take its time to write.
const NOT_ON_DISK: [&str; 8] = [
    "contents-below-no-folder",
    "contents-climbing-names",
    "contents-listed-twice",
    "contents-too-many",
    "contents-too-many-listed",
    "static-listing-below-no-folder",
    "static-listing-climbs",
    "static-listing-twice",
];

const MACHINES: [&str; 3] =
    ["os: linux", "os: win32", "{ os: linux, home: /home/u, files: { /usr/bin/blender: executable } }"];

/// Packages laid out below a temporary folder.
pub(crate) struct Packages {
    folder: TempDir,
    vectors: Vec<String>,
}

impl Packages {
    /// Lays all vectors out.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut vectors = Vec::new();
        for vector in fs::read_dir(tests().join("packages")).unwrap() {
            let vector = vector.unwrap().path();
            let name = vector.file_name().unwrap().to_string_lossy().into_owned();
            if vector.is_dir() && !NOT_ON_DISK.contains(&name.as_str()) {
                lay_out(&vector, &package(folder.path(), &name));
                vectors.push(name);
            }
        }
        vectors.sort();
        Self { folder, vectors }
    }

    /// The same questions about every package, each with what it came to in Rust.
    pub(crate) fn cases(&self) -> Vec<Work> {
        let mut work = Vec::new();
        for name in &self.vectors {
            work.push(about(name, &package(self.folder.path(), name), "os: linux"));
        }
        for name in ["blender", "one-faulty-server", "static-repository"] {
            let path = tests().join("..").join("examples").join(name);
            work.extend(MACHINES.map(|machine| about(name, &path, machine)));
        }
        let nothing = [self.folder.path().join("gone"), self.folder.path().to_owned()];
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

/// So deep that what leads out of a package is still in the temporary folder.
fn package(folder: &Path, name: &str) -> PathBuf {
    folder.join(name).join("above").join("package")
}

fn lay_out(vector: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    copy(&vector.join("package"), to);
    let Ok(text) = fs::read_to_string(vector.join("extra.yaml")) else { return };
    let extra = paper::json(Document::parse(&text, Syntax::Yaml, paper::MAX_BYTES).unwrap().root());
    for path in texts(&extra["folders"]) {
        fs::create_dir_all(to.join(path)).unwrap();
    }
    for (path, content) in members(&extra["files"]) {
        write(&to.join(path), content.as_str().unwrap().as_bytes());
    }
    for (path, bytes) in members(&extra["bytes"]) {
        let bytes: Vec<u8> = serde_json::from_value(bytes.clone()).unwrap();
        write(&to.join(path), &bytes);
    }
    for (path, size) in members(&extra["sizes"]) {
        write(&to.join(path), b"");
        File::options().write(true).open(to.join(path)).unwrap().set_len(size.as_u64().unwrap()).unwrap();
    }
    for path in texts(&extra["not_unicode"]) {
        let name = path.split('\u{fffd}').map(str::as_bytes).collect::<Vec<_>>().join(&0xff);
        write(&to.join(OsString::from_vec(name)), b"");
    }
    for index in 0..extra["repeat"]["count"].as_u64().unwrap_or_default() {
        let filled = |key: &str| extra["repeat"][key].as_str().unwrap().replace('N', &index.to_string());
        write(&to.join(filled("path")), filled("text").as_bytes());
    }
    for path in texts(&extra["pipes"]) {
        above(&to.join(path));
        mknodat(CWD, to.join(path), FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }
    for (path, target) in members(&extra["links"]) {
        link(to, &to.join(path), target.as_str().unwrap());
    }
}

/// Makes a link, and what it leads to where that is out of the package.
fn link(package: &Path, link: &Path, target: &str) {
    above(link);
    symlink(target, link).unwrap();
    let led = plain(&link.parent().unwrap().join(target));
    let around = package.parent().unwrap().parent().unwrap();
    if led.starts_with(package) || !led.starts_with(around) || led.exists() {
        return;
    }
    if led.extension().is_some() {
        write(&led, b"out of the package");
    } else {
        fs::create_dir_all(led).unwrap();
    }
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            named => plain.push(named),
        }
    }
    plain
}

fn copy(from: &Path, to: &Path) {
    let entries = match fs::read_dir(from) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        entries => entries.unwrap(),
    };
    for entry in entries {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

fn write(path: &Path, content: &[u8]) {
    above(path);
    fs::write(path, content).unwrap();
}

fn above(path: &Path) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
}

fn members(mapping: &Json) -> impl Iterator<Item = (&String, &Json)> {
    mapping.as_object().into_iter().flatten()
}

fn texts(list: &Json) -> impl Iterator<Item = &str> {
    list.as_array().into_iter().flatten().map(|text| text.as_str().unwrap())
}
