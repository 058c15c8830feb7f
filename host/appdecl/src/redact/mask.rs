//! A set of secrets, and where they stand in bytes.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::{Bound, Range};

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// The longest secret in bytes: a writer may have to hold back nearly that much.
const LONGEST: usize = 64 * 1024;
/// The most bytes of all secrets together, in every form they are looked for.
const MOST: usize = 1024 * 1024;
/// How often the character that stands for secrets is written for one.
const REPEATED: usize = 3;

/// Secrets, ready to be looked for. Has no `Debug`.
#[derive(Default)]
pub(super) struct Mask {
    /// As they are, and as JSON and `Debug` escape them. None is empty.
    forms: BTreeSet<Box<[u8]>>,
    searcher: Option<AhoCorasick>,
    /// What stands for a secret: no secret has this character, so no secret can be found in it or across it.
    replacement: String,
}

impl Mask {
    pub(super) fn knows(&self, secret: &str) -> bool {
        self.forms.contains(secret.as_bytes()) && self.forms.contains(escaped(secret).as_bytes())
    }

    /// The same secrets and one more; none where it is not one that can be kept out.
    pub(super) fn with(&self, secret: &str) -> Option<Self> {
        if secret.is_empty() || secret.len() > LONGEST {
            return None;
        }
        let mut forms = self.forms.clone();
        forms.insert(secret.as_bytes().into());
        forms.insert(escaped(secret).into_bytes().into());
        if forms.iter().map(|form| form.len()).sum::<usize>() > MOST {
            return None;
        }
        // A full automaton would take a time that grows with the square of a secret like `aaaa…`.
        let kind = Some(AhoCorasickKind::ContiguousNFA);
        let searcher = AhoCorasick::builder().kind(kind).prefilter(false).build(&forms).ok()?;
        let replacement = unused_character(&forms)?.to_string().repeat(REPEATED);
        Some(Self { forms, searcher: Some(searcher), replacement })
    }

    /// What is written in place of a secret.
    pub(super) fn replacement(&self) -> &str {
        &self.replacement
    }

    /// `text` without the secrets.
    pub(super) fn apply<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let found = self.find(text.as_bytes());
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        let mut safe = String::with_capacity(text.len());
        let mut copied = 0;
        for Range { start, end } in found {
            safe.push_str(text.get(copied..start).unwrap_or_default());
            safe.push_str(&self.replacement);
            copied = end;
        }
        safe.push_str(text.get(copied..).unwrap_or_default());
        Cow::Owned(safe)
    }

    /// Where secrets stand, in order; those that overlap or touch are one.
    pub(super) fn find(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let mut found: Vec<Range<usize>> = Vec::new();
        // They come in the order in which they end.
        for secret in self.searcher.iter().flat_map(|searcher| searcher.find_overlapping_iter(bytes)) {
            let mut whole = secret.range();
            while let Some(last) = found.pop_if(|last| last.end >= whole.start) {
                whole.start = whole.start.min(last.start);
            }
            found.push(whole);
        }
        found
    }

    /// How many bytes at the end may be the beginning of a secret.
    pub(super) fn begun(&self, bytes: &[u8]) -> usize {
        let longest = self.forms.iter().map(|form| form.len()).max().unwrap_or_default();
        let most = longest.saturating_sub(1).min(bytes.len());
        let begins = |end: &[u8]| {
            // The secret itself comes first, and those that go on like it right after it.
            let mut next = self.forms.range::<[u8], _>((Bound::Included(end), Bound::Unbounded)).take(2);
            next.any(|form| form.len() > end.len() && form.starts_with(end))
        };
        (1..=most)
            .rev()
            .find(|length| bytes.get(bytes.len() - length..).is_some_and(begins))
            .unwrap_or_default()
    }
}

/// As JSON text and Rust's `Debug` write it between the quotes.
fn escaped(secret: &str) -> String {
    secret.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The character that people know for this, else a block that no secret has.
fn unused_character(forms: &BTreeSet<Box<[u8]>>) -> Option<char> {
    let is_unused = |character: &char| {
        let mut buffer = [0; 4];
        let character = character.encode_utf8(&mut buffer).as_bytes();
        !forms.iter().any(|form| form.windows(character.len()).any(|part| part == character))
    };
    std::iter::once('*').chain('\u{2588}'..=char::MAX).find(is_unused)
}
