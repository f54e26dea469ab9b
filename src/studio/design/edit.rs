//! Changes one key of a ruleset in its text and keeps the rest of the text as it is.

use toml_edit::{DocumentMut, Item, Table, Value};

/// The table that has two names.
const HEEL: (&str, &str) = ("reserve", "heel");

/// Sets `path` to a value written as TOML. Without a value, the key is removed so that the extended ruleset decides;
/// its table is removed too if it becomes empty. An error says in a sentence why the text or the
/// value cannot be read.
pub(super) fn set(text: &str, path: &str, value: Option<&str>) -> Result<String, String> {
    let mut document: DocumentMut =
        text.parse().map_err(|_| "correct the text first: it is no sound TOML".to_string())?;
    let (table, leaf) = path.rsplit_once('.').unwrap_or(("", path));
    let heel = table == HEEL.0 && document.contains_key(HEEL.1);
    let table = if heel { HEEL.1 } else { table };
    match value.map(str::trim).filter(|value| !value.is_empty()) {
        Some(value) => {
            let item = read(value, table, leaf)?;
            put(inner(&mut document, table)?, leaf, item);
        }
        None => take(&mut document, table, leaf),
    }
    Ok(document.to_string())
}

/// Returns the keys set in the text itself, such as `stock.draw`.
pub(super) fn written(text: &str) -> Vec<String> {
    let Ok(document) = text.parse::<DocumentMut>() else { return Vec::new() };
    let mut paths = Vec::new();
    for (name, item) in document.iter() {
        let name = if name == HEEL.1 { HEEL.0 } else { name };
        match item.as_table_like() {
            Some(table) => paths.extend(table.iter().map(|(leaf, _)| format!("{name}.{leaf}"))),
            None => paths.push(name.to_string()),
        }
    }
    paths
}

/// Parses a value, or tables under the full name of the key.
fn read(value: &str, table: &str, leaf: &str) -> Result<Item, String> {
    let header = |name: &str| value.lines().any(|line| line.trim_start().starts_with(name));
    if header("[[") || header(&format!("[{table}.{leaf}]")) {
        let fault = |_| format!("this is no sound TOML; write it as under [[{table}.{leaf}]]");
        let mut document: DocumentMut = value.parse().map_err(fault)?;
        let mut item = match table {
            "" => document.remove(leaf),
            _ => document.get_mut(table).and_then(|it| it.as_table_like_mut()).and_then(|it| it.remove(leaf)),
        };
        // Their positions belong to another text.
        match &mut item {
            Some(Item::ArrayOfTables(tables)) => tables.iter_mut().for_each(|it| it.set_position(None)),
            Some(Item::Table(one)) => one.set_position(None),
            _ => {}
        }
        return item.ok_or_else(|| format!("the tables must be called {table}.{leaf}"));
    }
    value.parse::<Value>().map(Item::Value).map_err(|_| format!("{value} is no value of TOML"))
}

/// Returns the table, creating it if necessary.
fn inner<'d>(document: &'d mut DocumentMut, table: &str) -> Result<&'d mut dyn toml_edit::TableLike, String> {
    if table.is_empty() {
        return Ok(document.as_table_mut());
    }
    let made = !document.contains_key(table);
    let first = document.is_empty();
    let item = document.entry(table).or_insert_with(|| Item::Table(Table::new()));
    if let (true, Some(table)) = (made && !first, item.as_table_mut()) {
        table.decor_mut().set_prefix("\n");
    }
    item.as_table_like_mut().ok_or_else(|| format!("`{table}` must be a table: [{table}]"))
}

/// Replaces a value and keeps the comment after it.
fn put(table: &mut dyn toml_edit::TableLike, leaf: &str, mut item: Item) {
    let old = table.get(leaf).and_then(Item::as_value).map(|value| value.decor().clone());
    if let (Some(decor), Some(value)) = (old, item.as_value_mut()) {
        *value.decor_mut() = decor;
    }
    match table.get_mut(leaf) {
        Some(place) => *place = item,
        None => drop(table.insert(leaf, item)),
    }
}

fn take(document: &mut DocumentMut, table: &str, leaf: &str) {
    if table.is_empty() {
        document.remove(leaf);
        return;
    }
    let Some(inner) = document.get_mut(table).and_then(Item::as_table_like_mut) else { return };
    inner.remove(leaf);
    let empty = inner.is_empty();
    let commented = document
        .get(table)
        .and_then(Item::as_table)
        .and_then(|it| it.decor().prefix())
        .and_then(|prefix| prefix.as_str())
        .is_some_and(|prefix| prefix.contains('#'));
    if empty && !commented {
        document.remove(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# My house.\nextends = \"canfield\"\n\n[stock]\nredeals = 1 # two passes\n\n[casino]\nstake = 30\n";

    #[test]
    fn one_value_changes_and_comments_stay() {
        assert_eq!(set(TEXT, "stock.redeals", Some("4")).unwrap(), TEXT.replace("1 #", "4 #"));
        let more = set(TEXT, "stock.draw", Some("[3, 2, 1]")).unwrap();
        assert_eq!(more, TEXT.replace("passes\n", "passes\ndraw = [3, 2, 1]\n"));
        let new = set(TEXT, "reserve.size", Some("10")).unwrap();
        assert_eq!(new, format!("{TEXT}\n[reserve]\nsize = 10\n"));
        let name = set(TEXT, "name", Some("\"Mine\"")).unwrap();
        assert_eq!(name, TEXT.replace("\"canfield\"\n", "\"canfield\"\nname = \"Mine\"\n"));
        assert_eq!(set("", "stock.draw", Some("1")).unwrap(), "[stock]\ndraw = 1\n");
    }

    #[test]
    fn a_key_is_taken_away_with_a_table_that_it_leaves_empty() {
        let without = set(TEXT, "casino.stake", None).unwrap();
        assert_eq!(without, TEXT.replace("\n[casino]\nstake = 30\n", ""));
        assert_eq!(set(&without, "casino.stake", None).unwrap(), without);
        assert_eq!(set("[heel]\nsize = 3\n", "reserve.size", Some("4")).unwrap(), "[heel]\nsize = 4\n");
    }

    #[test]
    fn tables_are_replaced_as_a_whole() {
        let steps = "[[casino.step]]\nfrom = 20\nbonus = 5\n\n[[casino.step]]\nfrom = 30\nbonus = 9";
        let with = set(TEXT, "casino.step", Some(steps)).unwrap();
        let loaded = crate::rules::parse_text("a.toml", &with).unwrap();
        let casino = &loaded.rules.spec().casino;
        assert_eq!((casino.steps.len(), casino.stake), (2, 3000), "{with}");
        let one = set(&with, "casino.step", Some("[[casino.step]]\nfrom = 40\nbonus = 1\n")).unwrap();
        assert_eq!(crate::rules::parse_text("a.toml", &one).unwrap().rules.spec().casino.steps.len(), 1);
        assert_eq!(set(&one, "casino.step", None).unwrap().trim_end(), TEXT.trim_end());
        let jackpot =
            set(TEXT, "casino.jackpot", Some("[casino.jackpot]\nstart = 100\nshare = 0.02")).unwrap();
        assert!(crate::rules::parse_text("a.toml", &jackpot).unwrap().rules.spec().casino.jackpot.is_some());
        let score = set(TEXT, "score", Some("[[score]]\nname = \"p\"\nwon = 1")).unwrap();
        assert_eq!(crate::rules::parse_text("a.toml", &score).unwrap().rules.spec().scores.len(), 1);
    }

    #[test]
    fn what_is_no_toml_is_refused() {
        for (text, value) in
            [("a = ", "1"), (TEXT, "1 2"), (TEXT, "x"), (TEXT, "1\nb = 2"), (TEXT, "[[other]]\na = 1")]
        {
            assert!(set(text, "stock.draw", Some(value)).is_err(), "{text} {value}");
        }
        assert!(set("stock = 3\n", "stock.draw", Some("1")).is_err());
    }

    #[test]
    fn written_keys_are_those_of_the_text() {
        assert_eq!(written(TEXT), ["extends", "stock.redeals", "casino.stake"]);
        assert_eq!(written("[heel]\nsize = 1\n"), ["reserve.size"]);
    }
}
