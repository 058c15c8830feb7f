//! The figures that the project holds itself to, as sizes and as ratios within one run: `cargo bench --bench figures`.
//!
//! Exits with 1 where one of them is missed.
#![expect(clippy::expect_used, reason = "a measurement ends where it can not go on")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

const DECLARATION: &str = "\
app:
  win32: { presence: executable, location: 'C:\\Acme\\acme.exe' }
  darwin: { presence: bundle, location: /Applications/Acme.app }
  linux: { presence: executable, location: [ /opt/acme/acme, { kind: command, name: acme } ] }
requires: { app: true }
";

const COMMAND: &str = env!("CARGO_BIN_EXE_appdecl");

/// So often each program is started.
const RUNS: usize = 300;

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder for the figures");
    let program = fs::read(COMMAND).expect("the command can be read");
    let (check, empty) = wall_times(&folder);
    let mut figures = vec![
        Figure::new("component", bytes(appdecl::COMPONENT.len()), 250e3, "bytes"),
        Figure::new("component of packages", bytes(appdecl::PACKAGES_COMPONENT.len()), 280e3, "bytes"),
        Figure::new("command", bytes(program.len()), 8e6, "bytes"),
        Figure::new(
            "traces of a compiler in the command",
            bytes(traces_of_a_compiler(&program)),
            0.0,
            "places",
        ),
        Figure::new(
            "check, less 2 ms, against an empty program",
            (check.as_secs_f64() - 0.002) / empty.as_secs_f64(),
            3.0,
            "times",
        ),
    ];
    println!("check {check:?}, an empty program {empty:?} (medians of {RUNS})");
    // On a busy machine a check may have written its answer before the pipe is full.
    match (0..10).find_map(|_| peak_memory(&folder)) {
        Some(peak) => {
            figures.push(Figure::new("peak memory of check", peak, 16e6, "bytes"));
        }
        None => println!("peak memory: not measured, this system does not tell it"),
    }
    for figure in &figures {
        println!("{figure}");
    }
    ExitCode::from(u8::from(figures.iter().any(|figure| !figure.is_reached())))
}

/// A figure and what it may be at most.
struct Figure {
    name: &'static str,
    found: f64,
    most: f64,
    unit: &'static str,
}

impl Figure {
    fn new(name: &'static str, found: f64, most: f64, unit: &'static str) -> Self {
        Self { name, found, most, unit }
    }

    fn is_reached(&self) -> bool {
        self.found <= self.most
    }
}

impl std::fmt::Display for Figure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { name, found, most, unit } = self;
        let verdict = if self.is_reached() { "reached" } else { "MISSED" };
        let digits = if *unit == "times" { 2 } else { 0 };
        write!(f, "{name}: {found:.digits$} {unit}, at most {most:.digits$}: {verdict}")
    }
}

/// How often the program names Cranelift's code generator: its checks say where in its sources they stand.
fn traces_of_a_compiler(program: &[u8]) -> usize {
    const NAME: &[u8] = b"cranelift-codegen";
    program.windows(NAME.len()).filter(|window| *window == NAME).count()
}

/// The median wall time of a whole `appdecl check`, and that of a program that does nothing, taken by turns.
fn wall_times(folder: &TempDir) -> (Duration, Duration) {
    let declaration = folder.path().join("acme.yaml");
    fs::write(&declaration, DECLARATION).expect("a declaration");
    let empty = empty_program(folder.path());
    let (mut checks, mut empties) = (Vec::new(), Vec::new());
    for _ in 0..RUNS {
        empties.push(wall_time(&empty, &[]));
        checks.push(wall_time(Path::new(COMMAND), &["check".as_ref(), declaration.as_os_str()]));
    }
    (median(checks), median(empties))
}

fn empty_program(folder: &Path) -> PathBuf {
    let (source, program) =
        (folder.join("empty.rs"), folder.join("empty").with_extension(std::env::consts::EXE_EXTENSION));
    fs::write(&source, "fn main() {}").expect("a source file");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let status =
        Command::new(rustc).args(["-O", "-Cstrip=symbols", "-o"]).arg(&program).arg(&source).status();
    assert!(status.is_ok_and(|status| status.success()), "the empty program does not build");
    program
}

fn wall_time(program: &Path, arguments: &[&OsStr]) -> Duration {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    command.status().expect("the program runs");
    start.elapsed()
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The most memory that a check held, in bytes. It is read while the check waits to write its answer into a pipe that
/// somebody else has filled: everything is done by then.
fn peak_memory(folder: &TempDir) -> Option<f64> {
    let (mut reader, writer) = std::io::pipe().ok()?;
    let mut filler = writer.try_clone().ok()?;
    std::thread::spawn(move || std::io::Write::write_all(&mut filler, &vec![b'.'; 4 << 20]));
    let mut child = Command::new(COMMAND)
        .args(["check".as_ref(), folder.path().join("acme.yaml").as_os_str()])
        .stdout(writer)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let peak = wait_for_rest(child.id());
    std::thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    let _ = child.wait();
    peak
}

/// Waits until a process has slept for a while, and gives its highest resident size.
fn wait_for_rest(pid: u32) -> Option<f64> {
    let mut asleep = 0;
    for _ in 0..2_000 {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        asleep = if field("State:")?.starts_with('S') { asleep + 1 } else { 0 };
        if asleep == 50 {
            let kibibytes: f64 = field("VmHWM:")?.trim_end_matches(" kB").trim().parse().ok()?;
            return Some(kibibytes * 1024.0);
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    None
}

fn bytes(length: usize) -> f64 {
    f64::from(u32::try_from(length).unwrap_or(u32::MAX))
}
