//! `${NAME}`: what is a placeholder, and how it is replaced. One pass: what a value brings in is never looked at again.

/// The folders that a client names to a server of a portable plugin (SPEC §9.1).
pub(super) const PLUGIN_ROOT: &str = "${PLUGIN_ROOT}";
pub(super) const PLUGIN_DATA: &str = "${PLUGIN_DATA}";

/// Replaces `${PLUGIN_ROOT}` and `${PLUGIN_DATA}` as a portable plugin has them in `args`, the values of `env` and `cwd`
/// (SPEC §9.1). Any other `${…}` is text.
///
/// ```
/// use appdecl_guest::package::expand_placeholders;
/// let text = "${PLUGIN_ROOT}/x:${HOME}:${PLUGIN_DATA}";
/// assert_eq!(expand_placeholders(text, "/${PLUGIN_DATA}", "/d"), "/${PLUGIN_DATA}/x:${HOME}:/d");
/// ```
pub fn expand_placeholders(text: &str, plugin_root: &str, plugin_data: &str) -> String {
    let mut expanded = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, from)) = rest.find("${").and_then(|start| rest.split_at_checked(start)) {
        expanded.push_str(before);
        if let Some(after) = from.strip_prefix(PLUGIN_ROOT) {
            expanded.push_str(plugin_root);
            rest = after;
        } else if let Some(after) = from.strip_prefix(PLUGIN_DATA) {
            expanded.push_str(plugin_data);
            rest = after;
        } else {
            expanded.push_str("${");
            rest = from.strip_prefix("${").unwrap_or_default();
        }
    }
    expanded.push_str(rest);
    expanded
}

/// Why a text of a static repository plugin cannot be expanded. Holds names, never a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpansionFault {
    /// The variable of this name is not set.
    Missing(String),
    /// A `${` without `}`, or with something else than a name between them.
    Malformed,
}

/// Replaces every `${NAME}` as a static repository plugin has them in `command`, `args`, the values of `env`, `url` and the
/// values of `headers` (SPEC §9.2). `lookup` answers the value of an environment variable, or none where it is not set; an
/// empty value is a value.
///
/// The result is a secret: it is handed to the server and never printed.
///
/// ```
/// use appdecl_guest::package::{ExpansionFault, expand_variables};
/// let lookup = |name: &str| (name == "TOKEN").then(|| "${TOKEN}".to_owned());
/// assert_eq!(expand_variables("Bearer ${TOKEN}$", lookup), Ok("Bearer ${TOKEN}$".to_owned()));
/// assert_eq!(expand_variables("${OTHER}", lookup), Err(ExpansionFault::Missing("OTHER".to_owned())));
/// ```
pub fn expand_variables(
    text: &str,
    lookup: impl Fn(&str) -> Option<String>,
) -> Result<String, ExpansionFault> {
    let mut expanded = String::with_capacity(text.len());
    let rest = split(text, |before, name| {
        expanded.push_str(before);
        match lookup(name) {
            Some(value) => {
                expanded.push_str(&value);
                Ok(())
            }
            None => Err(ExpansionFault::Missing(name.to_owned())),
        }
    })?;
    expanded.push_str(rest);
    Ok(expanded)
}

/// The names of the variables that a text refers to, in the order they stand.
pub(super) fn variables(text: &str) -> Result<Vec<&str>, ExpansionFault> {
    let mut names = Vec::new();
    split(text, |_, name| {
        names.push(name);
        Ok(())
    })?;
    Ok(names)
}

/// Hands over each placeholder with the text before it, and answers the text after the last one.
fn split<'t>(
    text: &'t str,
    mut each: impl FnMut(&'t str, &'t str) -> Result<(), ExpansionFault>,
) -> Result<&'t str, ExpansionFault> {
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("${") {
        let (name, after) = from.split_once('}').ok_or(ExpansionFault::Malformed)?;
        let begins_well = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_');
        if !begins_well || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            return Err(ExpansionFault::Malformed);
        }
        each(before, name)?;
        rest = after;
    }
    Ok(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_not_expanded_again() {
        let text = "${PLUGIN_ROOT}${PLUGIN_DATA}";
        assert_eq!(
            expand_placeholders(text, "${PLUGIN_DATA}", "${PLUGIN_ROOT}"),
            "${PLUGIN_DATA}${PLUGIN_ROOT}"
        );
        let lookup = |name: &str| Some(format!("${{{name}}}"));
        assert_eq!(expand_variables("${A}-${B}", lookup), Ok("${A}-${B}".to_owned()));
        // A value and the text after it do not make up a placeholder together.
        assert_eq!(expand_variables("${A}{B}", |_| Some("$".to_owned())), Ok("${B}".to_owned()));
        assert_eq!(expand_placeholders("${PLUGIN_ROOT}{PLUGIN_DATA}", "$", "d"), "${PLUGIN_DATA}");
    }

    #[test]
    fn only_the_two_exact_placeholders_of_a_portable_plugin_are_replaced() {
        for text in
            ["$PLUGIN_ROOT", "${PLUGIN_ROOT", "${plugin_root}", "${PLUGIN_ROOT }", "${}", "$${", "${", "$"]
        {
            assert_eq!(expand_placeholders(text, "R", "D"), text);
        }
        assert_eq!(expand_placeholders("$${PLUGIN_ROOT}}", "R", "D"), "$R}");
        assert_eq!(expand_placeholders("${${PLUGIN_DATA}}", "R", "D"), "${D}");
    }

    #[test]
    fn a_malformed_placeholder_is_a_fault_and_a_lone_dollar_is_text() {
        for text in ["${", "${A", "${}", "${1A}", "${A-B}", "${A B}", "${A${B}}", "${\u{e4}}", "x${A}y${"] {
            assert_eq!(variables(text), Err(ExpansionFault::Malformed), "{text}");
        }
        for text in ["", "$", "$A", "$$", "a}b", "{A}", "$ {A}"] {
            assert_eq!(variables(text), Ok(vec![]), "{text}");
        }
        assert_eq!(variables("${A}${_b1}${A}"), Ok(vec!["A", "_b1", "A"]));
    }

    #[test]
    fn a_fault_never_holds_a_value() {
        let lookup = |name: &str| (name == "TOKEN").then(|| "hunter2".to_owned());
        let fault = expand_variables("${TOKEN}${GONE}", lookup).unwrap_err();
        assert_eq!(fault, ExpansionFault::Missing("GONE".to_owned()));
        assert!(!format!("{fault:?}").contains("hunter2"));
    }

    #[test]
    fn an_empty_value_is_a_value() {
        assert_eq!(expand_variables("a${E}b", |_| Some(String::new())), Ok("ab".to_owned()));
    }
}
