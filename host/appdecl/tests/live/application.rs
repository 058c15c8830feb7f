//! The application: this test program started once more, which serves HTTP and writes a runtime file as applications do.

use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

/// The secret that opens it.
pub(crate) const TOKEN: &str = "Zq7~Xk9!Wv2^Jd4";

const FILE: &str = "APPDECL_TEST_RUNTIME_FILE";

/// A running application. It ends with the test.
pub(crate) struct Application {
    child: Child,
    orders: ChildStdin,
    said: BufReader<ChildStdout>,
    /// The port that its runtime file names.
    pub(crate) port: u16,
}

impl Application {
    /// Starts it; it has written its runtime file by then.
    pub(crate) fn start(file: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "application::runs_until_its_input_ends", "--ignored", "--nocapture"])
            .env(FILE, file)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let orders = child.stdin.take().unwrap();
        let said = BufReader::new(child.stdout.take().unwrap());
        let mut application = Self { child, orders, said, port: 0 };
        application.hear_port();
        application
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Has it listen on another port and write that down.
    pub(crate) fn move_elsewhere(&mut self) {
        self.orders.write_all(b"move\n").unwrap();
        self.hear_port();
    }

    /// Ends it from outside. Its runtime file stays.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
    }

    /// Takes notice of its end, as parents do.
    pub(crate) fn wait(&mut self) {
        self.child.wait().unwrap();
    }

    fn hear_port(&mut self) {
        let port = self.said.by_ref().lines().find_map(|line| line.unwrap().strip_prefix('@')?.parse().ok());
        self.port = port.expect("the application says its port");
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the application answers at `url`: the first line.
pub(crate) fn dial(url: &str, token: &str) -> String {
    let (address, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET /{path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.lines().next().unwrap_or_default().to_owned()
}

/// Writes a runtime file as careful applications do: beside, then renamed.
pub(crate) fn write_runtime_file(file: &Path, pid: u32, port: u16) {
    let text = serde_json::json!({ "pid": pid, "http": format!("http://127.0.0.1:{port}"), "token": TOKEN });
    let beside = file.with_extension("new");
    fs::write(&beside, text.to_string()).unwrap();
    while let Err(error) = fs::rename(&beside, file) {
        // An older Windows, and Wine, replace no file that somebody has open: applications try again.
        assert!(cfg!(windows) && error.kind() == ErrorKind::PermissionDenied, "{error}");
        thread::yield_now();
    }
}

#[test]
#[ignore = "a helper: other tests start it as the application"]
fn runs_until_its_input_ends() {
    let file = std::env::var_os(FILE).unwrap();
    let announce = || {
        let port = serve();
        write_runtime_file(Path::new(&file), std::process::id(), port);
        println!("\n@{port}");
    };
    announce();
    for order in std::io::stdin().lines() {
        assert_eq!(order.unwrap(), "move");
        announce();
    }
}

fn serve() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    port
}

fn answer(mut stream: TcpStream) {
    let head: Vec<String> =
        BufReader::new(&stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
    let is_known = head.contains(&format!("Authorization: Bearer {TOKEN}"));
    let is_right = is_known && head.first().is_some_and(|line| line.starts_with("GET /mcp "));
    let status = if is_right { "200 OK" } else { "401 Unauthorized" };
    let _ = write!(stream, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
}
