//! JSON text as a tree that keeps what the rules need to see: the order of members, members that stand twice, and how
//! deep it is. Bounded in depth; never panics on any text.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::order::repeats;

/// A JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    Text(String),
    /// An array.
    List(Vec<Value>),
    /// An object, in the order written; a name may stand in it more than once.
    Mapping(Vec<(String, Value)>),
}

/// A number, kept apart by how it is written: `7` is an integer, `7.0` and `7e0` are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// An integer that is not negative.
    Natural(u64),
    /// An integer below zero.
    Negative(i64),
    /// A fraction, an exponent, or an integer beyond 64 bits. No rule asks what it comes to.
    Real,
}

impl Value {
    /// The type, in the words that messages use.
    pub fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Mapping(_) => "a mapping",
        }
    }

    /// The first member of that name; none where this is no mapping.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Mapping(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text, where this is a string.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Whether any mapping in this value has a name twice.
    pub fn has_duplicates(&self) -> bool {
        match self {
            Self::List(items) => items.iter().any(Self::has_duplicates),
            Self::Mapping(members) => {
                let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
                repeats(&names).contains(&true) || members.iter().any(|(_, value)| value.has_duplicates())
            }
            _ => false,
        }
    }
}

/// Why a text is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// More levels of lists and mappings than allowed.
    TooDeep,
    /// Not JSON; what is wrong and where, without any of the text.
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column in bytes, from 1.
        column: usize,
    },
}

/// Reads a whole text as one JSON value of at most `levels` levels of lists and mappings, the root being 1.
pub fn parse(text: &str, levels: usize) -> Result<Value, Fault> {
    let too_deep = Cell::new(false);
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let seed = Tree { levels_left: levels, too_deep: &too_deep };
    let value = seed.deserialize(&mut deserializer).and_then(|value| deserializer.end().map(|()| value));
    value.map_err(|error| {
        if too_deep.get() {
            Fault::TooDeep
        } else {
            Fault::Syntax { line: error.line(), column: error.column() }
        }
    })
}

#[derive(Clone, Copy)]
struct Tree<'a> {
    levels_left: usize,
    too_deep: &'a Cell<bool>,
}

impl Tree<'_> {
    fn below<E: serde::de::Error>(self) -> Result<Self, E> {
        match self.levels_left.checked_sub(1) {
            Some(levels_left) => Ok(Self { levels_left, ..self }),
            None => {
                self.too_deep.set(true);
                Err(E::custom("too deep"))
            }
        }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(Number::Natural(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(u64::try_from(value).map_or(Number::Negative(value), Number::Natural)))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number(Number::Real))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::Text(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::Text(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(below)? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let below = self.below()?;
        let mut mapping = Vec::new();
        while let Some(name) = members.next_key::<String>()? {
            mapping.push((name, members.next_value_seed(below)?));
        }
        Ok(Value::Mapping(mapping))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_order_and_stand_twice() {
        let value = parse(r#"{"b": 1, "a": 2, "b": 3}"#, 4).expect("valid");
        let Value::Mapping(members) = &value else { panic!("a mapping") };
        assert_eq!(members.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["b", "a", "b"]);
        assert!(value.has_duplicates());
        assert_eq!(value.get("b"), Some(&Value::Number(Number::Natural(1))));
    }

    #[test]
    fn the_root_is_the_first_level() {
        assert_eq!(parse("[[[]]]", 3), Ok(Value::List(vec![Value::List(vec![Value::List(vec![])])])));
        assert_eq!(parse("[[[]]]", 2), Err(Fault::TooDeep));
        assert_eq!(parse(&"[".repeat(100_000), 32), Err(Fault::TooDeep));
        assert_eq!(parse(&r#"{"a":"#.repeat(100_000), 32), Err(Fault::TooDeep));
    }

    #[test]
    fn numbers_keep_how_they_are_written() {
        let number = |text| parse(text, 1);
        assert_eq!(number("7"), Ok(Value::Number(Number::Natural(7))));
        assert_eq!(number("-7"), Ok(Value::Number(Number::Negative(-7))));
        assert_eq!(number("7.0"), Ok(Value::Number(Number::Real)));
        assert_eq!(number("7e0"), Ok(Value::Number(Number::Real)));
        assert_eq!(number("99999999999999999999"), Ok(Value::Number(Number::Real)));
    }

    #[test]
    fn what_follows_the_value_is_a_fault() {
        assert_eq!(parse("{} x", 4), Err(Fault::Syntax { line: 1, column: 4 }));
        assert_eq!(parse("", 4), Err(Fault::Syntax { line: 1, column: 0 }));
        assert!(matches!(parse("NaN", 4), Err(Fault::Syntax { .. })));
        assert!(matches!(parse("{\"a\": \"\u{1}\"}", 4), Err(Fault::Syntax { .. })));
    }
}
