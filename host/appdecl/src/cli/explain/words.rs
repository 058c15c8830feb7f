//! What each code, state and reason means: the text of `docs/diagnostics.md`.

const WORDS: &str = include_str!(concat!(env!("OUT_DIR"), "/diagnostics.md"));

/// What a word means, with an example and what to do; none where it is no word.
pub(super) fn text(word: &str) -> Option<&'static str> {
    let (_, after) = WORDS.split_once(&format!("\n### `{word}`\n\n"))?;
    let end = ["\n### ", "\n## "].iter().filter_map(|next| after.find(next)).min();
    after.get(..end.unwrap_or(after.len()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use appdecl::suite::{
        AVAILABILITY_REASONS, DIAGNOSTIC_CODES, ENDPOINT_REASONS, STATES, STATUS_STATES,
    };

    use super::{WORDS, text};

    #[test]
    fn every_code_state_and_reason_has_one_heading_and_no_heading_is_left_over() {
        let known: BTreeSet<&str> = [
            DIAGNOSTIC_CODES.as_slice(),
            &STATES,
            &AVAILABILITY_REASONS,
            &STATUS_STATES,
            &ENDPOINT_REASONS,
        ]
        .concat()
        .into_iter()
        .collect();
        let headings = WORDS.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'));
        let headings: Vec<&str> = headings.collect();
        assert_eq!(headings.iter().copied().collect::<BTreeSet<_>>(), known);
        assert_eq!(headings.len(), known.len(), "a heading stands twice");
    }

    #[test]
    fn each_text_has_an_example_and_says_what_to_do_and_ends_before_the_next() {
        for heading in WORDS.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')) {
            let text = text(heading).unwrap();
            assert!(text.contains("Example: ") && text.contains("What to do: "), "{heading}");
            assert!(!text.contains("\n#"), "{heading}");
        }
        assert!(text("no-such-word").is_none());
    }
}
