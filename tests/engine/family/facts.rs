//! The table of facts, and the contents of its rows.

use saratoga::cards::Card;
use saratoga::rules::{
    Base, BasePlay, Build, ChoiceFrom, Direction, Draw, Filler, MoveUnit, Returns, Roll, SpaceRank, Spec,
    Wrap,
};

const TABLE: &str = include_str!("../../data/family.tsv");

/// One game's row: column by column, as text.
pub struct Facts {
    columns: Vec<&'static str>,
    cells: Vec<&'static str>,
}

/// Returns every row of the table.
pub fn facts() -> Vec<Facts> {
    let mut lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    let columns: Vec<&str> = lines.next().unwrap().split('\t').collect();
    let row = |line: &'static str| Facts { columns: columns.clone(), cells: line.split('\t').collect() };
    let rows: Vec<Facts> = lines.map(row).collect();
    for row in &rows {
        assert_eq!(row.cells.len(), row.columns.len(), "{:?}", row.cells);
    }
    rows
}

impl Facts {
    /// Returns a cell of the row.
    pub fn get(&self, column: &str) -> &'static str {
        let at = self.columns.iter().position(|known| *known == column);
        self.cells[at.unwrap_or_else(|| panic!("no column {column}"))]
    }

    pub fn game(&self) -> &'static str {
        self.get("game")
    }

    pub fn number(&self, column: &str) -> usize {
        self.get(column).parse().unwrap_or_else(|_| panic!("{}: {column}", self.game()))
    }

    /// Returns the number of cards of each reserve.
    pub fn reserves(&self) -> Vec<usize> {
        let (piles, size) = self.get("reserve").split_once(' ').unwrap().0.split_once('x').unwrap();
        vec![size.parse().unwrap(); piles.parse().unwrap()]
    }

    /// Returns what is face up: `t`, `a` or `L`.
    pub fn reserve_face(&self) -> &'static str {
        self.get("reserve").split_once(' ').unwrap().1
    }

    /// Returns the piles of the tableau, each from the bottom up, with `U` for a face-up card.
    pub fn piles(&self) -> Vec<String> {
        let (piles, face) = self.get("tableau").split_once(' ').unwrap();
        let sizes: Vec<usize> = match piles.split_once("..") {
            Some((first, last)) => (first.parse().unwrap()..=last.parse().unwrap()).collect(),
            None => {
                let (piles, size) = piles.split_once('x').unwrap();
                vec![size.parse().unwrap(); piles.parse().unwrap()]
            }
        };
        let pile = |size: &usize| match face {
            "u" => "U".repeat(*size),
            "t" => "D".repeat(size - 1) + "U",
            pattern => pattern.to_string(),
        };
        sizes.iter().map(pile).collect()
    }

    /// Returns the number of base cards put up by the deal.
    pub fn put_up(&self) -> usize {
        match self.get("base").split_once('/') {
            Some((_, "all")) => 4 * self.number("packs"),
            Some((_, number)) => number.parse().unwrap(),
            None => 0,
        }
    }

    /// Returns packet sizes by pass, the last of which repeats; `None` if a die decides.
    pub fn draw(&self) -> Option<Vec<usize>> {
        let text = self.get("draw");
        (!text.starts_with('d')).then(|| text.split(',').map(|size| size.parse().unwrap()).collect())
    }

    /// Returns the number of redeals; `None` if there is no limit.
    pub fn redeals(&self) -> Option<usize> {
        let text = self.get("redeals");
        (text != "inf").then(|| text.parse().unwrap())
    }

    pub fn yes(&self, column: &str) -> bool {
        self.get(column) == "yes"
    }

    /// Returns whether a card may be built on another, determined rank by rank.
    pub fn fits(&self, card: Card, on: Card, base: u32) -> bool {
        let build = self.get("build");
        let up = build.starts_with("up ");
        let (suits, wrap) = build.trim_start_matches("up ").split_once(' ').unwrap();
        let same = card.suit() == on.suit();
        let colours = card.suit().is_red() != on.suit().is_red();
        let suits = match suits {
            "AC" => colours,
            "SS" => same,
            _ => true,
        };
        let rank = |card: Card| card.rank().index() as u32;
        let (low, high) = if up { (rank(on), rank(card)) } else { (rank(card), rank(on)) };
        let cut = match wrap {
            "w" => None,
            "-" => Some(0),
            _ => Some(base),
        };
        suits && (low + 1) % 13 == high && cut != Some(high)
    }

    /// Asserts that the ruleset agrees with the row about moves; money is not checked.
    pub fn agree(&self, spec: &Spec) {
        let game = self.game();
        let filler = |word: &str| match word {
            "reserve" => Filler::Reserve,
            "waste" => Filler::Waste,
            "stock" => Filler::Stock,
            "tableau" => Filler::Tableau,
            other => panic!("{game}: {other}"),
        };
        let fillers =
            |column| self.get(column).split(' ').filter(|word| *word != "-").map(filler).collect::<Vec<_>>();
        assert_eq!(spec.spaces.auto, fillers("auto"), "{game}");
        assert_eq!(spec.spaces.while_reserve, fillers("while"), "{game}");
        assert_eq!(spec.spaces.after_reserve, fillers("after"), "{game}");
        let rank = match spec.spaces.rank {
            SpaceRank::Any => "any".to_string(),
            SpaceRank::Rank(rank) => rank.to_string(),
            other => panic!("{game}: {other:?}"),
        };
        assert_eq!(rank, self.get("rank"), "{game}");
        let unit = match spec.tableau.unit {
            MoveUnit::Single => "1",
            MoveUnit::Whole => "W",
            MoveUnit::SingleOrWhole => "1|W",
            MoveUnit::Sequence => "Seq",
        };
        assert_eq!(unit, self.get("unit"), "{game}");
        let build = match (spec.tableau.direction, spec.tableau.build, spec.tableau.wrap) {
            (Direction::Down, build, wrap) => format!("{} {}", suits(build), cut(wrap)),
            (Direction::Up, build, wrap) => format!("up {} {}", suits(build), cut(wrap)),
            (other, ..) => panic!("{game}: {other:?}"),
        };
        assert_eq!(build, self.get("build"), "{game}");
        let base = match spec.foundation.base {
            Base::Dealt => "dealt".to_string(),
            Base::Rank(rank) => rank.to_string(),
            Base::Choice(ChoiceFrom::Reserve) => "choice reserve".into(),
            Base::Choice(ChoiceFrom::Dealt(cards)) => format!("choice {cards}"),
        };
        assert_eq!(base, self.get("base").split('/').next().unwrap(), "{game}");
        let returns = if spec.foundation.returns == Returns::Top { "top" } else { "no" };
        assert_eq!(returns, self.get("return"), "{game}");
        assert_eq!(spec.foundation.base_play == BasePlay::Forced, self.yes("forced"), "{game}");
        assert_eq!(spec.stock.opening_draw, self.yes("opening"), "{game}");
        if let Draw::Die { faces, roll } = spec.stock.draw {
            let roll = match roll {
                Roll::Draw => "draw",
                Roll::Pass => "pass",
                Roll::Game => "game",
            };
            assert_eq!(format!("d{faces} {roll}"), self.get("draw"), "{game}");
        }
    }
}

fn suits(build: Build) -> &'static str {
    match build {
        Build::AlternateColor => "AC",
        Build::SameSuit => "SS",
        Build::SameColor => "SC",
        Build::Any => "RK",
    }
}

fn cut(wrap: Wrap) -> &'static str {
    match wrap {
        Wrap::Full => "w",
        Wrap::None => "-",
        Wrap::ToBase => "base",
    }
}
