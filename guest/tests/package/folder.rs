//! The package of a vector: what is in its folder `package`, and what `extra.yaml` adds that git or Windows cannot hold.
//!
//! ```yaml
//! links: { skills/x: ../../elsewhere }   # what is written in the link
//! pipes: [ plugin.json ]
//! folders: [ empty ]
//! files: { "a\nb": text }                # names that a checkout would stumble over
//! bytes: { plugin.json: [ 123, 255 ] }   # contents that are no text
//! sizes: { big.bin: 5000000000 }         # files that are never read
//! not_unicode: [ "caf\uFFFD" ]           # names that are no Unicode text, as a host shows them
//! unreadable: { mcp.json: denied }       # what reading answers
//! twice: [ plugin.json ]                 # listed twice
//! repeat: { count: 2000, path: skills/s-N/SKILL.md, text: "…N…" }
//! truncated: true
//! ```

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use appdecl_guest::facts::{FaultCode, NodeKind};
use appdecl_guest::package::{Entry, Link, Listing};
use libtest_mimic::Failed;

use super::yaml::{self, members, number, text, texts};

/// One thing in a package.
enum Node {
    Folder,
    Bytes(Vec<u8>),
    Size(u64),
    Pipe,
    Link(String),
}

/// A package on paper.
pub(crate) struct Folder {
    nodes: BTreeMap<String, Node>,
    not_unicode: Vec<String>,
    twice: Vec<String>,
    unreadable: Vec<(String, FaultCode)>,
    truncated: bool,
}

impl Folder {
    /// Reads the package of a vector.
    pub(crate) fn read(vector: &Path) -> Result<Self, Failed> {
        let mut folder = Self {
            nodes: BTreeMap::new(),
            not_unicode: Vec::new(),
            twice: Vec::new(),
            unreadable: Vec::new(),
            truncated: false,
        };
        let package = vector.join("package");
        if package.is_dir() {
            folder.add_disk(&package, "")?;
        }
        let extra = vector.join("extra.yaml");
        if extra.is_file() {
            folder.add_extra(&fs::read_to_string(extra)?)?;
        }
        Ok(folder)
    }

    fn add_disk(&mut self, folder: &Path, prefix: &str) -> Result<(), Failed> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                self.add_disk(&entry.path(), &format!("{path}/"))?;
                self.nodes.insert(path, Node::Folder);
            } else {
                self.nodes.insert(path, Node::Bytes(fs::read(entry.path())?));
            }
        }
        Ok(())
    }

    fn add_extra(&mut self, extra: &str) -> Result<(), Failed> {
        let extra = yaml::parse(extra)?;
        yaml::close(
            &extra,
            &[
                "about",
                "links",
                "pipes",
                "folders",
                "files",
                "bytes",
                "sizes",
                "not_unicode",
                "unreadable",
                "twice",
                "repeat",
                "truncated",
            ],
        )?;
        for (path, target) in members(extra.get("links"))? {
            self.add(path, Node::Link(text(target)?));
        }
        for path in texts(extra.get("pipes"))? {
            self.add(&path, Node::Pipe);
        }
        for path in texts(extra.get("folders"))? {
            self.add(&path, Node::Folder);
        }
        for (path, content) in members(extra.get("files"))? {
            self.add(path, Node::Bytes(text(content)?.into_bytes()));
        }
        for (path, bytes) in members(extra.get("bytes"))? {
            let bytes: Result<Vec<u64>, Failed> = yaml::items(Some(bytes))?.iter().map(number).collect();
            let bytes: Result<Vec<u8>, _> = bytes?.into_iter().map(u8::try_from).collect();
            self.add(path, Node::Bytes(bytes?));
        }
        for (path, size) in members(extra.get("sizes"))? {
            self.add(path, Node::Size(number(size)?));
        }
        if let Some(repeat) = extra.get("repeat") {
            yaml::close(repeat, &["count", "path", "text"])?;
            let of =
                |name: &str| repeat.get(name).ok_or_else(|| Failed::from(format!("repeat lacks {name}")));
            let (path, content) = (text(of("path")?)?, text(of("text")?)?);
            for index in 0..number(of("count")?)? {
                let filled = |text: &str| text.replace('N', &index.to_string());
                self.add(&filled(&path), Node::Bytes(filled(&content).into_bytes()));
            }
        }
        for (path, code) in members(extra.get("unreadable"))? {
            let code = match text(code)?.as_str() {
                "denied" => FaultCode::Denied,
                "locked" => FaultCode::Locked,
                other => return Err(format!("unknown code {other}").into()),
            };
            self.unreadable.push((path.clone(), code));
        }
        self.not_unicode = texts(extra.get("not_unicode"))?;
        for path in self.not_unicode.clone() {
            self.add(&path, Node::Bytes(Vec::new()));
        }
        self.twice = texts(extra.get("twice"))?;
        self.truncated = extra.get("truncated").is_some();
        Ok(())
    }

    /// Adds one thing, and the folders above it.
    fn add(&mut self, path: &str, node: Node) {
        for (slash, _) in path.match_indices('/') {
            let above = path.get(..slash).unwrap_or_default().to_owned();
            self.nodes.entry(above).or_insert(Node::Folder);
        }
        self.nodes.insert(path.to_owned(), node);
    }

    /// What a host lists: links are not followed, but where they lead is told.
    pub(crate) fn listing(&self) -> Listing {
        let mut entries = Vec::new();
        for (path, node) in &self.nodes {
            let (kind, size, link) = match node {
                Node::Folder => (NodeKind::Folder, 0, None),
                Node::Bytes(bytes) => (NodeKind::File, bytes.len() as u64, None),
                Node::Size(size) => (NodeKind::File, *size, None),
                Node::Pipe => (NodeKind::Other, 0, None),
                Node::Link(target) => {
                    let link = self.follow(parent(path), target, 0);
                    let kind = match &link {
                        Link::Inside(real) => self.kind(real),
                        // What lies outside is a folder or a file by how it is called.
                        Link::Outside if target.rsplit('/').next().is_some_and(|name| name.contains('.')) => {
                            NodeKind::File
                        }
                        Link::Outside => NodeKind::Folder,
                        Link::Nowhere | Link::Loop => NodeKind::Other,
                    };
                    (kind, 0, Some(link))
                }
            };
            let exact = !self.not_unicode.contains(path);
            let entry = Entry { path: path.clone(), exact, kind, size, link };
            entries.extend(self.twice.contains(path).then(|| entry.clone()));
            entries.push(entry);
        }
        // A host lists in whatever order the disk has.
        entries.reverse();
        Listing { entries, truncated: self.truncated }
    }

    fn kind(&self, real: &str) -> NodeKind {
        match self.nodes.get(real) {
            None | Some(Node::Folder) => NodeKind::Folder,
            Some(Node::Bytes(_) | Node::Size(_)) => NodeKind::File,
            Some(Node::Pipe | Node::Link(_)) => NodeKind::Other,
        }
    }

    /// Where a path leads from a folder of the package that is no link.
    fn follow(&self, folder: &str, target: &str, links: usize) -> Link {
        if links > 40 {
            return Link::Loop;
        }
        if target.starts_with('/') {
            return Link::Outside;
        }
        let mut real = folder.to_owned();
        for name in target.split('/') {
            match name {
                "" | "." => {}
                ".." if real.is_empty() => return Link::Outside,
                ".." => real = parent(&real).to_owned(),
                name => {
                    let next = if real.is_empty() { name.to_owned() } else { format!("{real}/{name}") };
                    match self.nodes.get(&next) {
                        None => return Link::Nowhere,
                        Some(Node::Link(target)) => match self.follow(&real, target, links + 1) {
                            Link::Inside(path) => real = path,
                            other => return other,
                        },
                        Some(_) => real = next,
                    }
                }
            }
        }
        Link::Inside(real)
    }

    /// What reading a file answers.
    pub(crate) fn content(&self, path: &str, limit: u64) -> Result<Result<Vec<u8>, FaultCode>, Failed> {
        if let Some((_, code)) = self.unreadable.iter().find(|(unreadable, _)| unreadable == path) {
            return Ok(Err(*code));
        }
        match self.nodes.get(path) {
            Some(Node::Bytes(bytes)) => Ok(Ok(bytes.iter().copied().take(usize::try_from(limit)?).collect())),
            _ => Err(format!("{path} is needed, and is no file that can be read").into()),
        }
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(parent, _)| parent)
}
