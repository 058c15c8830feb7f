//! What makes XML 1.0 well-formed and `quick-xml` leaves to its caller: the declaration, the document type, attributes,
//! references, names and characters.

use super::Unreadable;

pub(super) const NO_XML: Unreadable = Unreadable("the property list is no well-formed XML");

/// XML's white space, which is less than Unicode's.
pub(super) fn is_space(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

/// Takes the XML declaration off, where there is one.
pub(super) fn after_declaration(text: &str) -> Result<&str, Unreadable> {
    let Some(declaration) = text.strip_prefix("<?xml").filter(|rest| rest.starts_with(is_space)) else {
        return Ok(text);
    };
    let (declaration, rest) = declaration.split_once("?>").ok_or(NO_XML)?;
    let declared = attributes(declaration)?;
    let Some((("version", version), mut others)) = declared.split_first().map(|(first, rest)| (*first, rest))
    else {
        return Err(NO_XML);
    };
    if !version
        .strip_prefix("1.")
        .is_some_and(|minor| !minor.is_empty() && minor.bytes().all(|b| b.is_ascii_digit()))
    {
        return Err(NO_XML);
    }
    if let [("encoding", encoding), rest @ ..] = others {
        if !encoding.eq_ignore_ascii_case("UTF-8") && !encoding.eq_ignore_ascii_case("UTF8") {
            return Err(Unreadable("the property list declares another encoding than UTF-8"));
        }
        others = rest;
    }
    match others {
        [] | [("standalone", "yes" | "no")] => Ok(rest),
        _ => Err(NO_XML),
    }
}

/// The attributes of a tag or an XML declaration, from right behind its name to its end.
pub(super) fn attributes(mut text: &str) -> Result<Vec<(&str, &str)>, Unreadable> {
    // Property lists have one at most; the bound keeps the search for twins short.
    const MOST: usize = 16;
    let mut attributes: Vec<(&str, &str)> = Vec::new();
    loop {
        let rest = text.trim_start_matches(is_space);
        if rest.is_empty() {
            return Ok(attributes);
        }
        let (name, rest_after_name) = rest.split_once('=').ok_or(NO_XML)?;
        let name = name.trim_end_matches(is_space);
        let value_on = rest_after_name.trim_start_matches(is_space);
        let quote = value_on.chars().next().filter(|quote| matches!(quote, '"' | '\'')).ok_or(NO_XML)?;
        let mut parts = value_on.splitn(3, quote).skip(1);
        let (Some(value), Some(after)) = (parts.next(), parts.next()) else { return Err(NO_XML) };
        let is_new = attributes.len() < MOST && attributes.iter().all(|(other, _)| *other != name);
        if rest.len() == text.len() || !is_name(name) || !is_attribute_value(value) || !is_new {
            return Err(NO_XML);
        }
        attributes.push((name, value));
        text = after;
    }
}

fn is_attribute_value(value: &str) -> bool {
    let mut parts = value.split('&');
    let is_plain = parts.next().is_none_or(|plain| !plain.contains('<'));
    is_plain
        && parts.all(|part| {
            part.split_once(';')
                .is_some_and(|(name, plain)| referenced(name).is_some() && !plain.contains('<'))
        })
}

/// The character that `&name;` stands for: one of XML's five, or one by number.
pub(super) fn referenced(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = number.strip_prefix('x').map_or((number, 10), |digits| (digits, 16));
            // `from_str_radix` would take a sign.
            let is_number = digits.chars().all(|digit| digit.is_digit(radix));
            let code = is_number.then(|| u32::from_str_radix(digits, radix).ok()).flatten()?;
            char::from_u32(code).filter(|character| is_character(*character))
        }
    }
}

/// Whether a markup is `<!DOCTYPE name>`, with a `SYSTEM` or `PUBLIC` identifier or none.
pub(super) fn is_document_type(raw: &str) -> bool {
    let inner = raw.strip_prefix("<!DOCTYPE").and_then(|inner| inner.strip_suffix('>'));
    let Some(inner) = inner.filter(|inner| inner.starts_with(is_space)) else { return false };
    let inner = inner.trim_matches(is_space);
    let (name, rest) = inner.split_once(is_space).unwrap_or((inner, ""));
    let rest = rest.trim_start_matches(is_space);
    let after = if rest.is_empty() {
        Some(rest)
    } else if let Some(identifiers) = rest.strip_prefix("PUBLIC") {
        literal(identifiers)
            .filter(|(public, _)| public.chars().all(is_public_identifier))
            .and_then(|(_, rest)| literal(rest))
            .map(|(_, rest)| rest)
    } else {
        rest.strip_prefix("SYSTEM").and_then(literal).map(|(_, rest)| rest)
    };
    is_name(name) && after == Some("")
}

/// White space and a quoted text; what is in the quotes, and what follows.
fn literal(text: &str) -> Option<(&str, &str)> {
    let quoted = text.trim_start_matches(is_space);
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let literal = quoted.strip_prefix(quote)?.split_once(quote)?;
    (quoted.len() < text.len()).then_some(literal)
}

/// XML 1.0, `PubidChar`.
fn is_public_identifier(character: char) -> bool {
    character.is_ascii_alphanumeric() || " \r\n-'()+,./:=?;!*#@$_%".contains(character)
}

/// XML 1.0, `Name`, as far as it is ASCII.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || matches!(first, '_' | ':'))
        && text.chars().all(|next| next.is_ascii_alphanumeric() || matches!(next, '_' | ':' | '-' | '.'))
}

/// XML 1.0, `Char`.
pub(super) fn is_character(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_name_their_parts_in_order_and_no_other_encoding() {
        for declaration in [
            "<?xml version=\"1.0\"?>",
            "<?xml version='1.1' encoding='utf-8' ?>",
            "<?xml\tversion = \"1.0\"\nencoding=\"UTF8\" standalone=\"yes\"?>",
        ] {
            assert_eq!(after_declaration(&format!("{declaration}<a/>")), Ok("<a/>"), "{declaration}");
        }
        assert_eq!(after_declaration("<?xml-stylesheet?><a/>"), Ok("<?xml-stylesheet?><a/>"));
        for declaration in [
            "<?xml ?>",
            "<?xml version=\"1\"?>",
            "<?xml version=\"1.\"?>",
            "<?xml version=\"2.0\"?>",
            "<?xml encoding=\"UTF-8\" version=\"1.0\"?>",
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
            "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
            "<?xml version=\"1.0\" encoding=\"US-ASCII\"?>",
            "<?xml version=\"1.0\" standalone=\"maybe\"?>",
            "<?xml version=\"1.0\" standalone=\"no\" encoding=\"UTF-8\"?>",
            "<?xml version=\"1.0\" version=\"1.0\"?>",
            "<?xml version=\"1.0\"encoding=\"UTF-8\"?>",
            "<?xml version=\"1.0\" >",
        ] {
            assert!(after_declaration(declaration).is_err(), "{declaration}");
        }
    }

    #[test]
    fn attributes_are_quoted_apart_and_named_once() {
        assert_eq!(attributes(""), Ok(vec![]));
        assert_eq!(attributes(" \n"), Ok(vec![]));
        assert_eq!(
            attributes(" a='\"' b:c = \"&lt;&#x41;>\" "),
            Ok(vec![("a", "\""), ("b:c", "&lt;&#x41;>")])
        );
        for malformed in [
            "a='1'",
            " a",
            " a=",
            " a=1",
            " a='1",
            " a='1'b='2'",
            " a='1' a='2'",
            " 1a='1'",
            " ='1'",
            " a='<'",
            " a='&'",
            " a='&b;'",
            " a='&lt'",
            " a='&#0;'",
            " a='&lt;<'",
            " ä='1'",
            " /",
        ] {
            assert!(attributes(malformed).is_err(), "{malformed}");
        }
    }

    #[test]
    fn references_are_to_xmls_own_five_or_to_a_character() {
        let named = ["lt", "gt", "amp", "quot", "apos"].map(referenced);
        assert_eq!(named, ['<', '>', '&', '"', '\''].map(Some));
        let numbered = ["#65", "#x41", "#x1F600", "#0065", "#10"].map(referenced);
        assert_eq!(numbered, ['A', 'A', '😀', 'A', '\n'].map(Some));
        for unknown in [
            "",
            "#",
            "#x",
            "nbsp",
            "LT",
            "#0",
            "#8",
            "#xD800",
            "#xFFFE",
            "#x110000",
            "#+65",
            "#x+41",
            "#X41",
            "# 65",
            "#99999999999",
            "#6 5",
        ] {
            assert_eq!(referenced(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn document_types_have_a_name_and_identifiers_and_nothing_more() {
        for valid in [
            "<!DOCTYPE plist>",
            "<!DOCTYPE\nplist >",
            "<!DOCTYPE plist SYSTEM 'a \"b\" [<>]'>",
            "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">",
        ] {
            assert!(is_document_type(valid), "{valid}");
        }
        for malformed in [
            "<!DOCTYPEplist>",
            "<!doctype plist>",
            "<!DOCTYPE plist[]>",
            "<!DOCTYPE plist []>",
            "<!DOCTYPE plist SYSTEM>",
            "<!DOCTYPE plist SYSTEM'a'>",
            "<!DOCTYPE plist SYSTEM 'a' [<!ENTITY a 'b'>]>",
            "<!DOCTYPE plist SYSTEM 'a' 'b'>",
            "<!DOCTYPE plist PUBLIC 'a'>",
            "<!DOCTYPE plist PUBLIC 'a''b'>",
            "<!DOCTYPE plist PUBLIC 'a<' 'b'>",
            "<!DOCTYPE plist 'a'>",
            "<!DOCTYPE 1plist>",
        ] {
            assert!(!is_document_type(malformed), "{malformed}");
        }
    }
}
