//! What a plain scalar of YAML means, and how a number of either syntax is written in JSON.

use super::tree::Content;

/// The node that a plain scalar stands for in the core schema (YAML 1.2.2 §10.3.2).
pub(super) fn plain(text: &str) -> Content {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Content::Null,
        "true" | "True" | "TRUE" => Content::Bool(true),
        "false" | "False" | "FALSE" => Content::Bool(false),
        _ if json_number(text).is_some() => Content::Number(text.into()),
        _ => Content::Text(text.into()),
    }
}

/// A number in JSON's spelling: as it is written where JSON allows that. None where it is no number.
///
/// What is beyond the reach of a 64-bit float becomes 1e308, so that every reader of JSON takes it for a number.
pub(super) fn json_number(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix("0x") {
        return based(digits, 16);
    }
    if let Some(digits) = text.strip_prefix("0o") {
        return based(digits, 8);
    }
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    if !is_digits(whole)
        || !fraction.is_none_or(is_digits)
        || (whole.is_empty() && fraction.is_none_or(str::is_empty))
    {
        return None;
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) {
            return None;
        }
    }
    if text.parse::<f64>().is_ok_and(f64::is_infinite) {
        return Some(format!("{sign}1e308"));
    }
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        trimmed => trimmed,
    };
    let mut number = format!("{sign}{whole}");
    if let Some(fraction) = fraction {
        number.push('.');
        number.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    if let Some(exponent) = exponent {
        number.push('e');
        number.push_str(exponent);
    }
    Some(number)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn based(digits: &str, radix: u32) -> Option<String> {
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        return None;
    }
    Some(u128::from_str_radix(digits, radix).map_or_else(|_| "1e308".to_owned(), |number| number.to_string()))
}
