//! The answers as a table, and their sum in a line.

use anstyle::{AnsiColor, Style};
use comfy_table::{ContentArrangement, Table, presets};

use super::Checked;
use crate::cli::clean::clean;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();

/// What a cell says that has nothing to say.
const NOTHING: &str = "-";

/// The table, at most `width` columns wide; empty where there is no answer.
pub(super) fn text(checked: &[Checked], width: Option<u16>) -> String {
    if checked.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Dynamic);
    if let Some(width) = width {
        table.set_width(width);
    }
    table.set_header(["server", "state", "version", "path", "what to do"]);
    table.add_rows(checked.iter().map(row));
    let reasons: String = checked.iter().filter_map(reason).collect();
    format!("{}\n{reasons}{}", table.trim_fmt(), sum(checked))
}

fn row(server: &Checked) -> [String; 5] {
    let availability = server.availability.as_ref();
    let state = match (&server.error, &server.status, availability) {
        (Some(_), _, _) => "failed",
        (None, Some(status), _) => status.state.name(),
        (None, None, Some(availability)) => availability.state.name(),
        (None, None, None) => NOTHING,
    };
    [
        cell(Some(&server.server)),
        state.to_owned(),
        cell(availability.and_then(|found| found.version.as_deref())),
        cell(availability.and_then(|found| found.path.as_deref())),
        cell(server.status.as_ref().map(|status| status.user_action.as_str())),
    ]
}

fn cell(text: Option<&str>) -> String {
    text.map_or_else(|| NOTHING.to_owned(), |text| clean(text).into_owned())
}

/// Why the server is in its state, where there is more to say than that.
fn reason(server: &Checked) -> Option<String> {
    let message = server.error.as_ref().or(server.status.as_ref().map(|status| &status.message))?;
    Some(format!("{}: {}\n", clean(&server.server), clean(message)))
}

fn sum(checked: &[Checked]) -> String {
    let offered = checked.iter().filter(|server| server.offered).count();
    let style = if offered == checked.len() { GOOD } else { BAD };
    format!("{style}{offered} of {} offered{style:#}\n", checked.len())
}
