//! What a case expects: read with every type and word checked, so that a typo is a fault and not a test of nothing.

use appdecl_facts::Reader;
use appdecl_facts::document::{Mapping, Node, Value as Written};
use serde_json::{Map, Value};

/// The codes of faults of declarations (SPEC §2.6).
pub const DIAGNOSTIC_CODES: [&str; 28] = [
    "not-a-mapping",
    "wrong-type",
    "unknown-os",
    "no-os",
    "unknown-key",
    "missing-field",
    "unknown-value",
    "wrong-os",
    "wrong-presence",
    "path-not-rooted",
    "path-traversal",
    "path-is-url",
    "path-is-network",
    "path-has-double-star",
    "bad-name",
    "bad-key-name",
    "bad-endpoint-path",
    "bad-version",
    "app-block-missing",
    "min-version-needs-app",
    "min-version-needs-source",
    "liveness-without-app",
    "liveness-twice",
    "path-bad-character",
    "path-too-long",
    "duplicate-key",
    "too-large",
    "too-deep",
];

/// The states of SPEC §4.
pub const STATES: [&str; 6] = [
    "available",
    "installed_not_running",
    "missing_app",
    "version_too_old",
    "unsupported_os",
    "no_requirements",
];

/// The reasons of SPEC §4.
pub const AVAILABILITY_REASONS: [&str; 6] = [
    "version-unreadable",
    "version-below-minimum",
    "not-found",
    "variable-unset",
    "path-refused",
    "access-denied",
];

/// The reasons of SPEC §6, as §11 lists them.
pub const ENDPOINT_REASONS: [&str; 15] = [
    "no-liveness",
    "variable-unset",
    "path-refused",
    "missing",
    "unreadable",
    "not-regular",
    "too-large",
    "untrusted",
    "malformed",
    "bad-pid",
    "pid-not-alive",
    "pid-reused",
    "bad-url",
    "not-loopback",
    "bad-port",
];

/// The states of SPEC §7.
pub const STATUS_STATES: [&str; 7] = [
    "unsupported_os",
    "missing_app",
    "version_too_old",
    "no_interactive_session",
    "app_not_running",
    "endpoint_unavailable",
    "not_connected",
];

/// What SPEC §7 says of trying again.
pub const RETRIES: [&str; 2] = ["after_user_action", "never_here"];
const TOKENS: [&str; 2] = ["present", "absent"];

/// The keys of `expect`.
pub(super) const KEYS: [&str; 12] = [
    "valid",
    "invalid",
    "state",
    "offerable",
    "version",
    "path",
    "min_version",
    "reason",
    "endpoint",
    "status",
    "server_offered",
    "skill_offered",
];

/// The keys that speak of a declaration alone: no machine is asked.
pub(crate) const STATIC_KEYS: [&str; 2] = ["valid", "invalid"];

/// What `expect` says, its keys in order. What is faulty is left out.
pub(super) fn read(reader: &mut Reader, node: Node<'_>) -> Map<String, Value> {
    let mut expect = Map::new();
    let Some(mapping) = reader.mapping(node, "`expect`") else {
        return expect;
    };
    reader.known(mapping, &KEYS, "`expect`");
    if mapping.members().len() == 0 {
        reader.fault_with(
            node.span(),
            "`expect` names nothing, so the case can not fail",
            "expect a `state`, an `endpoint`, a `status`, `invalid`, or `valid: true`",
        );
    }
    for member in mapping.members() {
        if let Some(value) = entry(reader, member.key, member.value) {
            expect.insert(member.key.to_owned(), value);
        }
    }
    if let Some(member) = mapping.get("invalid").filter(|_| mapping.members().len() > 1) {
        reader.fault_with(
            member.key_span,
            "`invalid` stands alone: a declaration with faults is not registered",
            "put what else you expect into another case",
        );
    }
    expect
}

fn entry(reader: &mut Reader, key: &str, node: Node<'_>) -> Option<Value> {
    match key {
        "valid" => match node.as_bool() {
            Some(true) => Some(Value::Bool(true)),
            _ => {
                let help = "expect the faults: `invalid: [ { code: …, pointer: … } ]`";
                reader.fault_with(node.span(), "`valid` can only be `true`", help);
                None
            }
        },
        "invalid" => invalid(reader, node),
        "state" => word(reader, node, "`state`", &STATES),
        "offerable" => reader.truth(node, "`offerable`").map(Value::Bool),
        "version" => text_or_null(reader, node, "`version`"),
        "path" => text_or_null(reader, node, "`path`"),
        "min_version" => text_or_null(reader, node, "`min_version`"),
        "reason" => match node.value() {
            Written::Null => Some(Value::Null),
            _ => word(reader, node, "`reason`", &AVAILABILITY_REASONS),
        },
        "endpoint" => endpoint(reader, node),
        "status" => status(reader, node),
        "server_offered" => server_offered(reader, node),
        "skill_offered" => skill_offered(reader, node),
        _ => None,
    }
}

fn invalid(reader: &mut Reader, node: Node<'_>) -> Option<Value> {
    let faults = list(reader, node, "`invalid`")?;
    if faults.is_empty() {
        reader.fault_with(node.span(), "`invalid` lists no fault", "for none write `valid: true`");
    }
    let each = faults.into_iter().map(|fault| {
        let mapping = reader.mapping(fault, "a fault of `invalid`")?;
        reader.known(mapping, &["code", "pointer"], "a fault of `invalid`");
        let mut known = Map::new();
        for key in ["code", "pointer"] {
            let value = required(reader, fault, mapping, key, "a fault of `invalid`")?;
            let read = match key {
                "code" => word(reader, value, "`code`", &DIAGNOSTIC_CODES),
                _ => text(reader, value, "`pointer`"),
            };
            known.insert(key.to_owned(), read?);
        }
        Some(Value::Object(known))
    });
    Some(Value::Array(each.collect::<Vec<_>>().into_iter().flatten().collect()))
}

fn endpoint(reader: &mut Reader, node: Node<'_>) -> Option<Value> {
    let mapping = some(reader, node, "`endpoint`", &["url", "token", "unavailable"])?;
    if let Some(member) = mapping.get("unavailable").filter(|_| mapping.members().len() > 1) {
        reader.fault(member.key_span, "an endpoint that is `unavailable` has no `url` and no `token`");
    }
    members(reader, mapping, |reader, key, value| match key {
        "url" => text(reader, value, "`url`"),
        "token" => word(reader, value, "`token`", &TOKENS),
        "unavailable" => word(reader, value, "`unavailable`", &ENDPOINT_REASONS),
        _ => None,
    })
}

fn status(reader: &mut Reader, node: Node<'_>) -> Option<Value> {
    if matches!(node.value(), Written::Null) {
        return Some(Value::Null);
    }
    let known = ["server", "app", "state", "message", "user_action", "retry"];
    let mapping = some(reader, node, "`status`", &known)?;
    members(reader, mapping, |reader, key, value| match key {
        "server" => text(reader, value, "`server`"),
        "state" => word(reader, value, "`state`", &STATUS_STATES),
        "retry" => word(reader, value, "`retry`", &RETRIES),
        "message" | "user_action" => sentence(reader, value, &format!("`{key}`")),
        "app" => {
            let mapping = some(reader, value, "`app`", &["name", "version", "path", "min_version"])?;
            members(reader, mapping, |reader, key, value| match key {
                "name" => text(reader, value, "`name`"),
                _ => text_or_null(reader, value, &format!("`{key}`")),
            })
        }
        _ => None,
    })
}

/// `present`, or what the sentence has and lacks.
fn sentence(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<Value> {
    if node.as_text().is_some() {
        return word(reader, node, what, &["present"]);
    }
    let mapping = some(reader, node, what, &["has", "lacks"])?;
    members(reader, mapping, |reader, key, value| texts(reader, value, &format!("`{key}`")))
}

fn server_offered(reader: &mut Reader, node: Node<'_>) -> Option<Value> {
    let mapping = reader.mapping(node, "`server_offered`")?;
    reader.unrepeated(mapping, "`server_offered`");
    members(reader, mapping, |reader, key, value| reader.truth(value, &format!("`{key}`")).map(Value::Bool))
}

fn skill_offered(reader: &mut Reader, node: Node<'_>) -> Option<Value> {
    let keys = ["requires_apps", "offered"];
    let skills = list(reader, node, "`skill_offered`")?;
    let each = skills.into_iter().map(|skill| {
        let what = "an entry of `skill_offered`";
        let mapping = some(reader, skill, what, &keys)?;
        let apps = required(reader, skill, mapping, "requires_apps", what)?;
        let offered = required(reader, skill, mapping, "offered", what)?;
        let mut known = Map::new();
        known.insert("requires_apps".to_owned(), texts(reader, apps, "`requires_apps`")?);
        known.insert("offered".to_owned(), Value::Bool(reader.truth(offered, "`offered`")?));
        Some(Value::Object(known))
    });
    Some(Value::Array(each.collect::<Vec<_>>().into_iter().flatten().collect()))
}

/// A mapping with known keys, at least one.
fn some<'d>(reader: &mut Reader, node: Node<'d>, what: &str, known: &[&str]) -> Option<Mapping<'d>> {
    let mapping = reader.mapping(node, what)?;
    reader.known(mapping, known, what);
    if mapping.members().len() == 0 {
        reader.fault(node.span(), format!("{what} names nothing"));
    }
    Some(mapping)
}

fn members<'d>(
    reader: &mut Reader,
    mapping: Mapping<'d>,
    mut read: impl FnMut(&mut Reader, &str, Node<'d>) -> Option<Value>,
) -> Option<Value> {
    let mut known = Map::new();
    for member in mapping.members() {
        if let Some(value) = read(reader, member.key, member.value) {
            known.insert(member.key.to_owned(), value);
        }
    }
    Some(Value::Object(known))
}

pub(super) fn required<'d>(
    reader: &mut Reader,
    around: Node<'d>,
    mapping: Mapping<'d>,
    key: &str,
    what: &str,
) -> Option<Node<'d>> {
    let member = mapping.get(key);
    if member.is_none() {
        reader.fault(around.span(), format!("`{key}` is missing in {what}"));
    }
    member.map(|member| member.value)
}

pub(super) fn list<'d>(reader: &mut Reader, node: Node<'d>, what: &str) -> Option<Vec<Node<'d>>> {
    let list = node.as_list();
    if list.is_none() {
        reader.wrong_type(node, what, "a list");
    }
    list.map(|list| list.items().collect())
}

fn texts(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<Value> {
    let items = list(reader, node, what)?;
    let what = format!("an entry of {what}");
    Some(Value::Array(items.into_iter().filter_map(|item| text(reader, item, &what)).collect()))
}

fn text(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<Value> {
    reader.text(node, what).map(Value::from)
}

fn text_or_null(reader: &mut Reader, node: Node<'_>, what: &str) -> Option<Value> {
    match node.value() {
        Written::Null => Some(Value::Null),
        _ => text(reader, node, what),
    }
}

fn word(reader: &mut Reader, node: Node<'_>, what: &str, words: &[&'static str]) -> Option<Value> {
    let words: Vec<(&str, &str)> = words.iter().map(|word| (*word, *word)).collect();
    reader.word(node, what, &words).map(Value::from)
}
