//! Reads single values, reporting what was found and what is allowed; reading continues after a fault.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use crate::cards::Rank;
use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::limits::MOST_CENTS;
use crate::rules::spec::*;

use super::shape::{KeyDef, RANKS, Shape, leaf};
use super::words::*;

/// Reads the values of one file and collects its faults.
///
/// Every method reads the value of the current key, returns whether it was valid, and leaves `into` unchanged if not.
pub(crate) struct Reader<'a> {
    pub source: &'a Arc<SourceText>,
    pub faults: Vec<Diagnostic>,
    /// The current key.
    pub def: KeyDef,
    /// Positions of the elements of the current list.
    pub items: Vec<Range<usize>>,
    /// `foundation.choice_from`, which is one value with `foundation.base` in a [`Spec`].
    pub choice_from: Option<ChoiceFrom>,
    /// Returns advice for a word that is not a key at its position, and whether it is unambiguous. Nested tables,
    /// marked by `true`, have words of their own.
    pub elsewhere: fn(&str, bool) -> Option<(String, bool)>,
}

/// A key with its documentation, and the code that reads it into a `T` and writes it back.
pub(crate) struct Key<T: 'static> {
    pub def: KeyDef,
    pub read: fn(&mut Reader, &mut T, &Node) -> bool,
    /// Returns the value as TOML; `None` if it is not written.
    pub write: fn(&T) -> Option<String>,
}

pub(crate) const fn key<T>(
    path: &'static str,
    shape: Shape,
    about: &'static str,
    read: fn(&mut Reader, &mut T, &Node) -> bool,
    write: fn(&T) -> Option<String>,
) -> Key<T> {
    Key { def: KeyDef { path, shape, about }, read, write }
}

/// Returns the keys without their code, for the schema and for messages.
pub(crate) fn defs<T>(keys: &'static [Key<T>]) -> Vec<KeyDef> {
    keys.iter().map(|key| key.def).collect()
}

pub(crate) type Node<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    pub fn fault(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> bool {
        self.faults.push(Diagnostic::error(self.source, span, message).help(help));
        false
    }

    /// Reports a value, or an element of a list, that is not allowed.
    fn wrong(&mut self, node: &Node) -> bool {
        let found = shorten(self.source.text.get(node.span()).unwrap_or_default());
        let in_list = !self.items.is_empty();
        let verb = if in_list { "hold" } else { "be" };
        let allowed = if in_list { self.def.shape.allowed_item() } else { self.def.shape.allowed() };
        let mut help = format!(
            "allowed: {}",
            allowed
                .replace("[[...]]", &format!("[[{}]]", self.def.path))
                .replace("[...]", &format!("[{}]", self.def.path))
        );
        if let (Shape::Texts, DeValue::String(_), false) = (self.def.shape, node.get_ref(), in_list) {
            help = format!("did you mean [{found}]? allowed: {}", self.def.shape.allowed());
        }
        let known = self.def.shape.known_words();
        if let Some(guess) = node.get_ref().as_str().and_then(|word| did_you_mean(word, known)) {
            let guess = match self.def.shape {
                Shape::WordList(_) if !in_list => format!("[\"{guess}\"]"),
                _ => format!("\"{guess}\""),
            };
            help = format!("did you mean {guess}? {help}");
        }
        self.fault(node.span(), format!("`{}` cannot {verb} {found}", self.def.path), help)
    }

    pub fn put<T>(&mut self, node: &Node, into: &mut T, value: Option<T>) -> bool {
        match value {
            Some(value) => {
                *into = value;
                true
            }
            None => self.wrong(node),
        }
    }

    /// Reads the elements of a list with `read`.
    pub fn each<T>(&mut self, node: &Node, into: &mut Vec<T>, read: impl Fn(&Node) -> Option<T>) -> bool {
        let DeValue::Array(array) = node.get_ref() else { return self.wrong(node) };
        let array: &DeArray = array;
        self.items = array.iter().map(Spanned::span).collect();
        let mut values = Vec::new();
        for item in array.iter() {
            match read(item) {
                Some(value) => values.push(value),
                None => {
                    self.wrong(item);
                }
            }
        }
        let sound = values.len() == array.len();
        if sound {
            *into = values;
        }
        sound
    }

    pub fn text(&mut self, node: &Node, into: &mut String) -> bool {
        self.put(node, into, node.get_ref().as_str().map(str::to_string))
    }

    /// Reads a name: on one line, and not empty.
    pub fn name(&mut self, node: &Node, into: &mut String) -> bool {
        match node.get_ref().as_str() {
            Some(name) if name.trim().is_empty() || name.contains(char::is_control) => {
                let path = self.def.path;
                self.fault(
                    node.span(),
                    format!("`{path}` must be one line of text without control characters, not empty"),
                    "allowed: text in quotes",
                )
            }
            _ => self.text(node, into),
        }
    }

    pub fn texts(&mut self, node: &Node, into: &mut Vec<String>) -> bool {
        self.each(node, into, |item| item.get_ref().as_str().map(str::to_string))
    }

    pub fn flag(&mut self, node: &Node, into: &mut bool) -> bool {
        self.put(node, into, node.get_ref().as_bool())
    }

    pub fn whole<N: TryFrom<i64>>(&mut self, node: &Node, into: &mut N) -> bool {
        let (Shape::Whole(low, high) | Shape::WholeOr(low, high, _)) = self.def.shape else { return false };
        self.put(node, into, whole_in(node, low, high))
    }

    pub fn wholes(&mut self, node: &Node, into: &mut Vec<u8>) -> bool {
        let Shape::Wholes(low, high, most) = self.def.shape else { return false };
        self.counted(node, most) && self.each(node, into, |item| whole_in(item, low, high))
    }

    /// Checks that a list is not empty, and not too long.
    pub fn counted(&mut self, node: &Node, most: usize) -> bool {
        match node.get_ref().as_array().map(|array| array.len()) {
            Some(n) if n == 0 || n > most => {
                let help = format!("allowed: {}", self.def.shape.allowed());
                self.fault(node.span(), format!("`{}` cannot be a list of {n}", self.def.path), help)
            }
            _ => true,
        }
    }

    pub fn word<T: Word>(&mut self, node: &Node, into: &mut T) -> bool {
        self.put(node, into, word_of(node))
    }

    pub fn word_list<T: Word>(&mut self, node: &Node, into: &mut Vec<T>) -> bool {
        self.each(node, into, word_of)
    }

    pub fn auto(&mut self, node: &Node, into: &mut Vec<Filler>) -> bool {
        self.each(node, into, |item| word_of(item).map(|AutoFiller(filler)| filler))
    }

    pub fn space_rank(&mut self, node: &Node, into: &mut SpaceRank) -> bool {
        self.put(node, into, word_of(node).or_else(|| rank_of(node).map(SpaceRank::Rank)))
    }

    /// Reads `foundation.base`; another key defines what a choice is made from.
    pub fn base(&mut self, node: &Node, into: &mut Base) -> bool {
        match word_of(node) {
            Some(BaseWord::Choice) => self.put(node, into, Some(Base::Choice(ChoiceFrom::Reserve))),
            Some(BaseWord::Dealt) => self.put(node, into, Some(Base::Dealt)),
            None => self.put(node, into, rank_of(node).map(Base::Rank)),
        }
    }

    pub fn choice_from(&mut self, node: &Node) -> bool {
        let mut cards = 0;
        let sound = match word_of(node) {
            Some(FromReserve) => true,
            None => self.whole(node, &mut cards),
        };
        if sound {
            self.choice_from = Some(if cards == 0 { ChoiceFrom::Reserve } else { ChoiceFrom::Dealt(cards) });
        }
        sound
    }

    pub fn redeals(&mut self, node: &Node, into: &mut Option<u32>) -> bool {
        match word_of(node) {
            Some(Unlimited) => self.put(node, into, Some(None)),
            None => {
                let mut number = 0;
                let sound = self.whole(node, &mut number);
                if sound {
                    *into = Some(number);
                }
                sound
            }
        }
    }

    pub fn money(&mut self, node: &Node, into: &mut i64) -> bool {
        self.put(node, into, cents_of(node).filter(|cents| (0..=MOST_CENTS).contains(cents)))
    }

    /// Reads an amount that may be negative.
    pub fn signed_money(&mut self, node: &Node, into: &mut i64) -> bool {
        self.put(node, into, cents_of(node).filter(|cents| (-MOST_CENTS..=MOST_CENTS).contains(cents)))
    }

    /// Reads an amount, or a list of them.
    pub fn moneys(&mut self, node: &Node, into: &mut Vec<i64>) -> bool {
        let Shape::MoneyOrList(most) = self.def.shape else { return false };
        let of = |node: &Node| cents_of(node).filter(|cents| (0..=MOST_CENTS).contains(cents));
        match node.get_ref() {
            DeValue::Array(_) => self.counted(node, most) && self.each(node, into, of),
            _ => self.put(node, into, of(node).map(|cents| vec![cents])),
        }
    }

    /// Reads a number with at most three decimals, as whole thousandths.
    pub fn decimal<N: TryFrom<i64>>(&mut self, node: &Node, into: &mut N) -> bool {
        let Shape::Decimal(low, high) = self.def.shape else { return false };
        let thousandths = match node.get_ref() {
            DeValue::String(text) => decimal_of(text, 3),
            DeValue::Float(float) => decimal_of(float.as_str(), 3),
            DeValue::Integer(integer) => whole_of(integer).and_then(|n| n.checked_mul(1000)),
            _ => None,
        };
        let within = thousandths.filter(|n| (low..=high).contains(n));
        self.put(node, into, within.and_then(|n| N::try_from(n).ok()))
    }

    /// Reads a list of tables, if each is valid and has the keys in `needed`, given with an example each.
    pub fn tables<T: Default>(
        &mut self,
        node: &Node,
        keys: &'static [Key<T>],
        needed: &[(&str, &str)],
    ) -> Option<Vec<T>> {
        let def = self.def;
        let DeValue::Array(array) = node.get_ref() else {
            self.wrong(node);
            return None;
        };
        let mut sound = true;
        let mut read = Vec::new();
        let mut items = Vec::new();
        for item in array.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                sound = self.wrong(item);
                continue;
            };
            let mut value = T::default();
            sound &= self.table(keys, table, &mut value);
            // A fault of an entry is best shown at its identifying key, if it has that.
            let tells = needed.first().map_or("name", |(key, _)| key);
            items.push(table.get(tells).map_or(item.span(), Spanned::span));
            for (key, example) in needed.iter().filter(|(key, _)| !table.contains_key(*key)) {
                let message = format!("a [[{}]] needs its `{key}`", def.path);
                sound = self.fault(item.span(), message, format!("allowed: {example}"));
            }
            read.push(value);
        }
        self.def = def;
        self.items = items;
        sound.then_some(read)
    }

    /// Reads the keys of a nested table into `into`.
    pub fn table<T>(&mut self, keys: &'static [Key<T>], table: &DeTable, into: &mut T) -> bool {
        let outer = self.def;
        let mut sound = true;
        for (name, value) in table.iter() {
            match keys.iter().find(|key| leaf(key.def.path) == name.get_ref()) {
                Some(key) => {
                    self.def = key.def;
                    self.items.clear();
                    sound &= (key.read)(self, into, value);
                }
                None => {
                    sound = false;
                    let known: Vec<&str> = keys.iter().map(|key| leaf(key.def.path)).collect();
                    self.unknown(name, &format!("`{}`", outer.path), &known, true);
                }
            }
        }
        self.def = outer;
        self.items.clear();
        sound
    }

    /// Reports an unknown key of the table `of`, whose keys are `known`; `inner` if that table is the value of a key.
    pub fn unknown(
        &mut self,
        name: &Spanned<std::borrow::Cow<'_, str>>,
        of: &str,
        known: &[&str],
        inner: bool,
    ) {
        let word: &str = name.get_ref();
        let (told, sure) = (self.elsewhere)(word, inner).unwrap_or_default();
        let guess = did_you_mean(word, known.iter().copied())
            .filter(|_| !sure)
            .map_or(String::new(), |guess| format!("did you mean `{guess}`? "));
        let told = if told.is_empty() { told } else { format!("{told}; ") };
        let help = format!("{guess}{told}allowed: {}", known.join(", "));
        self.fault(name.span(), format!("`{}` is not a key of {of}", shorten(word)), help);
    }
}

/// Shortens a text for a message.
pub(super) fn shorten(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    let mut short: String = line.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

fn word_of<T: Word>(node: &Node) -> Option<T> {
    let word = node.get_ref().as_str()?;
    T::WORDS.iter().find(|(known, _)| *known == word).map(|&(_, value)| value)
}

/// Parses a rank from text, or from a number if that is on its face.
fn rank_of(node: &Node) -> Option<Rank> {
    match node.get_ref() {
        DeValue::String(text) if RANKS.contains(&&**text) || text == "T" => text.parse().ok(),
        DeValue::Integer(integer) => {
            whole_of(integer).filter(|n| (2..=10).contains(n)).map(|n| Rank::from_index(n as usize - 1))
        }
        _ => None,
    }
}

/// Parses an amount in whole cents.
fn cents_of(node: &Node) -> Option<i64> {
    let signed = |text: &str| match text.strip_prefix('-') {
        Some(rest) => decimal_of(rest, 2).map(|cents| -cents),
        None => decimal_of(text, 2),
    };
    match node.get_ref() {
        DeValue::String(text) => signed(text),
        DeValue::Float(float) => signed(float.as_str()),
        DeValue::Integer(integer) => whole_of(integer).and_then(|n| n.checked_mul(100)),
        _ => None,
    }
}

fn whole_of(integer: &DeInteger) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

pub(super) fn whole_in<N: TryFrom<i64>>(node: &Node, low: i64, high: i64) -> Option<N> {
    let number = node.get_ref().as_integer().and_then(whole_of)?;
    if (low..=high).contains(&number) { N::try_from(number).ok() } else { None }
}

/// Parses decimal text as a whole number of its smallest unit: digits, and up to `places` more after a point.
fn decimal_of(text: &str, places: u32) -> Option<i64> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(rest) {
        return None;
    }
    let missing = places.checked_sub(u32::try_from(rest.len()).ok()?)?;
    let parts = rest.parse::<i64>().ok()? * 10i64.pow(missing);
    whole.parse::<i64>().ok()?.checked_mul(10i64.pow(places))?.checked_add(parts)
}
