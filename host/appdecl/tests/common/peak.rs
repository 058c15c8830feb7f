//! The most memory that a run of the command holds.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use rustix::fs::{OFlags, fcntl_setfl};

/// The highest resident size in bytes until the first word is said; none where the system does not tell.
///
/// Both outputs go into a pipe that is full already, so that the process waits there while it is looked at.
pub fn peak_memory(mut command: Command) -> Option<u64> {
    if !Path::new("/proc/self/status").exists() {
        eprintln!("skipped: this system does not tell the memory of a process");
        return None;
    }
    let (mut reader, mut writer) = std::io::pipe().unwrap();
    fcntl_setfl(&writer, OFlags::NONBLOCK).unwrap();
    while writer.write(&[b'.'; 4096]).is_ok() {}
    fcntl_setfl(&writer, OFlags::empty()).unwrap();
    command.stdin(Stdio::null()).stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    drop(command);
    let peak = at_rest(child.id());
    reader.read_to_end(&mut Vec::new()).unwrap();
    child.wait().unwrap();
    Some(peak)
}

/// The highest resident size of a process that has come to rest.
fn at_rest(pid: u32) -> u64 {
    let mut asleep = 0;
    loop {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let state = field("State:").unwrap();
        assert!(!state.starts_with('Z'), "the process said nothing");
        asleep = if state.starts_with('S') { asleep + 1 } else { 0 };
        if asleep == 50 {
            let size = field("VmHWM:").unwrap().trim_end_matches(" kB");
            return size.trim().parse::<u64>().unwrap() * 1024;
        }
        thread::sleep(Duration::from_millis(1));
    }
}
