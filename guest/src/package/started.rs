//! How a portable plugin's stdio server is started (SPEC §9.1): `command`, `args`, `env` and `cwd`.

use super::codes;
use super::document::{Members, not_found, required, string, string_map, strings};
use super::expansion::{PLUGIN_DATA, PLUGIN_ROOT};
use super::finding::{Help, Scope};
use super::listing::{Found, Tree};
use super::packaged_path::{follow, is_unusable};
use super::place::{At, Quoted};

/// The members of a stdio server.
pub(super) struct Started<'s> {
    pub(super) members: &'s Members<'s>,
    pub(super) at: &'s At<'s>,
    pub(super) tree: &'s Tree<'s>,
}

impl Started<'_> {
    pub(super) fn judge(&self, scope: &mut Scope<'_>) {
        if let Some(command) = required(self.members, self.at, "command", "the program to start", scope) {
            self.judge_command(command, scope);
        }
        strings(self.members, self.at, "args", scope);
        self.judge_env(scope);
        if let Some(cwd) = self.members.get("cwd")
            && let Some(cwd) = string(cwd, &self.at.member("cwd"), scope)
        {
            self.judge_cwd(cwd, scope);
        }
    }

    fn judge_command(&self, command: &str, scope: &mut Scope<'_>) {
        let at = self.at.member("command");
        let is_packaged = command.starts_with("./");
        let in_package = if is_packaged { follow("", names(command)) } else { None };
        let found = in_package.map(|path| self.tree.resolve(&path));
        let fault = if is_unusable(command) {
            "it is too long or holds a control character"
        } else if command.contains("${") {
            "no placeholder is expanded here"
        // A blank belongs to a path only where the package has a file of that name.
        } else if command.contains(char::is_whitespace) && !matches!(found, Some(Found::File(_))) {
            "it is one token, arguments go to `args`"
        } else if !is_packaged && (command.contains(['/', '\\', ':']) || command == "." || command == "..") {
            "it is neither"
        } else {
            return match found {
                None if is_packaged => leaves(command, &at, scope),
                None | Some(Found::File(_)) => {}
                Some(Found::Missing) => not_in_package(command, &at, scope),
                Some(found) => not_found(&found, command, "a program of the package", &at, scope),
            };
        };
        let what = format_args!(
            "expected a bare program name or a path that begins with `./`, found {}: {fault}",
            Quoted(command)
        );
        scope.error(codes::BAD_COMMAND, &at, what);
    }

    fn judge_cwd(&self, cwd: &str, scope: &mut Scope<'_>) {
        let at = self.at.member("cwd");
        let rooted = |placeholder: &str| {
            cwd.strip_prefix(placeholder).filter(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let in_package = cwd.strip_prefix("./").or_else(|| rooted(PLUGIN_ROOT));
        let Some(rest) = in_package.or_else(|| rooted(PLUGIN_DATA)).filter(|_| !is_unusable(cwd)) else {
            let what = format_args!(
                "expected a path that begins with `./`, `{PLUGIN_ROOT}` or `{PLUGIN_DATA}`, found {}",
                Quoted(cwd)
            );
            return scope.error(codes::BAD_CWD, &at, what);
        };
        // Another placeholder becomes an absolute path in the midst of this one: how deep that is, is not known.
        let is_known = |name: &&str| !name.contains(PLUGIN_ROOT) && !name.contains(PLUGIN_DATA);
        match follow("", names(rest).filter(is_known)) {
            None => leaves(cwd, &at, scope),
            Some(path) if in_package.is_some() && names(rest).all(|name| is_known(&name)) => {
                match self.tree.resolve(&path) {
                    Found::Folder(_) => {}
                    Found::Missing => not_in_package(cwd, &at, scope),
                    found => not_found(&found, cwd, "a folder of the package", &at, scope),
                }
            }
            Some(_) => {}
        }
    }

    fn judge_env(&self, scope: &mut Scope<'_>) {
        const RESERVED: [&str; 2] = ["PLUGIN_ROOT", "PLUGIN_DATA"];
        let env = string_map(self.members, self.at, "env", scope);
        let at = self.at.member("env");
        for (name, value) in env {
            let at = at.member(name);
            if RESERVED.contains(&name) {
                let what = format_args!("is set by the client: a package does not set it");
                scope.error(codes::RESERVED_VARIABLE, &at, what);
            } else if RESERVED.iter().any(|reserved| reserved.eq_ignore_ascii_case(name)) {
                let what = format_args!("is set by the client on Windows, where letter case does not count");
                scope.warning(codes::RESERVED_VARIABLE_CASE, &at, (0, 0), what, Help::None);
            } else if name.is_empty()
                || name.contains('=')
                || name.chars().any(char::is_control)
                || value.contains('\0')
            {
                let what = format_args!(
                    "expected a name without `=` and control characters, and a value without NUL"
                );
                scope.error(codes::BAD_VARIABLE_NAME, &at, what);
            }
        }
    }
}

fn leaves(path: &str, at: &At<'_>, scope: &mut Scope<'_>) {
    let what = format_args!("{} climbs out of its folder: expected a path that stays there", Quoted(path));
    scope.error(codes::PATH_LEAVES_PACKAGE, at, what);
}

fn not_in_package(path: &str, at: &At<'_>, scope: &mut Scope<'_>) {
    let what = format_args!("{} is not in the package", Quoted(path));
    scope.warning(codes::PATH_NOT_IN_PACKAGE, at, (0, 0), what, Help::None);
}

/// The names of a path that a document of a portable plugin writes. `\` separates on Windows, so that it does everywhere.
fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split(['/', '\\'])
}
