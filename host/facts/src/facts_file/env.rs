//! `env` and `home`: the environment variables.

use std::collections::HashMap;

use super::reader::Reader;
use crate::document::{Mapping, Node};
use crate::{Fault, FaultCode, Os};

/// The variables of a system, by their name as the system compares names.
pub(super) struct Variables {
    os: Os,
    values: HashMap<String, Result<String, Fault>>,
    pub(super) home: Option<String>,
}

impl Variables {
    /// `home` speaks where the variable for it is not given itself; where `home` is not given, the variable is it.
    pub(super) fn read(reader: &mut Reader, top: Mapping<'_>, os: Os) -> Self {
        let mut variables = Self { os, values: HashMap::new(), home: None };
        if let Some(env) = top.get("env")
            && let Some(env) = reader.mapping(env.value, "`env`")
        {
            reader.unrepeated(env, "`env`");
            for member in env.members() {
                let Some(value) = value(reader, member.value, member.key) else { continue };
                let name = folded(os, member.key);
                // A key that stands twice as it is written is reported already.
                let again = variables.values.insert(name, value).is_some();
                if again && env.get(member.key).is_some_and(|first| first.key_span == member.key_span) {
                    reader.fault(
                        member.key_span,
                        format!(
                            "`{}` is the same variable as one above: letter case does not count here",
                            member.key
                        ),
                    );
                }
            }
        }
        if let Some(home) = top.get("home") {
            variables.home = reader.text(home.value, "`home`").map(str::to_owned);
        }
        let from_env = variables.values.get(&folded(os, home_variable(os)));
        match (&variables.home, from_env) {
            (Some(home), None) => {
                let home = home.clone();
                variables.values.insert(folded(os, home_variable(os)), Ok(home));
            }
            (None, Some(Ok(value))) if !value.is_empty() => variables.home = Some(value.clone()),
            _ => {}
        }
        variables
    }

    pub(super) fn get(&self, name: &str) -> Result<String, Fault> {
        self.values
            .get(&folded(self.os, name))
            .cloned()
            .unwrap_or_else(|| Err(Fault::new(FaultCode::Absent, "the variable is not set")))
    }
}

/// A variable's value: text, or `{ error: CODE }` for one that is not set or can not be had.
pub(super) fn value(reader: &mut Reader, node: Node<'_>, name: &str) -> Option<Result<String, Fault>> {
    let what = format!("the variable `{name}`");
    if let Some(fault) = reader.error_fault(node, &what) {
        return fault.map(Err);
    }
    reader.text(node, &what).map(|value| Ok(value.to_owned()))
}

/// The variable that names the home folder (SPEC §2.4).
pub(crate) fn home_variable(os: Os) -> &'static str {
    if os == Os::Win32 { "USERPROFILE" } else { "HOME" }
}

/// Letter case counts in names on linux and darwin (`wit/host/environment.wit`).
fn folded(os: Os, name: &str) -> String {
    if os == Os::Win32 { name.to_lowercase() } else { name.to_owned() }
}
