//! What gets through a redactor.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests")]

use std::io::Write;
use std::sync::{Arc, Mutex};

use appdecl::{Redact, Redactor};

fn redactor(secrets: &[&str]) -> Redactor {
    let redactor = Redactor::new();
    for secret in secrets {
        assert!(redactor.redact(secret), "{secret}");
    }
    redactor
}

fn written(redactor: &Redactor, pieces: &[&[u8]]) -> String {
    let mut writer = redactor.writer(Vec::new());
    for piece in pieces {
        writer.write_all(piece).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// Every byte that belongs to a secret is marked, and each run of them becomes `***`.
fn expected(secrets: &[&str], text: &str) -> String {
    let mut secret_bytes = vec![false; text.len()];
    for secret in secrets {
        for start in 0..text.len() {
            if text.as_bytes()[start..].starts_with(secret.as_bytes()) {
                secret_bytes[start..start + secret.len()].fill(true);
            }
        }
    }
    let mut expected = String::new();
    for (index, character) in text.char_indices() {
        match (secret_bytes[index], index > 0 && secret_bytes[index - 1]) {
            (false, _) => expected.push(character),
            (true, false) => expected.push_str("***"),
            (true, true) => {}
        }
    }
    expected
}

#[test]
fn every_text_split_everywhere_comes_out_as_if_it_were_written_at_once() {
    let sets: [&[&str]; 8] = [
        &["a"],
        &["aa"],
        &["ab", "ba"],
        &["abab"],
        &["ab", "abb"],
        &["aba", "bab", "b"],
        &["abc", "cab"],
        &["aab", "abba", "bb"],
    ];
    for secrets in sets {
        let redactor = redactor(secrets);
        for length in 0..=5 {
            for number in 0..3_usize.pow(length) {
                let text: String =
                    (0..length).map(|place| ['a', 'b', 'c'][number / 3_usize.pow(place) % 3]).collect();
                let expected = expected(secrets, &text);
                assert_eq!(redactor.redact_str(&text), expected, "{secrets:?} {text}");
                for cuts in 0..1_u32 << length.saturating_sub(1) {
                    let mut pieces = Vec::new();
                    let mut rest = text.as_bytes();
                    for place in (0..length.saturating_sub(1)).rev() {
                        if cuts & (1 << place) != 0 {
                            let (before, after) = rest.split_at(place as usize + 1);
                            pieces.insert(0, after);
                            rest = before;
                        }
                    }
                    pieces.insert(0, rest);
                    assert_eq!(written(&redactor, &pieces), expected, "{secrets:?} {pieces:?}");
                }
            }
        }
    }
}

#[test]
fn secrets_that_overlap_leave_nothing_of_either() {
    let redactor = redactor(&["tok-abcd", "abcd-efgh"]);
    assert_eq!(redactor.redact_str("<tok-abcd-efgh>"), "<***>");
    assert_eq!(written(&redactor, &[b"<tok-ab", b"cd", b"-efg", b"h>"]), "<***>");
}

#[test]
fn a_secret_of_one_character_is_replaced_like_any_other_even_where_the_replacement_has_it() {
    assert_eq!(redactor(&["a"]).redact_str("a banana"), "*** b***n***n***");
    let stars = redactor(&["*", "**"]);
    let safe = stars.redact_str("2 * 3 ** 4");
    assert!(!safe.contains('*'), "{safe}");
    assert!(safe.starts_with("2 ") && safe.contains(" 3 "), "{safe}");
}

#[test]
fn no_secret_comes_about_by_the_replacement_of_another() {
    let redactor = redactor(&["x", "a***b", "a*b"]);
    let safe = redactor.redact_str("axb").into_owned();
    assert!(!safe.contains("a***b") && !safe.contains("a*b"), "{safe}");
    assert_eq!(redactor.redact_str(&safe), safe);
}

#[test]
fn a_secret_is_found_as_json_and_debug_write_it() {
    let secret = r#"q"uo\te"#;
    let redactor = redactor(&[secret]);
    let json = serde_json::to_string(secret).unwrap();
    assert_eq!(redactor.redact_str(&json), "\"***\"");
    assert_eq!(redactor.redact_str(&format!("{secret:?}")), "\"***\"");
}

#[test]
fn only_what_may_begin_a_secret_is_held_back_and_a_flush_does_not_let_it_go() {
    let seen = Shared::default();
    let redactor = redactor(&["secret"]);
    let mut writer = redactor.writer(seen.clone());
    writer.write_all(b"all of this, and sec").unwrap();
    assert_eq!(seen.text(), "all of this, and ");
    writer.flush().unwrap();
    assert_eq!(seen.text(), "all of this, and ");
    writer.write_all(b"ret\n").unwrap();
    assert_eq!(seen.text(), "all of this, and ***\n");
    writer.write_all(b"sec").unwrap();
    drop(writer);
    assert_eq!(seen.text(), "all of this, and ***\nsec");
}

#[test]
fn a_secret_counts_from_the_moment_it_is_registered_in_writers_that_are_there_already() {
    let redactor = Redactor::new();
    let mut writer = redactor.writer(Vec::new());
    writer.write_all(b"late ").unwrap();
    assert!(redactor.clone().redact("late"));
    writer.write_all(b"late").unwrap();
    assert_eq!(writer.finish().unwrap(), b"late ***");
}

#[test]
fn a_run_of_secrets_without_end_is_passed_on_in_bounded_memory() {
    let redactor = redactor(&["aa", "aaaa"]);
    let seen = Shared::default();
    let mut writer = redactor.writer(seen.clone());
    for _ in 0..64 {
        writer.write_all(&[b'a'; 65_536]).unwrap();
    }
    writer.write_all(b"b").unwrap();
    writer.finish().unwrap();
    assert_eq!(seen.text(), "***b");
}

#[test]
fn what_can_not_be_kept_out_is_not_taken_in() {
    let redactor = Redactor::new();
    assert!(!redactor.redact(""));
    assert!(!redactor.redact(&"x".repeat(65_537)));
    let taken = (0..100).filter(|number| redactor.redact(&format!("{number:03}").repeat(20_000))).count();
    assert!((10..50).contains(&taken), "{taken}");
}

#[test]
fn text_of_every_script_comes_out_whole() {
    let redactor = redactor(&["größe", "用"]);
    assert_eq!(redactor.redact_str("größer, 应用"), "***r, 应***");
    let bytes = "größer, 应用".as_bytes();
    for middle in 0..=bytes.len() {
        let (before, after) = bytes.split_at(middle);
        assert_eq!(written(&redactor, &[before, after]), "***r, 应***");
    }
}

#[test]
fn nothing_of_a_secret_is_printed_for_debugging() {
    let redactor = redactor(&["s3cret"]);
    assert_eq!(
        format!("{redactor:?} {:?}", redactor.writer(Vec::new())),
        "Redactor(..) RedactingWriter { .. }"
    );
}

#[test]
fn a_tracing_subscriber_writes_through_it() {
    let redactor = redactor(&["tok\"en-1"]);
    let seen = Shared::default();
    let sink = seen.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || redactor.writer(sink.clone())).finish();
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!(token = "tok\"en-1", "dialled with tok\"en-1");
    });
    assert!(seen.text().contains("dialled with ***") && !seen.text().contains("en-1"), "{}", seen.text());
}

/// What was written, to be looked at while the writer lives.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
