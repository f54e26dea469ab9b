//! Imports go one way: from a layer only to lower layers, and within a folder without cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path as File;

/// Folders of `src` without import cycles.
const FREE: [&str; 16] = [
    "units", "cards", "chart", "cli", "contest", "files", "game", "lab", "players", "report", "rules",
    "session", "solver", "stats", "strategy", "studio",
];

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

/// The layers of `report`: tables, the document, its writers, and each experiment's document.
const REPORT: [&[&str]; 8] = [
    &["coverage", "csv", "part"],
    &["position_text", "bounds", "progress", "quantity", "rare_events", "run", "table"],
    &["labels"],
    &["document", "patrons", "payments"],
    &["rules_in_words", "write"],
    &["bracket", "compare", "contest", "price", "simulate", "solve", "sweep"],
    &["bankroll", "estimate", "shelf", "tune"],
    &["plan"],
];

/// A module or an item, as a path from the root of the crate.
type Path = Vec<String>;

#[test]
fn no_files_import_each_other_in_a_circle() {
    for folder in FREE {
        let root = File::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder);
        let mut sources = BTreeMap::new();
        read(&root, folder.split('/').map(String::from).collect(), &mut sources);
        assert!(sources.len() > 1, "{folder}");
        let found = circle(&imports(&sources));
        assert!(
            found.is_none(),
            "src/{folder}: {} import each other in a circle",
            found.unwrap().join(" > ")
        );
    }
}

#[test]
fn files_import_only_from_layers_below() {
    let mut sources = BTreeMap::new();
    read(&File::new(env!("CARGO_MANIFEST_DIR")).join("src"), Path::new(), &mut sources);
    let roots: BTreeSet<String> = sources.keys().map(|file| file[0].clone()).collect();
    let layer = |root: &str| {
        let found = LAYERS.iter().position(|layer| layer.contains(&root));
        found.unwrap_or_else(|| {
            panic!("src/{root} has no layer: name it in LAYERS, above all that it imports")
        })
    };
    for (file, text) in sources.iter().filter(|(file, _)| !["lib", "main"].contains(&&*file[0])) {
        let named = names(file, text, &sources);
        for path in named.needed.iter().chain(named.known.values()) {
            let Some(root) = path.first().filter(|root| **root != file[0] && roots.contains(*root)) else {
                continue;
            };
            let (from, to) = (file.join("::"), path.join("::"));
            assert!(layer(root) < layer(&file[0]), "{from} imports {to}, which is not in a layer below");
        }
    }
}

#[test]
fn reports_are_made_of_documents_and_writers_know_no_experiment() {
    let mut sources = BTreeMap::new();
    read(&File::new(env!("CARGO_MANIFEST_DIR")).join("src"), Path::new(), &mut sources);
    let part = |path: &Path| path.get(1).filter(|_| path[0] == "report").cloned();
    for (file, needed) in imports(&sources) {
        let Some(own) = part(&file) else { continue };
        let layer = |part: &str| {
            let found = REPORT.iter().position(|layer| layer.contains(&part));
            found.unwrap_or_else(|| {
                panic!("src/report/{part} has no layer: name it in REPORT, above all that it imports")
            })
        };
        for path in needed {
            let Some(other) = part(&path).filter(|other| *other != own) else { continue };
            let below = layer(&other) < layer(&own) && other != "write";
            assert!(below, "{} imports {}", file.join("::"), path.join("::"));
        }
    }
}

#[test]
fn a_circle_is_found() {
    let circle_of = |sources: &[(&str, &str)]| {
        let path = |name: &str| name.split("::").map(String::from).collect::<Path>();
        let all = sources.iter().map(|(name, text)| (path(name), text.to_string())).collect();
        circle(&imports(&all))
    };
    let facade = ("a", "mod b;\nmod c;\npub use b::B;\npub use c::{C, self as d};");
    assert_eq!(circle_of(&[facade, ("a::b", "use super::C;"), ("a::c", "use std::fmt;")]), None);
    let tests = "#[cfg(test)]\nmod tests {\n    use super::super::B;\n}";
    assert_eq!(circle_of(&[facade, ("a::b", "use super::C; // super::B"), ("a::c", tests)]), None);
    for back in
        ["use super::{B, X};", "fn f() -> super::B { \"\" }", "use crate::a::b;", "use super::b::{B as D};"]
    {
        let found = circle_of(&[facade, ("a::b", "use super::C;"), ("a::c", back)]).expect(back);
        assert_eq!(found, ["a::b", "a::c", "a::b"], "{back}");
    }
    // An item of the parent, and a parent that calls its child.
    let found = circle_of(&[("a", "mod b;\nfn g() { b::f() }"), ("a::b", "use super::g;")]);
    assert_eq!(found, Some(vec!["a".into(), "a::b".into(), "a".into()]));
}

fn read(folder: &File, module: Path, sources: &mut BTreeMap<Path, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        if name == "tests" || name.ends_with("_tests") {
            continue;
        }
        let inner = [&module[..], std::slice::from_ref(&name)].concat();
        if path.is_dir() {
            read(&path, inner, sources);
        } else if path.extension().is_some_and(|it| it == "rs") {
            let module = if name == "mod" { module.clone() } else { inner };
            sources.insert(module, fs::read_to_string(&path).unwrap());
        }
    }
}

/// The names that a file uses from its own crate.
#[derive(Default)]
struct Named {
    /// Names that it imports or re-exports, and what they refer to.
    known: BTreeMap<String, Path>,
    /// What it needs: re-exports are not counted.
    needed: Vec<Path>,
}

/// Returns for every file those that it imports.
fn imports(sources: &BTreeMap<Path, String>) -> BTreeMap<Path, BTreeSet<Path>> {
    let named: BTreeMap<&Path, Named> =
        sources.iter().map(|(module, text)| (module, names(module, text, sources))).collect();
    let files = named.iter().map(|(&module, names)| {
        let needed = names.needed.iter().filter_map(|path| file_of(path, &named, 0));
        (module.clone(), needed.filter(|file| file != module).collect())
    });
    files.collect()
}

/// Finds the file that defines an item, following re-exports.
fn file_of(path: &Path, named: &BTreeMap<&Path, Named>, depth: usize) -> Option<Path> {
    let (module, names) =
        (1..=path.len()).rev().find_map(|end| named.get_key_value(&path[..end].to_vec()))?;
    let passed_on = path.get(module.len()).and_then(|item| names.known.get(item)).filter(|_| depth < 8);
    passed_on.and_then(|to| file_of(to, named, depth + 1)).or_else(|| Some((*module).clone()))
}

fn names(module: &Path, text: &str, sources: &BTreeMap<Path, String>) -> Named {
    let tokens = tokens(text);
    let mut named = Named::default();
    let mut at = 0;
    while at < tokens.len() {
        let begins = at == 0 || [";", "}", "]", "{", ")", "pub"].contains(&&*tokens[at - 1]);
        if tokens[at] == "use" && begins {
            let public = at > 0 && (tokens[at - 1] == "pub" || tokens[at - 1] == ")");
            let mut found = Vec::new();
            at = tree(&tokens, at + 1, &Vec::new(), &mut found);
            for (name, path) in found {
                let Some(path) = absolute(module, path, sources) else { continue };
                named.known.insert(name, path.clone());
                if !public {
                    named.needed.push(path);
                }
            }
        } else if tokens[at] == "in" && at > 0 && tokens[at - 1] == "(" {
            // Skips the visibility.
            at += tokens[at..].iter().position(|it| it == ")").unwrap_or(1);
        } else if tokens.get(at + 1).is_some_and(|next| next == "::") && (at == 0 || tokens[at - 1] != "::") {
            let mut path = vec![tokens[at].clone()];
            while tokens.get(at + 1).is_some_and(|it| it == "::")
                && tokens.get(at + 2).is_some_and(|it| is_name(it))
            {
                path.push(tokens[at + 2].clone());
                at += 2;
            }
            named.needed.extend(absolute(module, path, sources));
            at += 1;
        } else {
            at += 1;
        }
    }
    named
}

/// Parses the names in a `use`, from its first token on; returns the position behind it.
fn tree(tokens: &[String], mut at: usize, before: &Path, found: &mut Vec<(String, Path)>) -> usize {
    let mut path = before.clone();
    while let Some(token) = tokens.get(at) {
        match &**token {
            "::" => at += 1,
            "{" => {
                at += 1;
                while tokens.get(at).is_some_and(|it| it != "}") {
                    at = tree(tokens, at, &path, found);
                    at += usize::from(tokens.get(at).is_some_and(|it| it == ","));
                }
                return at + 1;
            }
            "as" => {
                found.push((tokens.get(at + 1).cloned().unwrap_or_default(), path));
                return at + 2;
            }
            name if is_name(name) => {
                if name != "self" || path.is_empty() {
                    path.push(name.to_string());
                }
                at += 1;
            }
            "*" => at += 1,
            _ => break,
        }
    }
    found.push((path.last().cloned().unwrap_or_default(), path));
    at
}

/// Returns a path from the root of the crate; `None` if it is of another crate, or begins with an imported name.
fn absolute(module: &Path, path: Path, sources: &BTreeMap<Path, String>) -> Option<Path> {
    let child = || [&module[..], &path[..1]].concat();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([&module[..], &path[1..]].concat()),
        "super" => {
            let up = path.iter().take_while(|it| *it == "super").count();
            Some([module.get(..module.len().checked_sub(up)?)?, &path[up..]].concat())
        }
        _ if sources.contains_key(&child()) => Some([&module[..], &path[..]].concat()),
        _ => None,
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Returns the names and symbols of a file, without comments, string literals and tests.
fn tokens(text: &str) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or("");
    let text = text.replace("'\"'", "0").replace("'\\''", "0");
    let mut rest = &*text;
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => {
                rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
                continue;
            }
            '"' => {
                let mut escaped = false;
                let end = rest.char_indices().skip(1).find(|&(_, c)| {
                    let ends = c == '"' && !escaped;
                    escaped = c == '\\' && !escaped;
                    ends
                });
                rest = &rest[end.map_or(rest.len(), |(at, _)| at + 1)..];
                continue;
            }
            ':' if rest.starts_with("::") => 2,
            c if c.is_alphanumeric() || c == '_' => {
                rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())
            }
            c => c.len_utf8(),
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_string());
        }
        rest = &rest[length..];
    }
    tokens
}

/// Returns a cycle of files, with the first of them repeated at its end.
fn circle(imports: &BTreeMap<Path, BTreeSet<Path>>) -> Option<Vec<String>> {
    fn visit<'a>(
        file: &'a Path,
        imports: &'a BTreeMap<Path, BTreeSet<Path>>,
        way: &mut Vec<&'a Path>,
        done: &mut BTreeSet<&'a Path>,
    ) -> Option<Vec<String>> {
        if let Some(at) = way.iter().position(|it| *it == file) {
            return Some(way[at..].iter().chain([&file]).map(|it| it.join("::")).collect());
        }
        if done.contains(file) {
            return None;
        }
        way.push(file);
        let found = imports.get(file).into_iter().flatten().find_map(|next| visit(next, imports, way, done));
        way.pop();
        done.insert(file);
        found
    }
    let mut done = BTreeSet::new();
    imports.keys().find_map(|file| visit(file, imports, &mut Vec::new(), &mut done))
}
