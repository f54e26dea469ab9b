//! Imports go one way: from a layer only to lower layers, and within a folder without cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

/// The modules of the library by layer, lowest first: a file imports only from lower layers.
const LAYERS: [&[&str]; 14] = [
    &["clock", "crash", "files", "interrupt", "memory", "text"],
    &["cards", "diagnostic", "signals", "threads"],
    &["rules"],
    &["units", "game"],
    &["solver", "strategy"],
    &["players"],
    &["contest"],
    &["stats"],
    &["format", "lab"],
    &["chart"],
    &["report"],
    &["session"],
    &["studio"],
    &["cli"],
];

/// The layers of `report`: tables, the document and its writers. Every other part is the document of an experiment.
const REPORT: [&[&str]; 5] = [
    &["coverage", "position_text", "quantity", "rare_events", "run"],
    &["labels"],
    &["document"],
    &["csv", "patrons", "rules_in_words"],
    &["write"],
];

fn layer(layers: &[&[&str]], module: &str) -> Option<usize> {
    layers.iter().position(|layer| layer.contains(&module))
}

fn part(path: &str, level: usize) -> &str {
    path.split("::").nth(level).unwrap_or_default()
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let sources = sources();
    let imports = imports(&names(&sources));
    let folders: BTreeSet<&str> = imports.keys().map(|file| part(file, 0)).collect();
    assert!(folders.len() > 20, "{folders:?}");
    for folder in folders {
        let within = imports.iter().filter(|(file, _)| part(file, 0) == folder);
        let found = circle(within.map(|(file, to)| (&**file, to)).collect());
        assert!(found.is_none(), "{} import each other in a circle", found.unwrap().join(" > "));
    }
}

#[test]
fn files_import_only_from_layers_below() {
    let sources = sources();
    let names = names(&sources);
    let roots: BTreeSet<&str> = names.keys().map(|file| part(file, 0)).collect();
    for (file, own) in names.iter().filter(|(file, _)| !["lib", "main"].contains(&&***file)) {
        let decides = ["cards", "rules", "game", "strategy", "players"].contains(&part(file, 0));
        if decides && *file != "strategy::script::trace" {
            let clock = ["std::time", "clock::"].iter().find(|of| sources[*file].contains(**of));
            assert_eq!(clock, None, "{file} reads a clock: decisions may depend on it");
        }
        for path in own.needed.iter().chain(own.known.values()) {
            let [from, to] = [&**file, path].map(|it| part(it, 0));
            let layer = |module: &str| {
                let found = layer(&LAYERS, module);
                found.unwrap_or_else(|| panic!("name {module} in LAYERS, above all that it imports"))
            };
            assert!(
                to == from || !roots.contains(to) || layer(to) < layer(from),
                "{file} imports {path}, not in a layer below"
            );
        }
    }
    // Reports are made of documents, and their writers know no experiment.
    for (file, needed) in imports(&names).iter().filter(|(file, _)| file.starts_with("report::")) {
        for path in needed.iter().filter(|path| path.starts_with("report::")) {
            let [from, to] = [&**file, path].map(|it| part(it, 1));
            let below = match [to, from].map(|part| layer(&REPORT, part)) {
                [Some(to), Some(from)] => to < from,
                [_, from] => from.is_none(),
            };
            assert!(to == from || below && to != "write", "{file} imports {path}: see REPORT");
        }
    }
}

#[test]
fn a_circle_is_found() {
    let circle_of = |sources: &[(&str, &str)]| {
        let sources = sources.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
        let imports = imports(&names(&sources));
        circle(imports.iter().map(|(file, to)| (&**file, to)).collect()).map(|files| files.join(" "))
    };
    let facade = ("a", "mod b;\nmod c;\npub use b::B;\npub use c::{C, self as d};");
    assert_eq!(circle_of(&[facade, ("a::b", "use super::C;"), ("a::c", "use std::fmt;")]), None);
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::B;\n}";
    assert_eq!(circle_of(&[facade, ("a::b", "use super::C; // super::B"), ("a::c", tests)]), None);
    for back in
        ["use super::{B, X};", "fn f() -> super::B { \"\" }", "use crate::a::b;", "use super::b::{B as D};"]
    {
        let found = circle_of(&[facade, ("a::b", "use super::C;"), ("a::c", back)]);
        assert_eq!(found.as_deref(), Some("a::b a::c a::b"), "{back}");
    }
    // An item of the parent, and a parent that calls its child.
    let found = circle_of(&[("a", "mod b;\nfn g() { b::f() }"), ("a::b", "use super::g;")]);
    assert_eq!(found.as_deref(), Some("a a::b a"));
}

/// Reads the text of every module, such as `report::write::csv`.
fn sources() -> BTreeMap<String, String> {
    let (mut sources, mut folders) = (BTreeMap::new(), vec![(PathBuf::from("src"), String::new())]);
    while let Some((folder, module)) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let inner = join(&module, name);
            if name == "tests" || name.ends_with("_tests") {
                continue;
            }
            if path.is_dir() {
                folders.push((path, inner));
            } else if path.extension().is_some_and(|it| it == "rs") {
                let module = if name == "mod" { module.clone() } else { inner };
                sources.insert(module, fs::read_to_string(path).unwrap());
            }
        }
    }
    sources
}

/// The names that a file uses from its own crate.
#[derive(Default)]
struct Names {
    /// Names that it imports or re-exports, and what they refer to.
    known: BTreeMap<String, String>,
    /// What it needs: re-exports are not counted.
    needed: Vec<String>,
}

fn names(sources: &BTreeMap<String, String>) -> BTreeMap<&str, Names> {
    let of_file = |(module, text): (&'_ String, &String)| {
        let absolute = |path: &str| absolute(module, path, sources);
        // Without tests and comments. No text in quotes looks like a path.
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code: String = code.lines().flat_map(|line| [" ", line.split("//").next().unwrap()]).collect();
        let mut names = Names::default();
        let mut parts = code.split(" use ");
        let mut others = vec![parts.next().unwrap()];
        for part in parts {
            let before = others[others.len() - 1].trim_end();
            let public = before.ends_with("pub") || before.ends_with(')');
            let Some((tree, after)) = part.split_once(';').filter(|_| public || is_end(before)) else {
                // The word stands in a text.
                others.push(part);
                continue;
            };
            others.push(after);
            let mut found = Vec::new();
            expand(tree, "", &mut found);
            for (name, path) in found {
                let Some(path) = absolute(&path) else { continue };
                names.needed.extend(Some(path.clone()).filter(|_| !public));
                names.known.insert(name, path);
            }
        }
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for code in others.iter().map(|code| code.replace("(in crate", "(")) {
            let words = code.split(|c| !is_path(c)).map(|word| word.trim_matches(':'));
            names.needed.extend(words.filter(|word| word.contains("::")).filter_map(absolute));
        }
        names
    };
    sources.iter().map(|it| (&**it.0, of_file(it))).collect()
}

/// Returns whether an item may follow.
fn is_end(code: &str) -> bool {
    code.is_empty() || code.ends_with([';', '{', '}', ']'])
}

/// Adds the names of an import such as `super::{a, b::{C as D}}`, each with its path.
fn expand(tree: &str, before: &str, found: &mut Vec<(String, String)>) {
    let tree = tree.trim();
    if let Some((head, inner)) = tree.split_once('{') {
        let (mut depth, before) = (0, format!("{before}{head}"));
        let splits = |c: char| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            c == ',' && depth == 0
        };
        inner.strip_suffix('}').unwrap().split(splits).for_each(|part| expand(part, &before, found));
    } else if !tree.is_empty() {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let path = format!("{before}{path}").trim_end_matches("::self").trim_end_matches("::*").to_string();
        let name = if name.is_empty() { path.rsplit("::").next().unwrap() } else { name };
        found.push((name.to_string(), path));
    }
}

fn join(module: &str, path: &str) -> String {
    [module, path].iter().filter(|it| !it.is_empty()).copied().collect::<Vec<_>>().join("::")
}

/// Returns a path from the root of the crate; `None` if it is of another crate, or begins with an imported name.
fn absolute(module: &str, path: &str, sources: &BTreeMap<String, String>) -> Option<String> {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let above = module.rsplit_once("::").map_or("", |it| it.0);
    match first {
        "crate" => Some(rest.to_string()),
        "self" => Some(join(module, rest)),
        "super" if rest.starts_with("super") => absolute(above, rest, sources),
        "super" => Some(join(above, rest)),
        _ => Some(join(module, path)).filter(|_| sources.contains_key(&join(module, first))),
    }
}

fn imports<'a>(names: &BTreeMap<&'a str, Names>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let imported = |(file, own): (&&'a str, &Names)| {
        let needed = own.needed.iter().filter_map(|path| file_of(path, names, 0));
        (*file, needed.filter(|it| it != file).collect())
    };
    names.iter().map(imported).collect()
}

/// Finds the file that defines an item, following re-exports.
fn file_of<'a>(path: &str, names: &BTreeMap<&'a str, Names>, depth: usize) -> Option<&'a str> {
    let mut modules = std::iter::successors(Some(path), |it| it.rsplit_once("::").map(|it| it.0));
    let (file, own) = modules.find_map(|module| names.get_key_value(module))?;
    let item = path[file.len()..].trim_start_matches("::").split("::").next()?;
    let passed_on = own.known.get(item).filter(|_| depth < 8);
    passed_on.and_then(|to| file_of(to, names, depth + 1)).or(Some(*file))
}

/// Returns a cycle of files, with the first of them repeated at its end.
fn circle<'a>(mut left: BTreeMap<&'a str, &BTreeSet<&'a str>>) -> Option<Vec<&'a str>> {
    // Whoever imports nobody that is left is in no cycle.
    let next = |left: &BTreeMap<&'a str, &BTreeSet<&'a str>>, file: &str| {
        left[file].iter().find(|to| left.contains_key(*to)).copied()
    };
    while let Some(free) = left.keys().copied().find(|file| next(&left, file).is_none()) {
        left.remove(free);
    }
    let mut way = vec![*left.keys().next()?];
    loop {
        let to = next(&left, way[way.len() - 1])?;
        way.push(to);
        if let Some(at) = way[..way.len() - 1].iter().position(|it| *it == to) {
            return Some(way.split_off(at));
        }
    }
}
