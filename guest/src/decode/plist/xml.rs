//! Property lists written as XML.
//!
//! `quick-xml` cuts the text into tags and matches them, and leaves it to its caller whether a document is well-formed. So
//! everything else that XML 1.0 and Apple's document type ask for is judged here, and in doubt refused: an internal subset
//! of the document type (the only place that entities and their bombs come from), names beyond ASCII, which no property list
//! uses, text between elements, and elements that Apple does not name.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::scalar::{is_data, is_date, is_integer, is_real};
use super::well_formed::{
    NO_XML, after_declaration, attributes, is_character, is_document_type, is_name, is_space, referenced,
};
use super::{KEY_TWICE, LEVELS, NO_DICT, TOO_DEEP, Unreadable, Versions};

const CUT_OFF: Unreadable = Unreadable("the property list ends too early");
const MISPLACED: Unreadable = Unreadable("the property list holds something where it does not belong");
const BAD_VALUE: Unreadable = Unreadable("a value of the property list is malformed");

/// Reads a whole document: a byte order mark, white space, an XML declaration and a document type may stand before it.
pub(super) fn read(bytes: &[u8]) -> Result<Versions, Unreadable> {
    let Ok(text) = str::from_utf8(bytes) else {
        return Err(Unreadable("the property list is neither binary nor UTF-8"));
    };
    let text = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_start_matches(is_space);
    let text = after_declaration(text)?;
    // The reader below would skip a second mark.
    if text.starts_with(BYTE_ORDER_MARK) || !text.chars().all(is_character) {
        return Err(NO_XML);
    }
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_comments = true;
    config.expand_empty_elements = true;
    Document { text, reader, begin: 0 }.read()
}

const BYTE_ORDER_MARK: char = '\u{feff}';

struct Document<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    /// Where the event that was read last begins in `text`.
    begin: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Element {
    Plist,
    Dict,
    Array,
    Key,
    String,
    Integer,
    Real,
    Date,
    Data,
    Boolean,
}

impl<'a> Document<'a> {
    fn read(mut self) -> Result<Versions, Unreadable> {
        let mut event = self.markup()?;
        if let Event::DocType(_) = event {
            if !is_document_type(self.raw_event()) {
                return Err(Unreadable("the document type of the property list is not supported"));
            }
            event = self.markup()?;
        }
        let Event::Start(tag) = event else { return Err(NO_XML) };
        let mut versions = Versions::default();
        // Apple's reader and Python's both take a list without the element around it.
        match element(&tag)? {
            Element::Plist => {
                match self.child()? {
                    Some(Element::Dict) => self.dict(1, Some(&mut versions))?,
                    _ => return Err(NO_DICT),
                }
                if self.child()?.is_some() {
                    return Err(MISPLACED);
                }
            }
            Element::Dict => self.dict(1, Some(&mut versions))?,
            _ => return Err(NO_DICT),
        }
        match self.markup()? {
            Event::Eof => Ok(versions),
            _ => Err(Unreadable("something follows the property list")),
        }
    }

    /// The members of a dict up to its end tag; `versions` is there for the top one alone.
    fn dict(&mut self, level: usize, mut versions: Option<&mut Versions>) -> Result<(), Unreadable> {
        let mut keys = Vec::new();
        while let Some(element) = self.child()? {
            if element != Element::Key {
                return Err(MISPLACED);
            }
            let key = self.text()?;
            let element = self.child()?.ok_or(MISPLACED)?;
            let text = self.value(element, level)?;
            if let Some(versions) = &mut versions {
                versions.note(&key, text);
            }
            keys.push(key);
        }
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        if crate::order::repeats(&keys).contains(&true) { Err(KEY_TWICE) } else { Ok(()) }
    }

    fn array(&mut self, level: usize) -> Result<(), Unreadable> {
        while let Some(element) = self.child()? {
            self.value(element, level)?;
        }
        Ok(())
    }

    /// A value in a dict or an array of that level, up to its end tag; its text, where it is a string.
    fn value(&mut self, element: Element, level: usize) -> Result<Option<String>, Unreadable> {
        let is_valid: fn(&str) -> bool = match element {
            Element::Dict => return self.dict(below(level)?, None).map(|()| None),
            Element::Array => return self.array(below(level)?).map(|()| None),
            Element::String => return self.text().map(Some),
            Element::Plist | Element::Key => return Err(MISPLACED),
            Element::Integer => is_integer,
            Element::Real => is_real,
            Element::Date => is_date,
            Element::Data => is_data,
            Element::Boolean => str::is_empty,
        };
        if is_valid(&self.text()?) { Ok(None) } else { Err(BAD_VALUE) }
    }

    /// The element that begins next, or none at the end tag of the one around it.
    fn child(&mut self) -> Result<Option<Element>, Unreadable> {
        match self.markup()? {
            Event::Start(tag) => element(&tag).map(Some),
            Event::End(_) => Ok(None),
            Event::Eof => Err(CUT_OFF),
            _ => Err(MISPLACED),
        }
    }

    /// The text of an element that holds nothing else, up to its end tag.
    fn text(&mut self) -> Result<String, Unreadable> {
        let mut text = String::new();
        loop {
            match self.event()? {
                Event::Text(part) if part.contains("]]>") => return Err(NO_XML),
                Event::Text(part) => text.push_str(&part.xml10_content()),
                Event::CData(part) => text.push_str(&part.xml10_content()),
                Event::GeneralRef(name) => text.push(referenced(&name).ok_or(NO_XML)?),
                Event::End(_) => return Ok(text),
                Event::Eof => return Err(CUT_OFF),
                _ => return Err(MISPLACED),
            }
        }
    }

    /// The next event that is no white space either.
    fn markup(&mut self) -> Result<Event<'a>, Unreadable> {
        loop {
            match self.event()? {
                Event::Text(text) if text.chars().all(is_space) => {}
                event => return Ok(event),
            }
        }
    }

    /// The next event that is neither a comment nor a processing instruction.
    fn event(&mut self) -> Result<Event<'a>, Unreadable> {
        loop {
            self.begin = self.position();
            match self.reader.read_event() {
                Ok(Event::Comment(_)) => {}
                Ok(Event::PI(instruction)) => {
                    let target = instruction.target();
                    if !is_name(target) || target.eq_ignore_ascii_case("xml") {
                        return Err(NO_XML);
                    }
                }
                Ok(event) => return Ok(event),
                Err(_) => return Err(NO_XML),
            }
        }
    }

    fn raw_event(&self) -> &'a str {
        self.text.get(self.begin..self.position()).unwrap_or_default()
    }

    fn position(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }
}

fn below(level: usize) -> Result<usize, Unreadable> {
    if level < LEVELS { Ok(level + 1) } else { Err(TOO_DEEP) }
}

fn element(tag: &BytesStart<'_>) -> Result<Element, Unreadable> {
    attributes(tag.attributes_raw())?;
    Ok(match tag.name().as_ref() {
        "plist" => Element::Plist,
        "dict" => Element::Dict,
        "array" => Element::Array,
        "key" => Element::Key,
        "string" => Element::String,
        "integer" => Element::Integer,
        "real" => Element::Real,
        "date" => Element::Date,
        "data" => Element::Data,
        "true" | "false" => Element::Boolean,
        _ => return Err(Unreadable("the property list holds an unknown element")),
    })
}

#[cfg(test)]
mod tests {
    use super::super::bundle_version;

    const MEMBER: &str = "<key>CFBundleShortVersionString</key><string>1.2</string>";

    fn list(members: &str) -> String {
        format!("<plist version='1.0'><dict>{MEMBER}{members}</dict></plist>")
    }

    #[track_caller]
    fn assert_read(text: &str) {
        assert_eq!(bundle_version(text.as_bytes()).as_deref(), Ok("1.2"), "{text}");
    }

    #[track_caller]
    fn assert_refused(text: &str) {
        assert!(bundle_version(text.as_bytes()).is_err(), "{text}");
    }

    #[test]
    fn comments_and_instructions_may_stand_between_all_parts() {
        assert_read(&format!(
            "<?xml version='1.0'?><!-- a --><?b?><!DOCTYPE plist> <plist><!-- c --><dict ><?d e?>{MEMBER}</dict\n><!----></plist> <!-- f -->"
        ));
        assert_read(&list("<!-- a --><key>x<!-- b --></key><!-- c --><true><!-- d --></true>"));
    }

    #[test]
    fn every_member_is_a_key_and_a_value() {
        for members in [
            "<key>x</key><true/>",
            "<key>x</key><false></false>",
            "<key/><string/>",
            "<key>x</key><array/>",
            "<key>x</key><array><integer>1</integer><real>1</real><data/><dict/></array>",
        ] {
            assert_read(&list(members));
        }
        for members in [
            "<key>x</key>",
            "<true/>",
            "<key>x</key><key>y</key><true/>",
            "<key>x</key><true/><true/>",
            "<key>x</key><array><key>y</key></array>",
            "<key>x</key><plist/>",
            "<plist/>",
            "<key>x</key><null/>",
            "<key>x</key><Dict/>",
            "<key>x</key><a:dict/>",
            "<key>x</key><string><true/></string>",
            "<key>x</key>text<true/>",
            "<key>x</key><![CDATA[ ]]><true/>",
            "<key>x</key>&#32;<true/>",
            "<key>x</key><true>1</true>",
            "<key>x</key><integer>one</integer>",
            "<key>x</key><real/>",
            "<key>x</key><date>today</date>",
            "<key>x</key><data>?</data>",
            "<key>CFBundleVersion</key><string>",
        ] {
            assert_refused(&list(members));
        }
    }

    #[test]
    fn what_is_not_well_formed_is_refused_wherever_it_stands() {
        for members in [
            "<key>x</key><string>a & b</string>",
            "<key>x</key><string>&nbsp;</string>",
            "<key>x</key><string>&lt</string>",
            "<key>x</key><string>]]></string>",
            "<key>x</key><string>\u{1}</string>",
            "<key>x</key><string>\u{ffff}</string>",
            "<key>x</key><string>a</strin>",
            "<key>x</key><string>a</string",
            "<!-- a -- b -->",
            "<!-- a --->",
            "<?xml?>",
            "<?xml version='1.0'?>",
            "<?XML a?>",
            "<? a?>",
            "<!DOCTYPE plist>",
            "<key a>x</key><true/>",
            "<key>x</key><true / >",
            "<key>x</key>< true/>",
            "<key>x</key><true/ >",
            "<![CDATA[",
            "<!",
            "<",
        ] {
            assert_refused(&list(members));
        }
        for text in [
            String::new(),
            format!(" <!-- --><?xml version='1.0'?>{}", list("")),
            format!("\u{feff}\u{feff}{}", list("")),
            format!(" \u{feff}{}", list("")),
            format!("<!DOCTYPE plist><!DOCTYPE plist>{}", list("")),
            format!("<!doctype plist>{}", list("")),
            format!("{}<!DOCTYPE plist>", list("")),
            format!("{}{}", list(""), list("")),
            format!("{}x", list("")),
            format!("x{}", list("")),
            format!("{}</plist>", list("")),
            format!("{}&lt;", list("")),
            list("").replace("</plist>", ""),
            list("").replace("</dict></plist>", "</plist></dict>"),
            list("").replace("</plist>", "<dict/></plist>"),
            format!("<array>{}</array>", list("")),
            format!("<string>{MEMBER}</string>"),
        ] {
            assert_refused(&text);
        }
    }

    #[test]
    fn text_is_what_xml_makes_of_it() {
        let version = |written: &str| {
            let text =
                format!("<dict><key>CFBundleShortVersionString</key><string>{written}</string></dict>");
            bundle_version(text.as_bytes())
        };
        for (written, read) in [
            (" 1.2\t", " 1.2\t"),
            ("1\r\n2\r3", "1\n2\n3"),
            ("1&#13;2", "1\r2"),
            ("<![CDATA[<1.2> & ]]>]", "<1.2> & ]"),
            ("1<!-- . -->2<?p?>3", "123"),
            ("&#x31;&#46;&lt;2&gt;&amp;lt;", "1.<2>&lt;"),
        ] {
            assert_eq!(version(written).as_deref(), Ok(read), "{written}");
        }
    }
}
