//! The guides: their links are valid, their tables and numbers are those of the program, and their commands work.
//! Quotations from a report are compared if `reports/regenerate` has made that report.
//!
//! A generated part is between `<!-- generated: NAME -->` and `<!-- end -->`. To regenerate all of them:
//! `SARATOGA_UPDATE=1 cargo test --test suite generated`.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use saratoga::{players, rules, stats, strategy};

#[cfg(unix)]
use crate::common::program::shell;

const BEGIN: &str = "<!-- generated: ";
const END: &str = "<!-- end -->";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let (mut found, mut folders) = (Vec::new(), vec![root().to_path_buf()]);
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_string_lossy();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Returns the lines of a document outside of code blocks.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut code = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        code ^= fence;
        !fence && !code
    })
}

/// Returns the anchor that Markdown viewers give a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(text: &str) -> HashSet<String> {
    let headings = prose(text).filter(|line| line.starts_with('#'));
    headings.map(|line| anchor(line.trim_start_matches('#').trim())).collect()
}

#[test]
fn links_lead_somewhere() {
    let mut followed = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let links = prose(&text).flat_map(|line| line.split("](").skip(1));
        for link in links.filter_map(|rest| rest.split_once(')')).map(|(link, _)| link) {
            if link.contains("://") {
                continue;
            }
            let (file, fragment) = link.split_once('#').map_or((link, None), |(file, f)| (file, Some(f)));
            let target = match file {
                "" => document.clone(),
                file => document.with_file_name("").join(file),
            };
            let here = document.display();
            assert!(target.exists(), "{here}: {link} leads nowhere");
            if let Some(fragment) = fragment.filter(|_| target.extension().is_some_and(|e| e == "md")) {
                let text = fs::read_to_string(&target).unwrap();
                assert!(anchors(&text).contains(fragment), "{here}: {link} has no such heading");
            }
            followed += 1;
        }
    }
    assert!(followed > 30, "{followed} links");
}

/// The recipes of the library name files from `src` or from the root of the repository.
#[test]
fn recipes_name_files_that_exist() {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let recipes = text.split_once("# Recipes").unwrap().1.split_once("# An example").unwrap().0;
    let quoted = recipes.split('`').skip(1).step_by(2);
    let named: Vec<_> = quoted.filter(|it| it.contains('/') && it.contains('.')).collect();
    for name in &named {
        assert!(["src", ""].iter().any(|folder| root().join(folder).join(name).exists()), "{name}");
    }
    assert!(named.len() > 40, "{named:?}");
}

#[test]
fn the_readme_is_short() {
    let lines = fs::read_to_string(root().join("README.md")).unwrap().lines().count();
    assert!(lines <= 150, "README.md has {lines} lines; what is longer belongs in a guide");
}

#[test]
fn generated_parts_are_current() {
    let update = std::env::var_os("SARATOGA_UPDATE").is_some();
    let mut parts = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let mut fresh = String::new();
        let mut rest = &*text;
        while let Some((before, after)) = rest.split_once(BEGIN) {
            let (name, after) = after.split_once(" -->\n").expect("a generated part has a name");
            let (old, after) = after.split_once(END).expect("a generated part ends");
            let part = generate(name, old);
            fresh += &format!("{before}{BEGIN}{name} -->\n{part}{END}");
            rest = after;
            parts += 1;
        }
        fresh += rest;
        if update && fresh != text {
            fs::write(&document, &fresh).unwrap();
        } else if fresh != text {
            let (old, new) = text.lines().zip(fresh.lines()).find(|(a, b)| a != b).unwrap_or_default();
            let here = document.display();
            panic!(
                "{here} is out of date:\n- {old}\n+ {new}\nrun: SARATOGA_UPDATE=1 cargo test --test suite generated"
            );
        }
    }
    assert!(parts > 10, "{parts} generated parts");
}

/// Returns the command lines in a guide.
fn commands(text: &str) -> impl Iterator<Item = String> {
    let shown = text.lines().filter_map(|line| line.strip_prefix("$ ")?.split(" #").next());
    let line = |line: &str| line.trim().replace("cargo run --release -- ", "saratoga ");
    shown.map(line).filter(|line| line.starts_with("saratoga "))
}

/// Returns the first code block in a language.
fn block<'a>(text: &'a str, language: &str) -> &'a str {
    let begin = format!("```{language}\n");
    text.split_once(&begin).and_then(|(_, rest)| rest.split_once("```")).expect("a block of code").0
}

/// The commands of the guides work, on the files shown in the README, with fewer games. For those of the guides in
/// `reports`, only the options are checked.
#[cfg(unix)]
#[test]
fn commands_work() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("my-house.toml"), block(&readme, "toml")).unwrap();
    fs::write(folder.path().join("mine.rhai"), block(&readme, "rust")).unwrap();
    fs::copy(root().join("scripts/positions.jsonl"), folder.path().join("games.jsonl")).unwrap();
    let position = "[[position]]\nrecord = \"games.jsonl\"\nmove = 1\nmust_not = [\"resign\"]\n";
    fs::write(folder.path().join("mine.toml"), position).unwrap();
    let mut count = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let gallery = document.starts_with(root().join("reports"));
        for command in commands(&text) {
            // The studio would never end.
            let asks = gallery || command.starts_with("saratoga studio");
            let line = if asks { format!("{command} --help") } else { fewer_games(&command) };
            let ran = shell(&line, folder.path());
            assert_eq!(ran.code, Some(0), "{}: {command}\n{}", document.display(), ran.err);
            count += 1;
        }
    }
    assert!(count > 30, "{count} commands");
}

/// Returns the command with 200 games, or 2 if each takes long.
#[cfg(unix)]
fn fewer_games(command: &str) -> String {
    let games = match command {
        _ if command.contains("search") => "2",
        _ if command.contains("bankroll") => "1000",
        _ => "200",
    };
    let mut words: Vec<&str> = command.split(' ').collect();
    (1..words.len()).filter(|&i| command.split(' ').nth(i - 1) == Some("-n")).for_each(|i| words[i] = games);
    words.join(" ")
}

/// Regenerates a part; keeps the old one with the current command if it quotes a report that was not made here.
fn generate(name: &str, old: &str) -> String {
    let (kind, of) = name.split_once(' ').unwrap_or((name, ""));
    let report_name = of.split(' ').next().unwrap_or_default();
    if ["report", "output", "table", "columns"].contains(&kind) && !terminal_file(report_name).exists() {
        let command = format!("$ saratoga {}", command(report_name));
        let lines = old.lines().map(|line| if line.starts_with("$ ") { &*command } else { line });
        return lines.map(|line| format!("{line}\n")).collect();
    }
    match kind {
        "keys" => keys(),
        "names" => names(),
        "limits" => limits(),
        "winnability" => winnability("winnability"),
        "large" => winnability("large"),
        "patrons" => patrons(),
        "report" => report(of),
        "output" => output(of),
        "table" => table(of),
        "columns" => columns(of),
        "bench" => bench(),
        "tests" => tests(of),
        _ => panic!("{name} is nothing that can be generated"),
    }
}

/// Lists the files of a folder of tests, each with the first paragraph of its documentation.
fn tests(folder: &str) -> String {
    let files = fs::read_dir(root().join("tests").join(folder)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|e| e == "rs")).collect();
    files.sort();
    let mut out = String::from("| file | what it holds |\n|---|---|\n");
    for file in files.iter().filter(|file| !file.ends_with("mod.rs") && !file.ends_with("main.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let lines = text.lines().map_while(|line| line.strip_prefix("//! "));
        let about = lines.collect::<Vec<_>>().join(" ");
        let name = file.file_name().unwrap().to_string_lossy();
        out += &format!("| [`{name}`]({name}) | {} |\n", cell(&about));
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

fn keys() -> String {
    let mut out = String::from("| key | values | default | meaning |\n|---|---|---|---|\n");
    for key in rules::reference() {
        let default = key.default.map_or(String::new(), |value| format!("`{value}`"));
        let list = key.allowed.starts_with("a list of tables");
        let path = if list { format!("[[{}]]", key.path) } else { key.path.to_string() };
        out += &format!("| `{path}` | {} | {default} | {} |\n", cell(&key.allowed), cell(key.about));
    }
    out
}

fn limits() -> String {
    let mut out = String::from("| limit | value |\n|---|---|\n");
    for (what, most) in strategy::script::limits() {
        let digits: Vec<u8> = most.to_string().into_bytes();
        let groups: Vec<&str> =
            digits.rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
        out += &format!("| {} | {} |\n", cell(what), groups.join(","));
    }
    out
}

/// The names available to scripts, from the definitions for editors.
fn names() -> String {
    let (mut out, mut about, mut owner) = (String::new(), "", "");
    let head = |of: String| format!("\n**{of}**\n\n| name | value | meaning |\n|---|---|---|\n");
    let definitions = strategy::script::definitions();
    for line in definitions.lines() {
        if let Some(text) = line.strip_prefix("/// ") {
            about = text;
        } else if let Some((word, kind)) = line.strip_prefix("let ").and_then(|rest| rest.split_once(": ")) {
            owner = kind.trim_end_matches(';');
            out += &head(format!("`{word}`"));
            out += &format!("| `{word}[i: int]` | `int` | {} |\n", cell(about));
        } else if let Some(signature) = line.strip_prefix("fn ") {
            let (get, signature) =
                signature.strip_prefix("get ").map_or((false, signature), |rest| (true, rest));
            let (name, rest) = signature.split_once('(').unwrap();
            let (parameters, value) = rest.trim_end_matches(';').split_once(") -> ").unwrap();
            let (this, arguments) = parameters.split_once(", ").unwrap_or((parameters, ""));
            let (variable, kind) = this.split_once(": ").unwrap();
            if kind != owner {
                owner = kind;
                let article = if kind == "int" { "an" } else { "a" };
                out += &head(format!("`{variable}`, {article} `{kind}`"));
            }
            let arguments = if get { String::new() } else { format!("({arguments})") };
            let call = cell(&format!("{variable}.{name}{arguments}"));
            out += &format!("| `{call}` | `{}` | {} |\n", cell(value), cell(about));
        }
    }
    out + "\n"
}

/// A table of winnable deals, from the rows that `reports/regenerate` keeps in a file. Rows of the same rules cover
/// different deals, and are added up.
fn winnability(file: &str) -> String {
    let mut out = String::from(
        "| rules | deals | can be won | 95% interval | undecided | positions a deal |\n|---|---|---|---|---|---|\n",
    );
    let mut rows: BTreeMap<String, [u64; 5]> = BTreeMap::new();
    for line in fs::read_to_string(root().join(format!("reports/{file}.tsv"))).unwrap_or_default().lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let row = rows.entry(fields[0].to_string()).or_default();
        row.iter_mut().zip(&fields[1..]).for_each(|(sum, field)| *sum += field.parse::<u64>().unwrap());
    }
    for (rules, [deals, won, lost, open, positions]) in rows {
        assert_eq!(won + lost + open, deals, "{rules}");
        // Large samples deserve more than one decimal of a percent.
        let percent = |share: f64| format!("{:.*}%", if deals < 5_000 { 1 } else { 2 }, 100.0 * share);
        let share = |n: u64| percent(n as f64 / deals as f64);
        let can = if open == 0 { share(won) } else { format!("{} to {}", share(won), share(won + open)) };
        let low = stats::clopper_pearson(won, deals).0;
        let high = stats::clopper_pearson(won + open, deals).1;
        out += &format!(
            "| `{rules}` | {deals} | {can} | {} to {} | {} | {} |\n",
            percent(low),
            percent(high),
            share(open),
            positions / deals
        );
    }
    out
}

/// The strength of the kinds of patrons, from the rows that `reports/regenerate patrons` keeps.
fn patrons() -> String {
    let mut out = String::from("| rules | beginner | ordinary | expert | shark |\n|---|---|---|---|---|\n");
    let rows = fs::read_to_string(root().join("scripts/patrons.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().map(|line| line.split('\t').collect()).collect();
    for kinds in rows.chunk_by(|a, b| a[0] == b[0]) {
        out += &format!("| `{}` |", kinds[0][0]);
        for row in kinds {
            let net: f64 = row[4].parse().unwrap();
            let weak = players::levels(row[0]).any(|it| it.name == row[1] && !it.is_stronger());
            let sign = if net < 0.0 { "−" } else { "+" };
            out +=
                &format!(" {} / {sign}{:.2}{} |", row[3], net.abs() / 100.0, if weak { " \\*" } else { "" });
        }
        out += "\n";
    }
    out
}

/// The command of a report and its finding: the first paragraph of its output.
fn report(name: &str) -> String {
    let mut out = format!("```console\n$ saratoga {}\n```\n", command(name));
    let text = terminal(name);
    let mut paragraphs = text.trim_end().split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let is_table = |paragraph: &&str| paragraph.contains("\n---");
    if !is_table(&first) {
        out += &format!("\n> {}\n", first.replace('\n', " "));
    }
    // A short table says more than a picture.
    let tables = std::iter::once(first).chain(paragraphs.next()).filter(is_table);
    for table in tables.filter(|table| table.lines().count() < 50) {
        out += &format!("\n```text\n{table}\n```\n");
    }
    let chart = gallery(name).0;
    if chart != "-" {
        out += &format!("\n![{chart} of {name}](pictures/{name}.png)\n");
    }
    out
}

/// The first paragraphs of a report's output: `output NAME PARAGRAPHS`.
fn output(of: &str) -> String {
    let (name, most) = of.split_once(' ').unwrap_or((of, ""));
    let text = terminal(name);
    let paragraphs: Vec<&str> =
        text.trim_end().split("\n\n").take(most.parse().unwrap_or(usize::MAX)).collect();
    format!("```text\n{}\n```\n", paragraphs.join("\n\n"))
}

/// The command of a report and one table of its output: `table NAME TITLE`.
fn table(of: &str) -> String {
    let (name, title) = of.split_once(' ').expect("a report and the title of a table");
    let text = terminal(name);
    let found = text.split("\n\n").find(|paragraph| paragraph.lines().next() == Some(title));
    let found = found.unwrap_or_else(|| panic!("{name} has no table {title}")).trim_end();
    format!("```console\n$ saratoga {}\n{found}\n```\n", command(name))
}

/// A table of a report's output that stands there row by row, as a Markdown table: `columns NAME TITLE`.
fn columns(of: &str) -> String {
    let (name, title) = of.split_once(' ').expect("a report and the title of a table");
    let text = terminal(name);
    let found = text.split("\n\n").find(|paragraph| paragraph.lines().next() == Some(title));
    let found = found.unwrap_or_else(|| panic!("{name} has no table {title}"));
    let mut heads: Vec<&str> = Vec::new();
    let mut rows: Vec<(&str, BTreeMap<&str, &str>)> = Vec::new();
    for line in found.lines().skip(1) {
        match (line.strip_prefix("  "), rows.last_mut()) {
            (Some(cell), Some((_, cells))) => {
                let (head, value) = cell.split_once("  ").expect("a head and its value");
                if !heads.contains(&head) {
                    heads.push(head);
                }
                cells.insert(head, value.trim());
            }
            _ => rows.push((line.split_once(' ').expect("a kind and a name").1, BTreeMap::new())),
        }
    }
    let mut out = String::from("|");
    std::iter::once(&"").chain(&heads).for_each(|head| out += &format!(" {head} |"));
    out += &format!("\n|{}\n", "---|".repeat(heads.len() + 1));
    for (name, cells) in rows {
        out += &format!("| {} |", cell(name));
        heads.iter().for_each(|head| out += &format!(" {} |", cells.get(head).unwrap_or(&"")));
        out += "\n";
    }
    out
}

/// The output of `cargo bench`: a few lines, then a table.
fn bench() -> String {
    let text = terminal("bench");
    let (lines, table) = text.trim_end().split_once("\n\n").expect("lines, then a table");
    format!("```text\n{lines}\n```\n\n{table}\n")
}

fn terminal_file(name: &str) -> PathBuf {
    root().join("reports").join(name).join("terminal.txt")
}

fn terminal(name: &str) -> String {
    let path = terminal_file(name);
    fs::read_to_string(&path).unwrap_or_else(|_| panic!("no {}: run reports/regenerate", path.display()))
}

/// The chart in the gallery and the command of a report, as listed by `reports/regenerate`.
fn gallery(name: &str) -> (String, String) {
    let script = fs::read_to_string(root().join("reports/regenerate")).unwrap();
    let (_, table) = script.split_once("GALLERY='\n").unwrap();
    let (table, _) = table.split_once("\n'\n").unwrap();
    let line = table.lines().find(|line| line.split_whitespace().next() == Some(name));
    let mut words = line.unwrap_or_else(|| panic!("{name} is no report")).split_whitespace().skip(1);
    let chart = words.next().unwrap().to_string();
    (chart, words.collect::<Vec<_>>().join(" "))
}

fn command(name: &str) -> String {
    // A shell reads brackets.
    let quoted = |word: &str| if word.contains('(') { format!("'{word}'") } else { word.into() };
    gallery(name).1.split(' ').map(quoted).collect::<Vec<_>>().join(" ")
}
