//! The component reads the version of a program as the system does.

use std::env;
use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use appdecl::Gate;
use serde_json::json;

/// The program that `tests/windows/file-versions.c` makes. `.ci/wine` builds it and names it here.
const READER: &str = "APPDECL_FILE_VERSIONS";

/// How the names of fixtures begin of which the rules (SPEC §5.3) or the system read nothing: the system goes by
/// `wValueLength`, which the rules do not.
const ODD: [&str; 3] = ["none-", "refused-", "value-length-"];

#[test]
fn every_program_of_the_system_has_the_version_that_the_system_reads() {
    let Some(reader) = env::var_os(READER) else {
        println!("skipped: {READER} names no program to compare with");
        return;
    };
    let mut programs = Vec::new();
    for folder in [r"C:\windows", r"C:\Program Files", r"C:\Program Files (x86)"] {
        find_programs(Path::new(folder), &mut programs);
    }
    let mut said = versions_by(Path::new(&reader), &programs);
    let of_the_system = programs.len();
    find_programs(&fixtures(), &mut programs);
    for fixture in &programs[of_the_system..] {
        // One at a time: Wine's reader does not survive every odd file.
        let alone = versions_by(Path::new(&reader), std::slice::from_ref(fixture));
        said.push(alone.into_iter().next().flatten());
    }
    let (mut compared, mut widths) = (0, [false; 2]);
    assert_eq!(said.len(), programs.len());
    for (program, said) in programs.iter().zip(&said) {
        let found = version_by_component(program);
        let is_odd = ODD.iter().any(|begin| name(program).starts_with(begin));
        let agrees =
            if is_odd { found.is_none() || said.is_none() || &found == said } else { &found == said };
        // The rules call a version of zeros alone none.
        if found.is_none() && said.as_deref() == Some("0.0.0.0") {
            continue;
        }
        assert!(agrees, "{}: {found:?}, and the system {said:?}", program.display());
        if found.is_some() {
            compared += 1;
            widths[usize::from(is_64_bit(program))] = true;
        }
    }
    println!(
        "{compared} versions of {} programs agree, {of_the_system} of them the system's",
        programs.len()
    );
    assert!(compared >= 30, "{compared} versions");
    assert_eq!(widths, [true; 2], "PE32 and PE32+");
}

fn name(program: &Path) -> &str {
    program.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}

/// The fixtures of the decoders, by a path that begins with a drive.
fn fixtures() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/pe");
    let folder = fs::canonicalize(folder).unwrap();
    PathBuf::from(folder.to_str().unwrap().strip_prefix(r"\\?\").unwrap())
}

/// The PE files below a folder.
fn find_programs(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let (path, kind) = (entry.path(), entry.file_type().unwrap());
        if kind.is_dir() {
            find_programs(&path, found);
        } else if kind.is_file() && path.to_str().is_some() && optional_header(&path).is_some() {
            found.push(path);
        }
    }
}

fn is_64_bit(program: &Path) -> bool {
    optional_header(program) == Some(0x20b)
}

/// The magic number of the optional header: 0x10b for PE32, 0x20b for PE32+. None where this is no PE file.
fn optional_header(path: &Path) -> Option<u16> {
    let mut begin = Vec::new();
    fs::File::open(path).ok()?.take(4096).read_to_end(&mut begin).ok()?;
    let at = usize::try_from(u32::from_le_bytes(begin.get(60..64)?.try_into().ok()?)).ok()?;
    let header = begin.get(at..at.checked_add(26)?)?;
    if !begin.starts_with(b"MZ") || !header.starts_with(b"PE\0\0") {
        return None;
    }
    Some(u16::from_le_bytes(header.get(24..26)?.try_into().ok()?))
}

/// What `GetFileVersionInfo` says of each, as far as it comes.
fn versions_by(reader: &Path, programs: &[PathBuf]) -> Vec<Option<String>> {
    let mut child = Command::new(reader).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines: String = programs.iter().map(|program| format!("{}\n", program.display())).collect();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || input.write_all(lines.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().map(|line| Some(line.to_owned()).filter(|line| !line.is_empty())).collect()
}

fn version_by_component(program: &Path) -> Option<String> {
    let declaration = json!({
        "app": { "win32": {
            "presence": "executable", "location": program, "version": { "kind": "pe_resource" },
        } },
        "requires": { "app": true },
    });
    let gate = Gate::new().unwrap();
    let availability = gate.evaluate(&declaration.to_string(), "windows").unwrap();
    assert!(availability.offerable, "{availability:?}");
    availability.version
}
