//! The `app` block: one block a system, each with presence, location, version and liveness (SPEC §2.1).

use super::super::reader::{At, Members, Reader};
use super::super::{App, Place, Presence, VersionSource};
use super::{liveness, only_on, place};
use crate::facts::Os;
use crate::json::Value;

/// What was read of an `app` block, faulty or not.
pub(super) struct AppBlock {
    /// The blocks; none where anything in them is faulty.
    pub(super) apps: Option<Vec<(Os, App)>>,
    /// The systems that are declared, whatever their blocks hold.
    pub(super) declared: Vec<Os>,
    /// The systems whose own block says something about liveness.
    pub(super) with_liveness: Vec<Os>,
    /// The systems that have no version source, with the index of their block. A faulty source is not among them.
    without_source: Vec<(usize, Os)>,
    /// How many members the block has, unknown ones too.
    count: usize,
}

impl AppBlock {
    /// A minimum needs something to compare with (SPEC §2.5).
    pub(super) fn judge_version_sources(&self, reader: &mut Reader, root: &Members<'_>) {
        let Some((index, value)) = root.get("app") else { return };
        let at = At::ROOT;
        let at = at.member(index, "app");
        for (index, os) in &self.without_source {
            if *os == Os::Linux && self.count > 1 {
                continue;
            }
            let what =
                "is missing or `none`, and `requires.min_version` needs a source to read a version from";
            let block = at.member(*index, os.name());
            match value.get(os.name()) {
                Some(Value::Mapping(members)) if members.iter().any(|(name, _)| name == "version") => {
                    let position = members.iter().position(|(name, _)| name == "version").unwrap_or_default();
                    reader.report(&block.member(position, "version"), "min-version-needs-source", what);
                }
                _ => reader.report_at_missing(&block, "version", "min-version-needs-source", what),
            }
        }
    }
}

pub(super) fn read(reader: &mut Reader, at: &At<'_>, value: &Value) -> AppBlock {
    let mut block = AppBlock {
        apps: Some(Vec::new()),
        declared: Vec::new(),
        with_liveness: Vec::new(),
        without_source: Vec::new(),
        count: 0,
    };
    let Some(members) = reader.mapping(at, value, "from systems to where the application is") else {
        block.apps = None;
        return block;
    };
    if members.is_empty() {
        reader.report(at, "no-os", "names no system: expected at least one of `win32`, `darwin` or `linux`");
    }
    for (index, name, value) in members.iter() {
        block.count += 1;
        let at = at.member(index, name);
        let Some(os) = Os::ALL.into_iter().find(|os| os.name() == name) else {
            reader.unknown_key(&at, "unknown-os", name, &Os::ALL.map(Os::name));
            continue;
        };
        block.declared.push(os);
        let app = read_app(reader, &at, value, os, index, &mut block);
        match (app, &mut block.apps) {
            (Some(app), Some(apps)) => apps.push((os, app)),
            _ => block.apps = None,
        }
    }
    block
}

fn read_app(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    os: Os,
    index: usize,
    block: &mut AppBlock,
) -> Option<App> {
    const KNOWN: [&str; 4] = ["presence", "location", "version", "liveness"];
    let members = reader.mapping(at, value, "with `presence` and `location`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let presence = read_presence(reader, at, &members);
    let places = read_location(reader, at, &members, os, presence);
    let version = match members.get("version") {
        Some((index, value)) => read_version(reader, &at.member(index, "version"), value, os, presence),
        None => Some(VersionSource::None),
    };
    if version == Some(VersionSource::None) {
        block.without_source.push((index, os));
    }
    let liveness = match members.get("liveness") {
        Some((index, value)) => {
            if matches!(value, Value::Mapping(_)) {
                block.with_liveness.push(os);
            }
            liveness::read_of_system(reader, &at.member(index, "liveness"), value, os)
        }
        None => Some(None),
    };
    Some(App { presence: presence?, places: places?, version: version?, liveness: liveness? })
}

fn read_presence(reader: &mut Reader, at: &At<'_>, members: &Members<'_>) -> Option<Presence> {
    const EXPECTED: &str = "`executable` or `bundle`";
    let Some((index, value)) = members.get("presence") else {
        reader.missing(at, "presence", EXPECTED);
        return None;
    };
    let at = at.member(index, "presence");
    let word = reader.text(&at, value, EXPECTED)?;
    let presence = Presence::ALL.into_iter().find(|presence| presence.name() == word);
    match presence {
        None if word.is_empty() => reader.empty(&at, EXPECTED),
        None => reader.unknown_value(&at, word, &Presence::ALL.map(Presence::name)),
        Some(_) => {}
    }
    presence
}

fn read_location(
    reader: &mut Reader,
    at: &At<'_>,
    members: &Members<'_>,
    os: Os,
    presence: Option<Presence>,
) -> Option<Vec<Place>> {
    const EXPECTED: &str = "a path, or a list of places";
    let Some((index, value)) = members.get("location") else {
        reader.missing(at, "location", EXPECTED);
        return None;
    };
    let at = at.member(index, "location");
    match value {
        Value::Text(path) => place::read_path(reader, &at, path, os).map(|place| vec![place]),
        Value::List(items) if items.is_empty() => {
            reader.empty(&at, EXPECTED);
            None
        }
        Value::List(items) => {
            let places: Vec<Option<Place>> = items
                .iter()
                .enumerate()
                .map(|(index, item)| place::read(reader, &at.item(index), item, os, presence))
                .collect();
            places.into_iter().collect()
        }
        other => {
            reader.wrong_type(&at, other, EXPECTED);
            None
        }
    }
}

fn read_version(
    reader: &mut Reader,
    at: &At<'_>,
    value: &Value,
    os: Os,
    presence: Option<Presence>,
) -> Option<VersionSource> {
    const KNOWN: [&str; 2] = ["kind", "display_name_prefix"];
    const KINDS: [&str; 4] = ["pe_resource", "uninstall_registry", "plist", "none"];
    let members = reader.mapping(at, value, "with `kind`")?;
    for (index, name, _) in members.iter().filter(|(_, name, _)| !KNOWN.contains(name)) {
        reader.unknown_key(&at.member(index, name), "unknown-key", name, &KNOWN);
    }
    let kind = match members.get("kind") {
        None => "none",
        Some((index, value)) => {
            let at = at.member(index, "kind");
            let kind = reader.text(&at, value, "a string")?;
            let (system, needed) = match kind {
                "pe_resource" | "uninstall_registry" => (Os::Win32, Presence::Executable),
                "plist" => (Os::Darwin, Presence::Bundle),
                "none" => (os, presence.unwrap_or(Presence::Executable)),
                _ => {
                    reader.unknown_value(&at, kind, &KINDS);
                    return None;
                }
            };
            if let Err(what) = only_on(os, system) {
                reader.report(&at, "wrong-os", &format!("`{kind}` {what}"));
                return None;
            }
            if presence.is_some_and(|presence| presence != needed) {
                let what = format!("`{kind}` needs the presence `{}`", needed.name());
                reader.report(&at, "wrong-presence", &what);
                return None;
            }
            kind
        }
    };
    let prefix = place::read_prefix(reader, at, &members, kind == "uninstall_registry");
    match kind {
        "pe_resource" => prefix.map(|_| VersionSource::PeResource),
        "plist" => prefix.map(|_| VersionSource::Plist),
        "uninstall_registry" => prefix
            .flatten()
            .map(|display_name_prefix| VersionSource::UninstallRegistry { display_name_prefix }),
        _ => prefix.map(|_| VersionSource::None),
    }
}
