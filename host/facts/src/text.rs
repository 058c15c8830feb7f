//! Text of strangers.

/// Whether a terminal would obey a character, or the character would hide or reorder its neighbours: control characters,
/// line separators, direction overrides and marks, and characters without width.
///
/// Direction: <https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters>.
///
/// ```
/// assert!(appdecl_facts::misleads('\u{202e}'));
/// assert!(!appdecl_facts::misleads('\u{f6}'));
/// ```
#[must_use]
pub fn misleads(character: char) -> bool {
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
