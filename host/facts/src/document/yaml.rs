//! YAML, from the events of `saphyr-parser`. They come one at a time, so that nesting costs no stack.

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, Tag};

use super::tree::{Builder, Content, Id, Key, Tree};
use super::{Flaw, Span, scalar};

const ONE_DOCUMENT: &str = "a second document begins here; one file holds one document";
const MERGE_KEY: &str = "<<";

pub(super) fn read(text: &str) -> Result<Tree, Flaw> {
    let mut reader =
        Reader { text, offsets: Offsets::of(text), builder: Builder::new(text.len()), anchors: Vec::new() };
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let at = reader.offsets.byte(*error.marker());
            Flaw::new(error.info(), Span { start: at, end: at })
        })?;
        let span = Span { start: reader.offsets.byte(span.start), end: reader.offsets.byte(span.end) };
        match event {
            Event::DocumentStart(_) if documents == 0 => documents += 1,
            Event::DocumentStart(_) => return Err(Flaw::new(ONE_DOCUMENT, span)),
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => {}
            event => reader.node(event, span)?,
        }
    }
    Ok(reader.builder.finish())
}

struct Reader<'t> {
    text: &'t str,
    offsets: Offsets<'t>,
    builder: Builder,
    /// The node of each anchor, by the anchor's number less one.
    anchors: Vec<Option<Id>>,
}

impl Reader<'_> {
    fn node(&mut self, event: Event<'_>, span: Span) -> Result<(), Flaw> {
        if self.builder.expects_key() && !matches!(event, Event::MappingEnd) {
            return self.key(event, span);
        }
        match event {
            Event::Scalar(value, style, anchor, tag) => {
                let content = scalar_content(&value, style, tag.as_deref(), span)?;
                let id = self.builder.leaf(content, self.without_trail(span));
                self.name(anchor, id);
            }
            Event::SequenceStart(anchor, tag) => {
                check_collection_tag(tag.as_deref(), "seq", "a list", span)?;
                let id = self.builder.open_list(span);
                self.name(anchor, id);
            }
            Event::MappingStart(anchor, tag) => {
                check_collection_tag(tag.as_deref(), "map", "a mapping", span)?;
                let id = self.builder.open_mapping(span);
                self.name(anchor, id);
            }
            // The end of a block is noticed at the next thing that is not part of it: only a bracket is an end. It is one
            // byte; the parser counts the blanks behind it too.
            Event::SequenceEnd | Event::MappingEnd => {
                self.builder.close((span.start < span.end).then_some(span.start + 1))?;
            }
            Event::Alias(anchor) => {
                let id = self.named(anchor, span)?;
                self.builder.alias(id);
            }
            _ => {}
        }
        Ok(())
    }

    fn key(&mut self, event: Event<'_>, span: Span) -> Result<(), Flaw> {
        let key = match event {
            Event::Scalar(value, style, anchor, tag) => {
                let merge = style == ScalarStyle::Plain && tag.is_none() && value == MERGE_KEY;
                scalar_content(&value, style, tag.as_deref(), span)?;
                if anchor != 0 {
                    return Err(Flaw::new("an anchor on a key; put it on the value", span));
                }
                Key { text: value.into(), span, merge }
            }
            Event::Alias(anchor) => match self.builder.content(self.named(anchor, span)?) {
                Content::Text(text) | Content::Number(text) => {
                    Key { text: text.as_ref().into(), span, merge: false }
                }
                _ => return Err(Flaw::new("a key is text; this alias names something else", span)),
            },
            _ => return Err(Flaw::new("a key is text; found a list or a mapping", span)),
        };
        self.builder.key(key);
        Ok(())
    }

    fn name(&mut self, anchor: usize, id: Id) {
        let Some(index) = anchor.checked_sub(1) else { return };
        if self.anchors.len() <= index {
            self.anchors.resize(anchor, None);
        }
        if let Some(slot) = self.anchors.get_mut(index) {
            *slot = Some(id);
        }
    }

    fn named(&self, anchor: usize, span: Span) -> Result<Id, Flaw> {
        let named = anchor.checked_sub(1).and_then(|index| self.anchors.get(index).copied().flatten());
        match named {
            Some(id) if matches!(self.builder.content(id), Content::Open) => {
                Err(Flaw::new("an alias within the node that it names", span))
            }
            Some(id) => Ok(id),
            None => Err(Flaw::new("an alias of something that has no name yet", span)),
        }
    }

    /// A block scalar ends with the line breaks behind it; a caret does not point there.
    fn without_trail(&self, span: Span) -> Span {
        let written = self.text.get(span.start..span.end).unwrap_or_default();
        Span { start: span.start, end: span.start + written.trim_end().len() }
    }
}

fn scalar_content(value: &str, style: ScalarStyle, tag: Option<&Tag>, span: Span) -> Result<Content, Flaw> {
    let resolved =
        if style == ScalarStyle::Plain { scalar::plain(value) } else { Content::Text(value.into()) };
    let Some(tag) = tag else { return Ok(resolved) };
    if !tag.is_yaml_core_schema() {
        // A lone `!` says "not plain" and no more (YAML 1.2.2 §6.9.1).
        return match (tag.handle.as_str(), tag.suffix.as_str()) {
            ("", "!") => Ok(Content::Text(value.into())),
            _ => Err(unknown_tag(tag, span)),
        };
    }
    let plain = scalar::plain(value);
    match (tag.suffix.as_str(), plain) {
        ("str", _) => Ok(Content::Text(value.into())),
        ("null", plain @ Content::Null) | ("bool", plain @ Content::Bool(_)) => Ok(plain),
        ("int" | "float", plain @ Content::Number(_)) => Ok(plain),
        ("null" | "bool" | "int" | "float", _) => {
            Err(Flaw::new(format!("`{value}` is not what its tag `!!{}` says", tag.suffix), span))
        }
        _ => Err(unknown_tag(tag, span)),
    }
}

fn check_collection_tag(tag: Option<&Tag>, expected: &str, found: &str, span: Span) -> Result<(), Flaw> {
    match tag {
        None => Ok(()),
        Some(tag) if tag.is_yaml_core_schema() && tag.suffix == expected => Ok(()),
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(()),
        Some(tag) if tag.is_yaml_core_schema() && ["seq", "map", "str"].contains(&tag.suffix.as_str()) => {
            Err(Flaw::new(format!("{found} is not what its tag `!!{}` says", tag.suffix), span))
        }
        Some(tag) => Err(unknown_tag(tag, span)),
    }
}

fn unknown_tag(tag: &Tag, span: Span) -> Flaw {
    let written = match tag.is_yaml_core_schema() {
        true => format!("!!{}", tag.suffix),
        false => format!("{}{}", tag.handle, tag.suffix),
    };
    Flaw::new(
        format!(
            "the tag `{written}` is not known; only `!!str`, `!!int` and their like are, and none is needed"
        ),
        span,
    )
}

/// Where characters stand in bytes.
struct Offsets<'t> {
    text: &'t str,
    /// The byte of each 64th character; empty where every character is one byte.
    landmarks: Vec<usize>,
}

impl<'t> Offsets<'t> {
    const STRIDE: usize = 64;

    fn of(text: &'t str) -> Self {
        let landmarks = match text.is_ascii() {
            true => Vec::new(),
            false => text.char_indices().step_by(Self::STRIDE).map(|(byte, _)| byte).collect(),
        };
        Self { text, landmarks }
    }

    fn byte(&self, marker: Marker) -> usize {
        let index = marker.index();
        if self.landmarks.is_empty() {
            return index.min(self.text.len());
        }
        let near = self.landmarks.get(index / Self::STRIDE).copied().unwrap_or(self.text.len());
        let rest = self.text.get(near..).unwrap_or_default();
        rest.char_indices().nth(index % Self::STRIDE).map_or(self.text.len(), |(byte, _)| near + byte)
    }
}
