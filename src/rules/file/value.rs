//! Reads and writes single values. Reading reports what was found and what is allowed, and continues after a fault.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeArray, DeInteger, DeTable, DeValue};

use super::shape::{KeyDef, RANKS, Shape, decimal, leaf, list, money, text};
use crate::cards::Rank;
use crate::diagnostic::{Diagnostic, SourceText, did_you_mean};
use crate::rules::spec::*;
use crate::rules::words::Word;

/// Reads the values of one file and collects its faults.
pub(crate) struct Reader<'a> {
    pub source: &'a Arc<SourceText>,
    pub faults: Vec<Diagnostic>,
    /// The current key.
    pub def: KeyDef,
    /// Positions of the elements of the current list.
    pub items: Vec<Range<usize>>,
    /// `foundation.choice_from`, which is one value with `foundation.base` in a ruleset.
    pub choice_from: Option<ChoiceFrom>,
    /// Returns advice for a word that is not a key at its position, and whether it is unambiguous. Nested tables,
    /// marked by `true`, have words of their own.
    pub elsewhere: fn(&str, bool) -> Option<(String, bool)>,
}

pub(crate) type Node<'i> = Spanned<DeValue<'i>>;

/// A value that a key sets.
pub(crate) trait Field {
    /// Reads the value of the current key, and returns whether it was valid; if not, it remains unchanged.
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool;

    /// Returns the value as TOML; `None` if it is not written.
    fn write(&self, shape: Shape) -> Option<String>;

    /// Returns the value as tables under the path of its key, if it is written so.
    fn tables(&self, _path: &str) -> Option<String> {
        None
    }
}

/// A key with its documentation, and the code that reads it into a `T` and writes it back.
pub(crate) struct Key<T: 'static> {
    pub def: KeyDef,
    pub read: fn(&mut Reader, &mut T, &Node) -> bool,
    pub write: fn(&T) -> Option<String>,
    pub tables: fn(&T) -> Option<String>,
}

/// Makes the table of the keys of a type: the path of each, the field that it sets if it is kept, its shape and its
/// meaning, and whether it is written if not always.
macro_rules! keys {
    ($type:ty: $($path:literal $(= $($field:ident).+)?, $shape:expr, $about:expr $(, if $when:expr)?;)*) => {
        &[$($crate::rules::file::Key {
            def: $crate::rules::file::KeyDef { path: $path, shape: $shape, about: $about },
            read: |reader, values: &mut $type, node| {
                let _ = &values;
                $crate::rules::file::Field::read(&mut keys!(@field values $($($field).+)?), reader, node)
            },
            write: |values: &$type| {
                $(let when: fn(&$type) -> bool = $when;
                if !when(values) {
                    return None;
                })?
                let _ = values;
                $crate::rules::file::Field::write(&keys!(@field values $($($field).+)?), $shape)
            },
            tables: |values: &$type| {
                let _ = values;
                $crate::rules::file::Field::tables(&keys!(@field values $($($field).+)?), $path)
            },
        }),*]
    };
    (@field $values:ident) => { $crate::rules::file::Ignored };
    (@field $values:ident $($field:ident).+) => { $values.$($field).+ };
}
pub(crate) use keys;

/// A text that is used elsewhere.
pub(crate) struct Ignored;

impl Field for Ignored {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        String::new().read(reader, node)
    }

    fn write(&self, _: Shape) -> Option<String> {
        None
    }
}

/// A value with its position.
#[derive(Default)]
pub(crate) struct At<T> {
    pub value: T,
    pub at: Range<usize>,
}

impl<T: Field> Field for At<T> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        self.at = node.span();
        self.value.read(reader, node)
    }

    fn write(&self, shape: Shape) -> Option<String> {
        self.value.write(shape)
    }
}

/// A value that a file may omit. If it may be a number or a word, the word is that of `None`.
impl<T: Field + Default> Field for Option<T> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        if node.get_ref().as_str().is_some_and(|word| reader.def.shape.instead_of_number(word)) {
            *self = None;
            return true;
        }
        let mut value = T::default();
        let sound = value.read(reader, node);
        if sound {
            *self = Some(value);
        }
        sound
    }

    fn write(&self, shape: Shape) -> Option<String> {
        match (self, shape) {
            (Some(value), _) => value.write(shape),
            (None, Shape::WholeOr(_, _, words)) => words().first().map(|word| text(word)),
            (None, _) => None,
        }
    }

    fn tables(&self, path: &str) -> Option<String> {
        self.as_ref()?.tables(path)
    }
}

/// A text; a name is on one line, and not empty.
impl Field for String {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        match node.get_ref().as_str() {
            Some(name)
                if matches!(reader.def.shape, Shape::Name)
                    && (name.trim().is_empty() || name.contains(char::is_control)) =>
            {
                let path = reader.def.path;
                let message =
                    format!("`{path}` must be one line of text without control characters, not empty");
                reader.fault(node.span(), message, "allowed: text in quotes")
            }
            text => reader.put(node, self, text.map(str::to_string)),
        }
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(text(self))
    }
}

impl Field for Vec<String> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        reader.each(node, self, |item| item.get_ref().as_str().map(str::to_string))
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(list(self, |item| text(item)))
    }
}

impl Field for bool {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        reader.put(node, self, node.get_ref().as_bool())
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(self.to_string())
    }
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        impl Field for $number {
            fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
                let number = number_of(node, reader.def.shape).and_then(|number| number.try_into().ok());
                reader.put(node, self, number)
            }

            fn write(&self, shape: Shape) -> Option<String> {
                Some(written_number(*self as i64, shape))
            }
        }
    )*};
}

numbers! { u8 u16 u32 i64 usize }

impl Field for Vec<u8> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        reader.numbers(node, self)
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(list(self, u8::to_string))
    }
}

/// An amount, or a list of them; not written if empty.
impl Field for Vec<i64> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        match node.get_ref() {
            DeValue::Array(_) => reader.numbers(node, self),
            _ => reader.put(node, self, number_of(node, reader.def.shape).map(|cents| vec![cents])),
        }
    }

    fn write(&self, _: Shape) -> Option<String> {
        match self[..] {
            [] => None,
            [one] => Some(money(one)),
            _ => Some(list(self, |&cents| money(cents))),
        }
    }
}

/// One of a few words.
impl<T: Word> Field for T {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        reader.put(node, self, node.get_ref().as_str().and_then(T::of))
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(text(self.word()))
    }
}

/// A nested table, of which a key holds a list.
pub(crate) trait Nested: Default + 'static {
    const KEYS: &'static [Key<Self>];
    /// The keys that each must have, with an example each. A fault of an entry is shown at the first, or at its name.
    const NEEDED: &'static [(&'static str, &'static str)];
}

impl<T: Nested> Field for Vec<T> {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let DeValue::Array(array) = node.get_ref() else { return reader.wrong(node) };
        let mut sound = true;
        let (mut read, mut items) = (Vec::new(), Vec::new());
        for item in array.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                sound = reader.wrong(item);
                continue;
            };
            let mut value = T::default();
            sound &= reader.table(T::KEYS, table, &mut value);
            sound &= reader.has(table, item.span(), T::NEEDED, &format!("[[{}]]", reader.def.path));
            let tells = T::NEEDED.first().map_or("name", |(key, _)| key);
            items.push(table.get(tells).map_or(item.span(), Spanned::span));
            read.push(value);
        }
        reader.items = items;
        if sound {
            *self = read;
        }
        sound
    }

    fn write(&self, _: Shape) -> Option<String> {
        None
    }

    fn tables(&self, path: &str) -> Option<String> {
        Some(self.iter().map(|value| tables_to_toml(&format!("[[{path}]]"), T::KEYS, value)).collect())
    }
}

/// Writes a nested table under its header.
pub(super) fn tables_to_toml<T>(header: &str, keys: &'static [Key<T>], value: &T) -> String {
    format!("\n{header}\n{}", lines(keys.iter(), value))
}

/// Writes each key with its value on a line.
pub(super) fn lines<T: 'static>(keys: impl Iterator<Item = &'static Key<T>>, value: &T) -> String {
    let line = |key: &Key<T>| Some(format!("{} = {}\n", leaf(key.def.path), (key.write)(value)?));
    keys.filter_map(line).collect()
}

impl Reader<'_> {
    pub fn fault(&mut self, span: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> bool {
        self.faults.push(Diagnostic::error(self.source, span, message).help(help));
        false
    }

    /// Reports a value, or an element of a list, that is not allowed.
    pub fn wrong(&mut self, node: &Node) -> bool {
        let found = shorten(self.source.text.get(node.span()).unwrap_or_default());
        let in_list = !self.items.is_empty();
        let verb = if in_list { "hold" } else { "be" };
        let KeyDef { path, shape, .. } = self.def;
        let allowed = if in_list { shape.allowed_item() } else { shape.allowed() };
        let allowed =
            allowed.replace("[[...]]", &format!("[[{path}]]")).replace("[...]", &format!("[{path}]"));
        let mut help = format!("allowed: {allowed}");
        if let (Shape::Texts, DeValue::String(_), false) = (shape, node.get_ref(), in_list) {
            help = format!("did you mean [{found}]? allowed: {allowed}");
        }
        if let Some(guess) = node.get_ref().as_str().and_then(|word| did_you_mean(word, shape.known_words()))
        {
            let guess = match shape {
                Shape::WordList(_) if !in_list => format!("[\"{guess}\"]"),
                _ => format!("\"{guess}\""),
            };
            help = format!("did you mean {guess}? {help}");
        }
        self.fault(node.span(), format!("`{path}` cannot {verb} {found}"), help)
    }

    /// Puts a value into a field, or reports that there is none.
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

    /// Reads a list of numbers as the shape allows.
    pub fn numbers<N: TryFrom<i64>>(&mut self, node: &Node, into: &mut Vec<N>) -> bool {
        let shape = self.def.shape;
        self.counted(node, shape.most_items())
            && self.each(node, into, |item| number_of(item, shape).and_then(|n| n.try_into().ok()))
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

    /// Checks that a table, called `what` in messages, has certain keys, each given with an example.
    pub fn has(&mut self, table: &DeTable, span: Range<usize>, keys: &[(&str, &str)], what: &str) -> bool {
        let mut sound = true;
        for (key, example) in keys.iter().filter(|(key, _)| !table.contains_key(*key)) {
            let message = format!("a {what} needs its `{key}`");
            sound = self.fault(span.clone(), message, format!("allowed: {example}"));
        }
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

pub(super) fn whole_of(integer: &DeInteger) -> Option<i64> {
    i64::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// Parses a number that a shape allows: a whole number, an amount in cents, or thousandths.
pub(super) fn number_of(node: &Node, shape: Shape) -> Option<i64> {
    let (places, low, high) = match shape {
        Shape::Whole(low, high) | Shape::WholeOr(low, high, _) | Shape::Wholes(low, high, _) => {
            (0, low, high)
        }
        Shape::Draw(_) => (0, 1, MOST_DRAWN),
        Shape::Money | Shape::MoneyOrList(_) => (2, 0, MOST_CENTS),
        Shape::SignedMoney => (2, -MOST_CENTS, MOST_CENTS),
        Shape::Decimal(low, high) => (3, low, high),
        _ => return None,
    };
    let number = match node.get_ref() {
        DeValue::Integer(integer) => whole_of(integer)?.checked_mul(10i64.pow(places)),
        DeValue::String(text) if places > 0 => decimal_of(text, places),
        DeValue::Float(float) if places > 0 => decimal_of(float.as_str(), places),
        _ => None,
    };
    number.filter(|number| (low..=high).contains(number))
}

fn written_number(number: i64, shape: Shape) -> String {
    match shape {
        Shape::Money | Shape::SignedMoney => money(number),
        Shape::Decimal(..) => decimal(number),
        _ => number.to_string(),
    }
}

/// Parses decimal text as a whole number of its smallest unit: digits, and up to `places` more after a point.
fn decimal_of(text: &str, places: u32) -> Option<i64> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |positive| (-1, positive));
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(rest) {
        return None;
    }
    let missing = places.checked_sub(u32::try_from(rest.len()).ok()?)?;
    let parts = rest.parse::<i64>().ok()? * 10i64.pow(missing);
    Some(sign * whole.parse::<i64>().ok()?.checked_mul(10i64.pow(places))?.checked_add(parts)?)
}

macro_rules! word_lists {
    ($($type:ident)*) => {$(
        impl Field for Vec<$type> {
            fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
                let allowed = reader.def.shape.known_words();
                let word = |item: &Node| $type::of(item.get_ref().as_str().filter(|word| allowed.contains(word))?);
                reader.each(node, self, word)
            }

            fn write(&self, _: Shape) -> Option<String> {
                Some(list(self, |item| text(item.word())))
            }
        }
    )*};
}

word_lists! { Part Filler }

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

/// `spaces.rank`
impl Field for SpaceRank {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let rank = match node.get_ref().as_str() {
            Some("any") => Some(SpaceRank::Any),
            Some("base") => Some(SpaceRank::Base),
            Some("below-base") => Some(SpaceRank::BelowBase),
            _ => rank_of(node).map(SpaceRank::Rank),
        };
        reader.put(node, self, rank)
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(match self {
            SpaceRank::Any => text("any"),
            SpaceRank::Base => text("base"),
            SpaceRank::BelowBase => text("below-base"),
            SpaceRank::Rank(rank) => text(&rank.to_string()),
        })
    }
}

/// `foundation.base`, and `foundation.choice_from`, which may be a number.
impl Field for Base {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let word = node.get_ref().as_str();
        if let Shape::WholeOr(..) = reader.def.shape {
            let dealt = || number_of(node, reader.def.shape).map(|cards| ChoiceFrom::Dealt(cards as u8));
            let from = if word == Some("reserve") { Some(ChoiceFrom::Reserve) } else { dealt() };
            reader.choice_from = from.or(reader.choice_from);
            return from.is_some() || reader.wrong(node);
        }
        let base = match word {
            Some("choice") => Some(Base::Choice(ChoiceFrom::Reserve)),
            Some("dealt") => Some(Base::Dealt),
            _ => rank_of(node).map(Base::Rank),
        };
        reader.put(node, self, base)
    }

    fn write(&self, shape: Shape) -> Option<String> {
        match (self, shape) {
            (Base::Choice(ChoiceFrom::Reserve), Shape::WholeOr(..)) => Some(text("reserve")),
            (Base::Choice(ChoiceFrom::Dealt(cards)), Shape::WholeOr(..)) => Some(cards.to_string()),
            (_, Shape::WholeOr(..)) => None,
            (Base::Choice(_), _) => Some(text("choice")),
            (Base::Dealt, _) => Some(text("dealt")),
            (Base::Rank(rank), _) => Some(text(&rank.to_string())),
        }
    }
}

/// `casino.jackpot.won_by`
impl Field for WonBy {
    fn read(&mut self, reader: &mut Reader, node: &Node) -> bool {
        let cards = || number_of(node, reader.def.shape).map(|cards| WonBy::Cards(cards as u16));
        let won_by = if node.get_ref().as_str() == Some("win") { Some(WonBy::Win) } else { cards() };
        reader.put(node, self, won_by)
    }

    fn write(&self, _: Shape) -> Option<String> {
        Some(match self {
            WonBy::Win => text("win"),
            WonBy::Cards(cards) => cards.to_string(),
        })
    }
}
