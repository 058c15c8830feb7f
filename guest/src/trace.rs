//! How an answer came about: a tree of steps, each with what was asked and answered, in the order it happened.
//!
//! A trace is written only where somebody asked for it; otherwise every call is one comparison. It holds paths, names and
//! versions, and never a content of a runtime file.

use std::cell::RefCell;

/// Something that is said of a step. Kept apart from general JSON values, whose numbers would bring the printing of
/// fractions into the component.
#[derive(Debug)]
pub enum Detail {
    /// `null`
    Nothing,
    /// `true` or `false`
    Flag(bool),
    /// A number.
    Count(u64),
    /// A string.
    Text(String),
    /// An array of strings.
    Texts(Vec<String>),
}

impl From<bool> for Detail {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<usize> for Detail {
    fn from(count: usize) -> Self {
        u64::try_from(count).map_or(Self::Nothing, Self::Count)
    }
}

impl From<&str> for Detail {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Detail {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Detail {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&[String]> for Detail {
    fn from(texts: &[String]) -> Self {
        Self::Texts(texts.to_vec())
    }
}

impl<T: Into<Detail>> From<Option<T>> for Detail {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

/// One step: what was done, what is known of it, and the steps it took.
#[derive(Debug, Default)]
pub struct Step {
    kind: &'static str,
    details: Vec<(&'static str, Detail)>,
    steps: Vec<Step>,
}

/// Where steps are written to, or nowhere.
#[derive(Default)]
pub struct Trace {
    open: Option<RefCell<Vec<Step>>>,
}

impl Trace {
    /// A trace that writes nothing down.
    pub fn off() -> Self {
        Self::default()
    }

    /// A trace that writes everything down.
    pub fn on() -> Self {
        Self { open: Some(RefCell::new(vec![Step::default()])) }
    }

    /// Does `work` as one step; the steps it takes become this one's.
    pub fn within<T>(&self, kind: &'static str, work: impl FnOnce() -> T) -> T {
        self.begin(kind);
        let result = work();
        self.end();
        result
    }

    /// Says something of the step that is being done. `value` is computed only where it is written down.
    pub fn detail<V: Into<Detail>>(&self, name: &'static str, value: impl FnOnce() -> V) {
        if self.open.is_some() {
            self.add_detail(name, value().into());
        }
    }

    /// A step without steps of its own.
    pub fn step<const N: usize>(
        &self,
        kind: &'static str,
        details: impl FnOnce() -> [(&'static str, Detail); N],
    ) {
        if self.open.is_some() {
            self.add_step(Step { kind, details: Vec::from(details()), steps: Vec::new() });
        }
    }

    /// All steps that were taken, as JSON text: an array of objects, each with `step`, its details and its own `steps`.
    pub fn into_json(self) -> String {
        let steps = self.open.map(RefCell::into_inner).and_then(|mut open| open.pop()).map(|root| root.steps);
        let mut json = String::new();
        write_steps(&mut json, &steps.unwrap_or_default());
        json
    }

    fn begin(&self, kind: &'static str) {
        if let Some(open) = &self.open {
            open.borrow_mut().push(Step { kind, ..Step::default() });
        }
    }

    fn end(&self) {
        if let Some(open) = &self.open {
            let done = open.borrow_mut().pop();
            if let Some(done) = done {
                self.add_step(done);
            }
        }
    }

    fn add_step(&self, step: Step) {
        if let Some(open) = &self.open
            && let Some(outer) = open.borrow_mut().last_mut()
        {
            outer.steps.push(step);
        }
    }

    fn add_detail(&self, name: &'static str, detail: Detail) {
        if let Some(open) = &self.open
            && let Some(step) = open.borrow_mut().last_mut()
        {
            step.details.push((name, detail));
        }
    }
}

fn write_steps(json: &mut String, steps: &[Step]) {
    json.push('[');
    for (index, step) in steps.iter().enumerate() {
        json.push_str(if index == 0 { "{\"step\":" } else { ",{\"step\":" });
        write_text(json, step.kind);
        for (name, detail) in &step.details {
            json.push(',');
            write_text(json, name);
            json.push(':');
            write_detail(json, detail);
        }
        if !step.steps.is_empty() {
            json.push_str(",\"steps\":");
            write_steps(json, &step.steps);
        }
        json.push('}');
    }
    json.push(']');
}

fn write_detail(json: &mut String, detail: &Detail) {
    match detail {
        Detail::Nothing => json.push_str("null"),
        Detail::Flag(flag) => json.push_str(if *flag { "true" } else { "false" }),
        Detail::Count(count) => json.push_str(&count.to_string()),
        Detail::Text(text) => write_text(json, text),
        Detail::Texts(texts) => {
            json.push('[');
            for (index, text) in texts.iter().enumerate() {
                if index > 0 {
                    json.push(',');
                }
                write_text(json, text);
            }
            json.push(']');
        }
    }
}

/// A JSON string with its quotes (RFC 8259 §7).
pub(crate) fn write_text(json: &mut String, text: &str) {
    json.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => json.extend(['\\', character]),
            '\u{0}'..='\u{1f}' => {
                let digit = |value: u32| char::from_digit(value, 16).unwrap_or('0');
                let code = u32::from(character);
                json.push_str("\\u00");
                json.extend([digit(code >> 4), digit(code & 0xf)]);
            }
            _ => json.push(character),
        }
    }
    json.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_nest_and_text_of_strangers_stays_one_string() {
        let trace = Trace::on();
        trace.within("outer", || {
            trace.detail("count", || 2_usize);
            trace.step("inner", || [("text", Detail::from("a\"\\\n\u{1f}ä")), ("none", Detail::Nothing)]);
        });
        let json = trace.into_json();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value[0]["step"], "outer");
        assert_eq!(value[0]["count"], 2);
        assert_eq!(value[0]["steps"][0]["text"], "a\"\\\n\u{1f}ä");
        assert!(value[0]["steps"][0]["none"].is_null());
    }

    #[test]
    fn a_trace_that_is_off_computes_nothing() {
        let trace = Trace::off();
        trace.within("outer", || trace.detail("never", || -> bool { panic!("computed") }));
        assert_eq!(trace.into_json(), "[]");
    }
}
