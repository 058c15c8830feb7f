//! Text of strangers, made safe to look at.

use std::borrow::Cow;

use appdecl::facts::misleads;

/// `text` with every character escaped that [`misleads`].
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if !text.contains(misleads) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '\n' => safe.push_str("\\n"),
            '\r' => safe.push_str("\\r"),
            '\t' => safe.push_str("\\t"),
            _ if misleads(character) => safe.extend(character.escape_unicode()),
            _ => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// The character, or one that stands for it where it must not be shown. A tab stays.
pub(super) fn visible(character: char) -> char {
    if character != '\t' && misleads(character) { char::REPLACEMENT_CHARACTER } else { character }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(clean("\u{1b}[2J\u{9b}2J\u{7}\r"), r"\u{1b}[2J\u{9b}2J\u{7}\r");
    }

    #[test]
    fn what_reorders_or_hides_text_is_escaped() {
        assert_eq!(clean("a\u{202e}b\u{2066}c\u{200b}d\u{2028}"), r"a\u{202e}b\u{2066}c\u{200b}d\u{2028}");
    }

    #[test]
    fn text_of_every_script_stays_as_it_is() {
        let text = "C:\\Programme\\Größe — 应用 — تطبيق";
        assert_eq!(clean(text), text);
    }
}
