//! What each code, state and reason means: the text of `docs/diagnostics.md`.

#[cfg(not(packaged))]
const WORDS: &str = include_str!("../../../../../docs/diagnostics.md");
#[cfg(packaged)]
const WORDS: &str = include_str!("../../../component/diagnostics.md");

/// What a word means, with an example and what to do; none where it is no word.
pub(super) fn text(word: &str) -> Option<&'static str> {
    let (_, after) = WORDS.split_once(&format!("\n### `{word}`\n\n"))?;
    let end = ["\n### ", "\n## "].iter().filter_map(|next| after.find(next)).min();
    after.get(..end.unwrap_or(after.len()))
}

/// The word that somebody who wrote another one may have meant.
pub(super) fn nearest(found: &str) -> Option<&'static str> {
    appdecl::facts::document::nearest(found, headings())
}

fn headings() -> impl Iterator<Item = &'static str> {
    WORDS.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'))
}
