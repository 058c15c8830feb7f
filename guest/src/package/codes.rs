//! The codes of findings, for documentation and tests. A code is stable: it keeps its meaning or goes.
//!
//! The explanations are not reachable from the component's exports and take no room in it.

use super::Severity;

/// What one code means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code, in kebab case.
    pub name: &'static str,
    /// How grave each finding of this code is.
    pub severity: Severity,
    /// The section of SPEC that has the rule; `9` where both formats have it.
    pub section: &'static str,
    /// What it means and what to do, in one paragraph.
    pub summary: &'static str,
}

pub(super) const NO_MANIFEST: &str = "no-manifest";
pub(super) const TOO_MANY_FILES: &str = "too-many-files";
pub(super) const PACKAGE_TOO_LARGE: &str = "package-too-large";
pub(super) const BAD_FILE_NAME: &str = "bad-file-name";
pub(super) const LISTED_TWICE: &str = "listed-twice";
pub(super) const NAMES_CLASH: &str = "names-clash";
pub(super) const LINK_LEFT_OUT: &str = "link-left-out";
pub(super) const SPECIAL_FILE_LEFT_OUT: &str = "special-file-left-out";
pub(super) const FILE_MISSING: &str = "file-missing";
pub(super) const WRONG_KIND: &str = "wrong-kind";
pub(super) const LINK_LEADS_OUTSIDE: &str = "link-leads-outside";
pub(super) const LINK_LEADS_NOWHERE: &str = "link-leads-nowhere";
pub(super) const FILE_UNREADABLE: &str = "file-unreadable";
pub(super) const FILE_TOO_LARGE: &str = "file-too-large";
pub(super) const FILE_NOT_UTF8: &str = "file-not-utf8";
pub(super) const NOT_JSON: &str = "not-json";
pub(super) const JSON_TOO_DEEP: &str = "json-too-deep";
pub(super) const MEMBER_TWICE: &str = "member-twice";
pub(super) const MEMBER_WRONG_TYPE: &str = "member-wrong-type";
pub(super) const MEMBER_MISSING: &str = "member-missing";
pub(super) const MEMBER_EMPTY: &str = "member-empty";
pub(super) const MEMBER_UNKNOWN: &str = "member-unknown";
pub(super) const SCHEMA_UNSUPPORTED: &str = "schema-unsupported";
pub(super) const BAD_PLUGIN_NAME: &str = "bad-plugin-name";
pub(super) const MANIFEST_MEMBER_IGNORED: &str = "manifest-member-ignored";
pub(super) const EXTENSIONS_IGNORED: &str = "extensions-ignored";
pub(super) const SCHEMA_MISMATCH: &str = "schema-mismatch";
pub(super) const MEMBER_OF_OTHER_TRANSPORT: &str = "member-of-other-transport";
pub(super) const UNKNOWN_TRANSPORT: &str = "unknown-transport";
pub(super) const BAD_SERVER_NAME: &str = "bad-server-name";
pub(super) const BAD_COMMAND: &str = "bad-command";
pub(super) const BAD_CWD: &str = "bad-cwd";
pub(super) const PATH_LEAVES_PACKAGE: &str = "path-leaves-package";
pub(super) const PATH_NOT_IN_PACKAGE: &str = "path-not-in-package";
pub(super) const RESERVED_VARIABLE: &str = "reserved-variable";
pub(super) const RESERVED_VARIABLE_CASE: &str = "reserved-variable-case";
pub(super) const BAD_VARIABLE_NAME: &str = "bad-variable-name";
pub(super) const BAD_SERVER_URL: &str = "bad-server-url";
pub(super) const INSECURE_SERVER_URL: &str = "insecure-server-url";
pub(super) const BAD_HEADER: &str = "bad-header";
pub(super) const HEADER_TWICE: &str = "header-twice";
pub(super) const TOO_MANY_SKILLS: &str = "too-many-skills";
pub(super) const SKILL_FILE_NAME_CASE: &str = "skill-file-name-case";
pub(super) const FRONT_MATTER_MISSING: &str = "front-matter-missing";
pub(super) const FRONT_MATTER_UNCLOSED: &str = "front-matter-unclosed";
pub(super) const FRONT_MATTER_SYNTAX: &str = "front-matter-syntax";
pub(super) const FRONT_MATTER_UNSUPPORTED: &str = "front-matter-unsupported";
pub(super) const SKILL_FIELD_TWICE: &str = "skill-field-twice";
pub(super) const SKILL_FIELD_MISSING: &str = "skill-field-missing";
pub(super) const SKILL_FIELD_WRONG_TYPE: &str = "skill-field-wrong-type";
pub(super) const SKILL_FIELD_LENGTH: &str = "skill-field-length";
pub(super) const SKILL_FIELD_IGNORED: &str = "skill-field-ignored";
pub(super) const SKILL_GATE_MISSPELT: &str = "skill-gate-misspelt";
pub(super) const BAD_SKILL_NAME: &str = "bad-skill-name";
pub(super) const SKILL_NAME_MISMATCH: &str = "skill-name-mismatch";
pub(super) const ORPHAN_DECLARATION: &str = "orphan-declaration";
pub(super) const DECLARATION_OF_SKIPPED_SERVER: &str = "declaration-of-skipped-server";
pub(super) const EXTENSION_MEMBER_IGNORED: &str = "extension-member-ignored";
pub(super) const EXTENSION_MEMBER_MISSPELT: &str = "extension-member-misspelt";
pub(super) const NOTHING_CONTRIBUTED: &str = "nothing-contributed";
pub(super) const PREPACK_MISSING: &str = "prepack-missing";
pub(super) const BAD_ASSET_PATH: &str = "bad-asset-path";
pub(super) const SKILL_ROOT_HOLDS_PACKAGE: &str = "skill-root-holds-package";
pub(super) const LINK_BELOW_SKILL_ROOT: &str = "link-below-skill-root";
pub(super) const ASSET_IS_OUTPUT: &str = "asset-is-output";
pub(super) const BAD_PLACEHOLDER: &str = "bad-placeholder";
pub(super) const SKILL_NOT_OFFERED: &str = "skill-not-offered";
pub(super) const OUTPUT_OCCUPIED: &str = "output-occupied";
pub(super) const VARIABLE_MISSING: &str = "variable-missing";

/// Every code that a finding can have, beside those of a declaration ([`crate::declaration::CODES`]).
pub const CODES: [Code; 69] = [
    error(
        NO_MANIFEST,
        "9",
        "The folder is no package: it holds neither a `plugin.json` (a portable plugin) nor a \
         folder `.dsh-plugin` (a static repository plugin). Give the folder that holds one of them.",
    ),
    error(
        TOO_MANY_FILES,
        "9",
        "The package has more than 100,000 files and folders, or its skill roots name more files \
         than that. What is not listed is not judged, so that the package is refused whole.",
    ),
    error(
        PACKAGE_TOO_LARGE,
        "9",
        "The files of the package are larger than 1 GiB together. Keep large assets elsewhere and \
         let the server fetch them.",
    ),
    error(
        BAD_FILE_NAME,
        "9",
        "A file or folder has a name that cannot be carried to every system or shown safely: it is \
         no Unicode text, holds a control character or one of `< > : \" | ? * \\`, ends in a dot or a \
         blank, is a device of Windows such as `nul.txt`, is longer than 4,096 bytes with its path, or \
         climbs out of the package.",
    ),
    error(
        LISTED_TWICE,
        "9",
        "Two entries have the same path, so that it cannot be said which of them counts. A folder \
         cannot have that; an archive can.",
    ),
    error(
        NAMES_CLASH,
        "9",
        "Two names differ in nothing but letter case. On Windows and macOS they are one file, and the \
         second overwrites the first.",
    ),
    warning(
        LINK_LEFT_OUT,
        "9",
        "A link of the package leads out of it, to nothing, or in a circle. No rule needs it, so \
         that the package remains; the link is not followed and not installed.",
    ),
    warning(
        SPECIAL_FILE_LEFT_OUT,
        "9",
        "The package holds a pipe, a device or a socket. No rule needs it, so that the package \
         remains; it is not opened and not installed.",
    ),
    error(
        FILE_MISSING,
        "9",
        "A file or folder that the format asks for, or that a document names, is not in the \
         package.",
    ),
    error(
        WRONG_KIND,
        "9",
        "Something is there, and is not what is asked for: a folder where a regular file is \
         expected, a file where a folder is, a pipe or a device. Or something stands below what is no \
         folder, as an archive can have it.",
    ),
    error(
        LINK_LEADS_OUTSIDE,
        "9",
        "A path leads out of the package through a link. Nothing outside a package is read. Put the \
         file itself into the package, or link to one inside it.",
    ),
    error(LINK_LEADS_NOWHERE, "9", "A path goes through a link that leads to nothing or in a circle."),
    error(
        FILE_UNREADABLE,
        "9",
        "A file could not be read. The message names why, in the words of the host: `denied`, \
         `locked`, `io` and the like.",
    ),
    error(FILE_TOO_LARGE, "9", "A JSON file of the package is larger than 1 MiB."),
    error(
        FILE_NOT_UTF8,
        "9",
        "A file that must be text holds bytes that are no UTF-8. The line and column are those of \
         the first such byte.",
    ),
    error(
        NOT_JSON,
        "9",
        "A file is no JSON. Comments, trailing commas and a byte order mark are no JSON either. The \
         line and column are where reading ended.",
    ),
    error(JSON_TOO_DEEP, "9", "A JSON file has more than 64 levels of objects and arrays."),
    error(
        MEMBER_TWICE,
        "9",
        "An object has a member of the same name twice. Which of them counts differs between \
         readers, so that neither does.",
    ),
    error(
        MEMBER_WRONG_TYPE,
        "9",
        "A member has another type than its rule asks for. `null` is a type of its own and never \
         stands for an absent member.",
    ),
    error(MEMBER_MISSING, "9", "A member that the rule requires is not there."),
    error(MEMBER_EMPTY, "9", "A member that must hold something is an empty string."),
    error(
        MEMBER_UNKNOWN,
        "9",
        "An object that takes only certain members has another one. A misspelt name must not be \
         taken for an absent one.",
    ),
    error(
        SCHEMA_UNSUPPORTED,
        "9.1",
        "`$schema` of `plugin.json` is not \
         `https://agent-\
         plugins.org/schemas/1.0.0/plugin.schema.json`. The text must be exactly that; it is never \
         fetched. A version that the text names is shown.",
    ),
    error(
        BAD_PLUGIN_NAME,
        "9.1",
        "`name` of `plugin.json` is not 1 to 64 lower-case letters, digits, `.` and `-`, beginning \
         and ending with a letter or digit, without `--` and `..`.",
    ),
    warning(
        MANIFEST_MEMBER_IGNORED,
        "9.1",
        "`plugin.json` has a top-level member that the format does not know. It is reported and \
         ignored; what belongs to one client stands under `extensions`.",
    ),
    warning(
        EXTENSIONS_IGNORED,
        "9.1",
        "`extensions` of `plugin.json` is no object. It is reported and ignored, with every \
         declaration in it: the servers are then judged as if they declared nothing.",
    ),
    error(
        SCHEMA_MISMATCH,
        "9.1",
        "`$schema` of `mcp.json` is not `https://agent-plugins.org/schemas/1.0.0/mcp.schema.json`, \
         the version of the manifest.",
    ),
    error(
        MEMBER_OF_OTHER_TRANSPORT,
        "9",
        "A server has a member that belongs to another transport: `url` or `headers` where a program is \
         started, `command`, `args`, `env` or `cwd` where a URL is reached.",
    ),
    error(
        UNKNOWN_TRANSPORT,
        "9",
        "The `type` of a server is none that the format knows: `stdio`, `streamable-http` and `sse` \
         in a portable plugin, `stdio` and `http` in a static repository plugin.",
    ),
    error(
        BAD_SERVER_NAME,
        "9",
        "A server's name cannot be used: in a portable plugin it is empty, holds a control \
         character or has more than 256 bytes; in a static repository plugin it is not 1 to 32 of \
         `A-Z a-z 0-9 _ -`.",
    ),
    error(
        BAD_COMMAND,
        "9.1",
        "`command` of a stdio server is not one token that is a bare program name or a path that \
         begins with `./`. It is no shell line, and no placeholder is expanded in it: arguments go \
         to `args`.",
    ),
    error(
        BAD_CWD,
        "9.1",
        "`cwd` of a stdio server does not begin with `./`, `${PLUGIN_ROOT}` or `${PLUGIN_DATA}`.",
    ),
    error(PATH_LEAVES_PACKAGE, "9", "A path climbs out of the folder it must stay in with `..`."),
    warning(
        PATH_NOT_IN_PACKAGE,
        "9.1",
        "A `command` or `cwd` that begins with `./` names nothing in the package. The server cannot \
         start unless something puts it there.",
    ),
    error(
        RESERVED_VARIABLE,
        "9.1",
        "`env` of a stdio server sets `PLUGIN_ROOT` or `PLUGIN_DATA`. The client sets them; a \
         package may not.",
    ),
    warning(
        RESERVED_VARIABLE_CASE,
        "9.1",
        "`env` of a stdio server sets a variable that differs from `PLUGIN_ROOT` or `PLUGIN_DATA` \
         in nothing but letter case. On Windows it is the same variable, and the client's value \
         replaces it.",
    ),
    error(
        BAD_VARIABLE_NAME,
        "9.1",
        "`env` of a stdio server has a name that no system takes (empty, or with `=` or a control \
         character), or a value that holds NUL.",
    ),
    error(
        BAD_SERVER_URL,
        "9.1",
        "`url` of a server is no absolute `http` or `https` URL with a well-formed host, or it has \
         user information, a fragment (an empty one too), a blank or a control character. Nothing \
         is expanded in it.",
    ),
    error(
        INSECURE_SERVER_URL,
        "9.1",
        "`url` of a server is `http` to a host that is not `localhost` or a loopback address \
         (127.0.0.0/8, ::1). Use `https`.",
    ),
    error(
        BAD_HEADER,
        "9.1",
        "A member of `headers` is no valid HTTP field: the name is a token (RFC 9110), the value \
         visible ASCII with blanks and tabs inside only.",
    ),
    error(HEADER_TWICE, "9.1", "`headers` has the same field name twice, in any letter case."),
    error(
        TOO_MANY_SKILLS,
        "9",
        "The package has more than 500 skills. Only so many are read: split the package.",
    ),
    warning(
        SKILL_FILE_NAME_CASE,
        "9.1",
        "A folder under `skills/` has no `SKILL.md`, but a file whose name differs in nothing but \
         letter case. It is no skill: the name counts exactly.",
    ),
    error(
        FRONT_MATTER_MISSING,
        "9.1",
        "`SKILL.md` does not begin with a line `---`: it has no front matter, and so no name and no \
         description.",
    ),
    error(
        FRONT_MATTER_UNCLOSED,
        "9.1",
        "The front matter of `SKILL.md` has no closing line `---` within the first 8 KiB of the \
         file.",
    ),
    error(
        FRONT_MATTER_SYNTAX,
        "9.1",
        "The front matter of `SKILL.md` is no YAML mapping. The usual cause is a text with `: ` or \
         ` #` in it that needs quotes.",
    ),
    error(
        FRONT_MATTER_UNSUPPORTED,
        "9.1",
        "The front matter of `SKILL.md` uses YAML that is refused there: anchors, aliases, tags, \
         directives, several documents, keys that are no plain text, tabs as indentation, or more \
         than 16 levels. None of it is needed to describe a skill, and some of it lets a small file \
         grow without bound.",
    ),
    error(SKILL_FIELD_TWICE, "9.1", "The front matter of `SKILL.md` has the same key twice in one mapping."),
    error(SKILL_FIELD_MISSING, "9.1", "The front matter of `SKILL.md` lacks `name` or `description`."),
    error(
        SKILL_FIELD_WRONG_TYPE,
        "9.1",
        "A field of the front matter has another type than its rule asks for. In YAML `1.0`, `true` \
         and `null` are no strings: put them in quotes.",
    ),
    error(
        SKILL_FIELD_LENGTH,
        "9.1",
        "A field of the front matter is empty or too long: `name` 1 to 64 characters, `description` \
         1 to 1,024, `compatibility` 1 to 500.",
    ),
    warning(
        SKILL_FIELD_IGNORED,
        "9.1",
        "The front matter of `SKILL.md` has a field that the format does not know. It is reported \
         and ignored; fields of your own stand under `metadata`.",
    ),
    error(
        SKILL_GATE_MISSPELT,
        "9.1",
        "The front matter of `SKILL.md` has a field that is nearly `requires_apps`. Ignoring it \
         would offer the skill without the application it needs.",
    ),
    error(
        BAD_SKILL_NAME,
        "9.1",
        "`name` of a skill is not lower-case letters, digits and single `-`, beginning and ending \
         with a letter or digit.",
    ),
    error(
        SKILL_NAME_MISMATCH,
        "9.1",
        "`name` of a skill is not the name of the folder that holds its `SKILL.md`.",
    ),
    error(
        ORPHAN_DECLARATION,
        "9.1",
        "`extensions.\"com.nousresearch.hermes\".servers` declares a server that `mcp.json` does \
         not have. Nothing would be gated by it.",
    ),
    error(
        DECLARATION_OF_SKIPPED_SERVER,
        "9.1",
        "`extensions.\"com.nousresearch.hermes\".servers` declares a server that was skipped \
         because its entry in `mcp.json` is faulty, or all of `mcp.json` is. Both causes are \
         reported: repair the entry.",
    ),
    warning(
        EXTENSION_MEMBER_IGNORED,
        "9.1",
        "`extensions.\"com.nousresearch.hermes\"` has a member other than `servers`. It is reported \
         and ignored.",
    ),
    error(
        EXTENSION_MEMBER_MISSPELT,
        "9.1",
        "`extensions` has a namespace that is nearly `com.nousresearch.hermes`, or that namespace a \
         member that is nearly `servers`. Ignoring it would drop every declaration in it.",
    ),
    error(
        NOTHING_CONTRIBUTED,
        "9.2",
        "`dsh` of `.dsh-plugin/package.json` names neither a skill root nor an MCP document.",
    ),
    error(
        PREPACK_MISSING,
        "9.2",
        "`scripts.prepack` of `.dsh-plugin/package.json` does not call `dsh-plugin-prepare`, so \
         that the package would be packed without what it contributes.",
    ),
    error(
        BAD_ASSET_PATH,
        "9.2",
        "A path of `dsh` is absolute, holds `\\` or a control character, or is longer than 4,096 \
         bytes. Paths are relative to `.dsh-plugin`, with `/`.",
    ),
    error(
        SKILL_ROOT_HOLDS_PACKAGE,
        "9.2",
        "A skill root contains `.dsh-plugin`: the copy would hold itself.",
    ),
    error(
        LINK_BELOW_SKILL_ROOT,
        "9.2",
        "A skill root has a link below it. What is copied must be files and folders alone.",
    ),
    error(
        ASSET_IS_OUTPUT,
        "9.2",
        "A path of `dsh` names what `prepare` writes, which `prepare` replaces. Name the source.",
    ),
    error(
        BAD_PLACEHOLDER,
        "9.2",
        "A `${…}` is not closed, or its name is not a letter or `_` followed by letters, digits and \
         `_`.",
    ),
    warning(
        SKILL_NOT_OFFERED,
        "9.2",
        "The front matter of a `SKILL.md` below a skill root cannot be read, or its `requires_apps` \
         is faulty. The static format has no rule for it, so that the package remains; the skill is \
         not offered, because what it requires is not known.",
    ),
    error(
        OUTPUT_OCCUPIED,
        "9.2",
        "What stands where `prepare` writes was not written by it: `dsh-plugin-assets` is no \
         folder, or `dsh-plugin.mjs` is no file that begins with the line that marks a generated \
         one. It is left alone: move it away.",
    ),
    error(
        VARIABLE_MISSING,
        "9.2",
        "A `${NAME}` of the MCP document names an environment variable that is not set. Set it \
         before the plugin is loaded. Its value is never printed.",
    ),
];

const fn error(name: &'static str, section: &'static str, summary: &'static str) -> Code {
    Code { name, severity: Severity::Error, section, summary }
}

const fn warning(name: &'static str, section: &'static str, summary: &'static str) -> Code {
    Code { name, severity: Severity::Warning, section, summary }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::declaration;

    #[test]
    fn a_code_has_one_meaning() {
        let mut names: BTreeSet<&str> = declaration::CODES.into_iter().collect();
        for code in CODES {
            assert!(names.insert(code.name), "{} is taken", code.name);
            assert!(
                code.name
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
            assert!(["9", "9.1", "9.2"].contains(&code.section), "{}", code.name);
            assert!(code.summary.ends_with('.') && code.summary.len() > 40, "{} is not explained", code.name);
        }
    }
}
