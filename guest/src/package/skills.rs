//! The skills of a portable plugin: which there are (SPEC §9.1). A fault takes down the skill it stands in.

use super::codes;
use super::document::not_found;
use super::finding::{Findings, Help, Scope, Takes};
use super::listing::{Entry, Files, Found, Link, Tree};
use super::place::{At, Quoted};
use super::skill_fields;
use super::{Skill, document};
use crate::facts::NodeKind;

/// The folder whose folders are skills.
const FOLDER: &str = "skills";

/// The file that makes a folder a skill.
pub(super) const FILE: &str = "SKILL.md";

/// The most skills of a package.
pub(super) const MOST_SKILLS: usize = 500;

/// Finds and judges the skills and answers the good ones.
pub(super) fn judge(tree: &Tree<'_>, files: &mut Files<'_>, findings: &mut Findings) -> Vec<Skill> {
    let mut scope = Scope::new(findings, FOLDER, "9.1", Takes::Skills);
    let real = match tree.resolve(FOLDER) {
        Found::Folder(real) => real,
        Found::Missing => return Vec::new(),
        found => {
            not_found(&found, "", "a folder", &At::Root, &mut scope);
            return Vec::new();
        }
    };
    let mut found = Vec::new();
    for (name, entry) in tree.children(&real) {
        let file = format!("{FOLDER}/{name}");
        let mut scope = scope.within(&file, Takes::Skill(name));
        let leads_out = |entry: &Entry| entry.link == Some(Link::Outside) && entry.kind == NodeKind::Folder;
        if entry.is_some_and(leads_out) {
            not_found(&Found::Outside, "", "a folder of the package", &At::Root, &mut scope);
        } else if let Found::Folder(folder) = tree.resolve(&format!("{real}/{name}")) {
            match tree.resolve(&format!("{folder}/{FILE}")) {
                Found::Missing => judge_letter_case(tree, &folder, &mut scope),
                skill => found.push((name, folder, skill)),
            }
        }
    }
    if found.len() > MOST_SKILLS {
        too_many(found.len(), &At::Root, &mut scope);
        return Vec::new();
    }
    let mut good = Vec::new();
    for (name, folder, skill) in found {
        let file = format!("{FOLDER}/{name}/{FILE}");
        let mut scope = scope.within(&file, Takes::Skill(name));
        match skill {
            Found::File(entry) => {
                let requires_apps = skill_fields::judge(entry, files, name, &mut scope);
                let skill = |requires_apps| Skill { name: name.to_owned(), folder, requires_apps };
                good.extend(requires_apps.map(skill));
            }
            other => document::not_found(&other, "", "a regular file", &At::Root, &mut scope),
        }
    }
    good
}

/// Says that there are more skills than are read.
pub(super) fn too_many(count: usize, at: &At<'_>, scope: &mut Scope<'_>) {
    let what = format_args!("{count} skills: expected at most {MOST_SKILLS}");
    scope.error(codes::TOO_MANY_SKILLS, at, what);
}

fn judge_letter_case(tree: &Tree<'_>, folder: &str, scope: &mut Scope<'_>) {
    let other = tree.children(folder).into_iter().find(|(name, _)| name.eq_ignore_ascii_case(FILE));
    if let Some((name, _)) = other {
        let what = format_args!("holds {}, but no `{FILE}`: it is no skill", Quoted(name));
        let help = Help::Text("rename the file to `SKILL.md`");
        scope.warning(codes::SKILL_FILE_NAME_CASE, &At::Root, (0, 0), what, help);
    }
}
