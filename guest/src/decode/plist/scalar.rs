//! How the values of an XML property list are written. Only the form is judged: no value but a string is ever used.

use super::well_formed::is_space;

/// A decimal or `0x` hexadecimal number that fits into 64 bits, signed or not; blanks around it are allowed.
pub(super) fn is_integer(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => (16, digits),
        None => (10, digits),
    };
    // `from_str_radix` would take a sign of its own.
    digits.chars().all(|digit| digit.is_digit(radix))
        && u64::from_str_radix(digits, radix).is_ok_and(|value| !negative || value <= 1 << 63)
}

/// A decimal fraction with an exponent or none, or one of the words for what is no number; blanks around it are allowed.
pub(super) fn is_real(text: &str) -> bool {
    let text = text.trim_matches(is_space);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if ["nan", "inf", "infinity"].iter().any(|word| unsigned.eq_ignore_ascii_case(word)) {
        return true;
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole)
        && digits(fraction)
        && !(whole.is_empty() && fraction.is_empty())
        && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// `YYYY-MM-DDThh:mm:ssZ`, a day of the calendar.
pub(super) fn is_date(text: &str) -> bool {
    let number = |text: &[u8]| {
        text.iter().try_fold(0_u32, |value, digit| {
            digit.is_ascii_digit().then(|| value * 10 + u32::from(digit - b'0'))
        })
    };
    let &[y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2, b'Z'] =
        text.as_bytes()
    else {
        return false;
    };
    let parts = (
        number(&[y1, y2, y3, y4]),
        number(&[m1, m2]),
        number(&[d1, d2]),
        number(&[h1, h2]),
        number(&[n1, n2]),
        number(&[s1, s2]),
    );
    let (Some(year), Some(month), Some(day), Some(hour), Some(minute), Some(second)) = parts else {
        return false;
    };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    year >= 1 && (1..=days).contains(&day) && hour < 24 && minute < 60 && second < 60
}

/// Base64 with its padding; blanks and line ends anywhere are ignored.
pub(super) fn is_data(text: &str) -> bool {
    let mut length = 0_usize;
    let mut padding = 0_usize;
    for character in text.chars().filter(|character| !is_space(*character)) {
        match character {
            '=' => padding += 1,
            'A'..='Z' | 'a'..='z' | '0'..='9' | '+' | '/' if padding == 0 => length += 1,
            _ => return false,
        }
    }
    padding <= 2 && (length + padding).is_multiple_of(4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn judge(is_valid: fn(&str) -> bool, valid: &[&str], invalid: &[&str]) {
        for text in valid {
            assert!(is_valid(text), "{text:?} is valid");
        }
        for text in invalid {
            assert!(!is_valid(text), "{text:?} is malformed");
        }
    }

    #[test]
    fn integers_fit_into_64_bits() {
        judge(
            is_integer,
            &["0", "007", "-1", "+1", " 12\n", "0xFf", "18446744073709551615", "-9223372036854775808"],
            &[
                "",
                "-",
                "0x",
                "1 2",
                "1_2",
                "+-1",
                "-+1",
                "0x+1",
                "1.0",
                "١",
                "18446744073709551616",
                "-9223372036854775809",
            ],
        );
    }

    #[test]
    fn reals_are_decimal_or_named() {
        judge(
            is_real,
            &["0", "1.", ".5", "-1.25e-3", "1E+9", "nan", "-Infinity", "+inf", " 2.5 "],
            &["", ".", "-", "e5", "1e", "1e+", "1.2.3", "0x1p3", "1_0", "infinite", "--1", "1e1.5"],
        );
    }

    #[test]
    fn dates_are_days_of_the_calendar() {
        judge(
            is_date,
            &["2026-01-01T10:00:00Z", "2024-02-29T23:59:59Z", "2000-02-29T00:00:00Z", "0001-12-31T00:00:00Z"],
            &[
                "",
                "2026-01-01",
                "2026-01-01T10:00:00",
                " 2026-01-01T10:00:00Z",
                "2026-13-01T10:00:00Z",
                "2026-00-01T10:00:00Z",
                "2026-04-31T10:00:00Z",
                "2026-02-29T10:00:00Z",
                "1900-02-29T10:00:00Z",
                "2026-01-00T10:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T10:60:00Z",
                "2026-01-01T10:00:60Z",
                "2026-01-01T1a:00:00Z",
                "0000-01-01T10:00:00Z",
            ],
        );
    }

    #[test]
    fn data_is_padded_base64() {
        judge(
            is_data,
            &["", "AAAA", "AAA=", "AA==", " A A\n\tA\rA ", "+/09"],
            &["A", "AA", "AAA", "A===", "AA=A", "AAAA=", "AA-_", "AAAA====", "AAA\u{a0}="],
        );
    }
}
