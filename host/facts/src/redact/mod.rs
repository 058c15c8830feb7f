//! What a recording leaves out: strings of runtime files, and who the user is (SPEC §10).
//!
//! A recording is made to be handed to strangers. What is masked here is masked so that the recording answers as the
//! machine did.

mod identity;
mod runtime_file;

use serde_json::Value;

pub(crate) use identity::Identity;
pub(crate) use runtime_file::mask;

/// What is no secret, since it is known without the recording: the texts of the declarations that were evaluated.
#[derive(Default)]
pub(crate) struct Known {
    texts: Vec<String>,
}

impl Known {
    /// The keys of a runtime file that a declaration need not name (SPEC §2.1).
    const RUNTIME_KEYS: [&str; 3] = ["pid", "http", "token"];
    /// What the component's own questions and the answers to them are made of.
    const WORDS: &str = "Applications Contents Info plist var lib flatpak exports bin local share snap snapd home Users \
        SOFTWARE Microsoft Windows CurrentVersion Uninstall WOW6432Node DisplayName DisplayVersion InstallLocation \
        SystemComponent PATH PATHEXT COM EXE BAT CMD xml version encoding UTF DOCTYPE PUBLIC Apple DTD dict key string \
        array integer real data date true false CFBundleShortVersionString CFBundleVersion u";

    /// Whether the value of a runtime file's key is the number of a process.
    pub(crate) fn is_process_key(&self, key: &str) -> bool {
        let asks = |text: &String| serde_json::from_str(text).is_ok_and(|asked| names_process(&asked, key));
        key == "pid" || self.texts.iter().any(asks)
    }

    /// Adds the JSON text of a declaration.
    pub(crate) fn add(&mut self, declaration: String) {
        self.texts.push(declaration);
    }

    /// Whether a key of a runtime file is one that somebody asked for.
    fn has_key(&self, key: &str) -> bool {
        Self::RUNTIME_KEYS.contains(&key)
            || serde_json::to_string(key)
                .is_ok_and(|written| self.texts.iter().any(|text| text.contains(&written)))
    }

    /// Whether a word stands in one of the texts, in any case.
    fn has_word(&self, word: &str) -> bool {
        let texts = self.texts.iter().map(String::as_str).chain([Self::WORDS]);
        let word = word.to_lowercase();
        texts.map(str::to_lowercase).any(|text| identity::words(&text, &word).next().is_some())
    }

    /// Whether a path stands in one of the texts as it is.
    fn has_path(&self, path: &str) -> bool {
        let written = serde_json::to_string(path).unwrap_or_default();
        let written = written.trim_matches('"');
        self.texts.iter().any(|text| text.contains(written))
    }
}

/// Whether a declaration calls the process number `key`: `pid_key`, or `pid` in its short form (SPEC §2.1).
fn names_process(declaration: &Value, key: &str) -> bool {
    match declaration {
        Value::Object(members) => members.iter().any(|(name, value)| {
            (matches!(name.as_str(), "pid_key" | "pid") && value.as_str() == Some(key))
                || names_process(value, key)
        }),
        Value::Array(items) => items.iter().any(|item| names_process(item, key)),
        _ => false,
    }
}
