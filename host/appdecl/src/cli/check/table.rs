//! The answers as a table, and their sum in a line.

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};

use super::Checked;
use crate::cli::clean::clean;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// The table, at most `width` columns wide; empty where there is no answer.
pub(super) fn text(checked: &[Checked], width: Option<u16>) -> String {
    if checked.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    table.set_header(["", "server", "state", "version", "path", "what to do"]);
    table.add_rows(checked.iter().map(row));
    format!("{}\n{}", table.trim_fmt(), sum(checked))
}

fn row(server: &Checked) -> [String; 6] {
    let availability = server.availability.as_ref();
    let said = |field: Option<&String>| field.map_or_else(|| "-".to_owned(), |text| clean(text).into_owned());
    let state = match (&server.error, &server.status, availability) {
        (Some(_), _, _) => "failed",
        (None, Some(status), _) => status.state.name(),
        (None, None, Some(availability)) => availability.state.name(),
        (None, None, None) => "-",
    };
    let what_to_do = match (&server.error, &server.status) {
        (Some(error), _) => error.clone(),
        (None, Some(status)) => format!("{}; {}", status.message, status.user_action),
        (None, None) => String::new(),
    };
    [
        if server.offered { "+" } else { "-" }.to_owned(),
        clean(&server.server).into_owned(),
        state.to_owned(),
        said(availability.and_then(|found| found.version.as_ref())),
        said(availability.and_then(|found| found.path.as_ref())),
        clean(&what_to_do).into_owned(),
    ]
}

fn sum(checked: &[Checked]) -> String {
    let offered = checked.iter().filter(|server| server.offered).count();
    let style = if offered == checked.len() { GOOD } else { BAD };
    format!("{style}{offered} of {} offered{style:#}\n", checked.len())
}
