//! Text of strangers, as messages show it.

/// How many characters of a stranger's text a message shows.
const SHOWN: usize = 200;

/// Text in backticks, shortened, with everything that could steer a terminal or fake a line escaped.
pub fn quoted(text: &str) -> String {
    format!("`{}`", shown(text))
}

/// The same without the backticks.
pub fn shown(text: &str) -> String {
    let mut shown = String::new();
    for (count, character) in text.chars().enumerate() {
        if count == SHOWN {
            shown.push('…');
            break;
        }
        if is_unprintable(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    shown
}

/// Control characters, line and paragraph separators, the marks that turn the direction of text around
/// (<https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters>), and characters without width.
fn is_unprintable(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{61c}'
                | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The known word that is nearest to `word`, where one is near enough to be meant.
pub fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    if word.len() > 64 {
        return None;
    }
    let plain = |text: &str| text.replace(['-', '_', '.'], "").to_ascii_lowercase();
    let wanted = plain(word);
    known
        .iter()
        .map(|candidate| (strsim::osa_distance(&wanted, &plain(candidate)), *candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// A list as a sentence holds it: "`a`, `b` or `c`".
pub fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strangers_text_can_not_steer_a_terminal() {
        assert_eq!(quoted("a\u{1b}[31mb\nc\u{202e}"), "`a\\u{1b}[31mb\\u{a}c\\u{202e}`");
        for hidden in ['\u{61c}', '\u{200b}', '\u{2066}', '\u{e0041}'] {
            assert_eq!(shown(&hidden.to_string()), hidden.escape_unicode().to_string());
        }
        assert_eq!(shown(&"x".repeat(500)).chars().count(), SHOWN + 1);
    }

    #[test]
    fn the_nearest_word_is_one_that_may_be_meant() {
        let known = ["app", "min_version", "requires"];
        assert_eq!(nearest("minVersion", &known), Some("min_version"));
        assert_eq!(nearest("require", &known), Some("requires"));
        assert_eq!(nearest("colour", &known), None);
    }
}
