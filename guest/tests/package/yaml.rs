//! The YAML of the vectors, as the values that JSON is read to.

use appdecl_guest::json::{Number, Value};
use libtest_mimic::Failed;
use saphyr_parser::{Event, Parser, ScalarStyle};

/// Reads one document.
pub(crate) fn parse(text: &str) -> Result<Value, Failed> {
    let mut events = Vec::new();
    for event in Parser::new_from_str(text) {
        match event?.0 {
            Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {}
            event => events.push(event),
        }
    }
    let mut events = events.into_iter();
    let Some(first) = events.next() else { return Ok(Value::Mapping(Vec::new())) };
    build(first, &mut events)
}

fn build<'e>(event: Event<'e>, events: &mut impl Iterator<Item = Event<'e>>) -> Result<Value, Failed> {
    match event {
        Event::Scalar(text, ScalarStyle::Plain, ..) => Ok(match text.as_ref() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            digits if digits.parse::<u64>().is_ok() => Value::Number(Number::Natural(digits.parse()?)),
            _ => Value::Text(text.into_owned()),
        }),
        Event::Scalar(text, ..) => Ok(Value::Text(text.into_owned())),
        Event::SequenceStart(..) => {
            let mut items = Vec::new();
            loop {
                match events.next().ok_or("cut off")? {
                    Event::SequenceEnd => return Ok(Value::List(items)),
                    event => items.push(build(event, events)?),
                }
            }
        }
        Event::MappingStart(..) => {
            let mut members = Vec::new();
            loop {
                match events.next().ok_or("cut off")? {
                    Event::MappingEnd => return Ok(Value::Mapping(members)),
                    Event::Scalar(name, ..) => {
                        let value = events.next().ok_or("cut off")?;
                        members.push((name.into_owned(), build(value, events)?));
                    }
                    other => return Err(format!("no key: {other:?}").into()),
                }
            }
        }
        other => Err(format!("not read here: {other:?}").into()),
    }
}

/// The members of a mapping; none where it is not there.
pub(crate) fn members(value: Option<&Value>) -> Result<&[(String, Value)], Failed> {
    match value {
        None => Ok(&[]),
        Some(Value::Mapping(members)) => Ok(members),
        Some(other) => Err(format!("expected a mapping, found {other:?}").into()),
    }
}

/// The items of a list; none where it is not there.
pub(crate) fn items(value: Option<&Value>) -> Result<&[Value], Failed> {
    match value {
        None => Ok(&[]),
        Some(Value::List(items)) => Ok(items),
        Some(other) => Err(format!("expected a list, found {other:?}").into()),
    }
}

/// The texts of a list; none where it is not there.
pub(crate) fn texts(value: Option<&Value>) -> Result<Vec<String>, Failed> {
    items(value)?.iter().map(text).collect()
}

/// A text.
pub(crate) fn text(value: &Value) -> Result<String, Failed> {
    value.as_text().map(str::to_owned).ok_or_else(|| format!("expected a text, found {value:?}").into())
}

/// A number.
pub(crate) fn number(value: &Value) -> Result<u64, Failed> {
    match value {
        Value::Number(Number::Natural(number)) => Ok(*number),
        other => Err(format!("expected a number, found {other:?}").into()),
    }
}

/// Fails on members that are none of those known.
pub(crate) fn close(value: &Value, known: &[&str]) -> Result<(), Failed> {
    for (name, _) in members(Some(value))? {
        if !known.contains(&name.as_str()) {
            return Err(format!("unknown key {name}: known are {known:?}").into());
        }
    }
    Ok(())
}
