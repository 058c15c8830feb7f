//! Answers that rest on availability, kept for a while where the embedder asks for it.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::answer::{Availability, SkillDecision};

/// So many answers are kept at most: the questions are the callers', and there is no end to them.
const MOST: usize = 4096;

/// A question whose answer may be kept.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    Availability(String),
    ServerOffered(String, bool),
    SkillOffered(Vec<String>),
}

/// An answer that may be kept.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kept {
    Availability(Option<Availability>),
    Offered(bool),
    Skill(SkillDecision),
}

/// The answers, each with the time before which it was asked.
#[derive(Debug, Default)]
pub(super) struct Cache {
    answers: HashMap<Question, (Instant, Kept)>,
}

impl Cache {
    /// The answer, where it is younger than `lifetime`.
    pub(super) fn get(&self, question: &Question, now: Instant, lifetime: Duration) -> Option<Kept> {
        let (asked, kept) = self.answers.get(question)?;
        (now.saturating_duration_since(*asked) < lifetime).then(|| kept.clone())
    }

    /// Keeps an answer to a question that was asked at `asked`.
    pub(super) fn put(&mut self, question: Question, asked: Instant, kept: Kept) {
        if self.answers.len() >= MOST {
            self.clear();
        }
        self.answers.insert(question, (asked, kept));
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.answers.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn question() -> Question {
        Question::ServerOffered("acme".to_owned(), true)
    }

    #[test]
    fn an_answer_is_given_until_its_time_is_over() {
        let start = Instant::now();
        let mut cache = Cache::default();
        cache.put(question(), start, Kept::Offered(true));
        let just_before = start + MINUTE - Duration::from_millis(1);
        assert_eq!(cache.get(&question(), just_before, MINUTE), Some(Kept::Offered(true)));
        assert_eq!(cache.get(&question(), start + MINUTE, MINUTE), None);
    }

    #[test]
    fn questions_that_differ_in_anything_have_answers_of_their_own() {
        let now = Instant::now();
        let mut cache = Cache::default();
        cache.put(question(), now, Kept::Offered(true));
        assert_eq!(cache.get(&Question::ServerOffered("acme".to_owned(), false), now, MINUTE), None);
        assert_eq!(cache.get(&Question::Availability("acme".to_owned()), now, MINUTE), None);
    }

    #[test]
    fn callers_who_ask_without_end_do_not_fill_the_memory() {
        let now = Instant::now();
        let mut cache = Cache::default();
        for number in 0..3 * MOST {
            cache.put(Question::Availability(number.to_string()), now, Kept::Availability(None));
        }
        assert!(cache.answers.len() <= MOST);
    }
}
