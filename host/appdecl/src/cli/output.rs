//! Where answers go: one text to standard output, and words about what went wrong to standard error.

use std::io::{self, ErrorKind, IsTerminal, Write};

use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use appdecl::facts::misleads;

/// Bold red, as compilers mark errors.
const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The two streams of the process. Colour is taken out where a stream is no terminal and where `NO_COLOR` is set.
#[derive(Debug)]
pub(super) struct Output {
    width: Option<u16>,
}

impl Output {
    pub(super) fn new() -> Self {
        let terminal = io::stdout().is_terminal();
        Self { width: if terminal { terminal_size::terminal_size().map(|(width, _)| width.0) } else { None } }
    }

    /// The columns of the terminal that standard output is, if it is one.
    pub(super) fn width(&self) -> Option<u16> {
        self.width
    }

    /// Writes an answer. A reader that has gone away has read enough.
    pub(super) fn answer(&mut self, text: &str) -> io::Result<()> {
        let mut stdout = AutoStream::auto(io::stdout().lock());
        forgive(stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()))
    }

    /// Writes an answer that is not the last. False where the reader has gone away.
    pub(super) fn line(&mut self, text: &str) -> io::Result<bool> {
        let mut stdout = AutoStream::auto(io::stdout().lock());
        match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Writes bytes as they are.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        forgive(stdout.write_all(bytes).and_then(|()| stdout.flush()))
    }

    /// Writes a value as JSON.
    pub(super) fn json(&mut self, value: &impl serde::Serialize) -> anyhow::Result<()> {
        Ok(self.answer(&json(value)?)?)
    }

    /// Writes to standard error. There is nowhere to complain where that fails.
    pub(super) fn aside(&mut self, text: &str) {
        let _ = AutoStream::auto(io::stderr().lock()).write_all(text.as_bytes());
    }

    /// Says what went wrong in one line.
    pub(super) fn problem(&mut self, message: &str) {
        let message = super::clean::clean(message);
        self.aside(&format!("{ERROR}error{ERROR:#}: {message}\n"));
    }
}

/// A value as a JSON document of several lines.
pub(super) fn json(value: &impl serde::Serialize) -> serde_json::Result<String> {
    Ok(escaped(&serde_json::to_string_pretty(value)?) + "\n")
}

/// A value as JSON on one line, without a line break.
pub(super) fn json_line(value: &impl serde::Serialize) -> serde_json::Result<String> {
    Ok(escaped(&serde_json::to_string(value)?))
}

/// JSON text in which nothing misleads who looks at it. Characters that do stand in strings alone, where each has a spelling
/// of the form `\uXXXX` (RFC 8259, §7); line breaks stand between values alone, where they are harmless.
fn escaped(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || !misleads(character) {
            safe.push(character);
            continue;
        }
        for unit in character.encode_utf16(&mut [0; 2]) {
            safe.push_str(&format!("\\u{unit:04x}"));
        }
    }
    safe
}

fn forgive(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
