//! JSON as text: the same value gives the same bytes.

use std::fmt::Write;

use crate::json::{Number, Value};

/// A value as compact JSON text, in the order of its members. The text is JavaScript too.
pub(super) fn json_text(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

/// A string as JSON text.
pub(super) fn json_string(string: &str) -> String {
    let mut text = String::new();
    write_string(string, &mut text);
    text
}

fn write_value(value: &Value, text: &mut String) {
    // Writing to a string does not fail.
    let _ = match value {
        Value::Null => text.write_str("null"),
        Value::Bool(true) => text.write_str("true"),
        Value::Bool(false) => text.write_str("false"),
        Value::Number(Number::Natural(number)) => write!(text, "{number}"),
        Value::Number(Number::Negative(number)) => write!(text, "{number}"),
        // Its value is not kept. It is in no text that is handed out: no declaration with a fraction is good.
        Value::Number(Number::Real) => text.write_str("0.5"),
        Value::Text(string) => {
            write_string(string, text);
            Ok(())
        }
        Value::List(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_value(item, text);
            }
            text.push(']');
            Ok(())
        }
        Value::Mapping(members) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_string(name, text);
                text.push(':');
                write_value(value, text);
            }
            text.push('}');
            Ok(())
        }
    };
}

fn write_string(string: &str, text: &mut String) {
    text.push('"');
    for character in string.chars() {
        match character {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            // Line separators end a line of old JavaScript.
            '\u{0}'..='\u{1f}' | '\u{7f}' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(text, "\\u{:04x}", u32::from(character));
            }
            other => text.push(other),
        }
    }
    text.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    #[test]
    fn what_is_written_is_read_back_the_same() {
        for text in
            [r#"{"b":[1,-2,1.5,true,false,null],"a":{"":"\"\\\u0000\u2028"},"b":"é😀"}"#, "[]", "{}", "\"x\""]
        {
            let value = json::parse(text, 8).expect("valid");
            let written = json_text(&value);
            assert_eq!(json::parse(&written, 8), Ok(value), "{written}");
        }
        assert_eq!(json_string("a\u{2028}\n\""), r#""a\u2028\u000a\"""#);
    }
}
