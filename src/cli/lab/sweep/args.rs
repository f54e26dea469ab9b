//! The command line of sweeps.

use std::fmt;
use std::str::FromStr;

use clap::Args;

use super::super::RunArgs;
use crate::cli::numbers::{Count, whole};
use crate::lab::sweep::MOST_CELLS;
use crate::stats::Precision;

/// Games of all cells together, unless the command line says otherwise.
pub(super) const BUDGET: u64 = 10_000_000;

/// Show how changes of the rules change the game: the house edge, the win rate and the mean cards in every cell
#[derive(Args, Debug)]
#[command(after_help = "\
Each --vary is an axis: a key of the ruleset and its values. 1..5 is 1, 2, 3, 4
and 5: BOTH ENDS are meant; 5..20:3 is every third from 5 on; lists are divided
by commas, and words need no quotes. Several strategies, or several rulesets with
--rules, are an axis too. Up to three axes make a full grid; more need --latin N,
which takes N cells spread evenly over each axis. Values that make no game are
shown as such, with the reason. `saratoga rules show RULES` shows the keys.

Cells of the same pack are dealt the same deals. Each gets 2,000 games; then games
go, in rounds, to the cells that need them, until the 95% interval of every cell
is within --precision, and within half of it where the edge is near 0 (or near
--target-edge), or until --budget is spent. Cells are saved in the report's
folder, if one is written, as they finish: the same command then goes on with an
interrupted sweep, and ends with the same bytes. What is saved has a checksum:
where it is damaged the sweep is refused, and --restart begins anew.

Examples:
  saratoga sweep canfield --vary stock.redeals=0..5,unlimited -s greedy -s patient
  saratoga sweep demon-casino --vary stock.draw=1..5 --vary stock.redeals=0,1,2,unlimited
  saratoga sweep --vary stock.draw=1..3 --vary stock.redeals=0..3 --vary reserve.size=5..20:5
  saratoga sweep exorcism-die-pass --vary stock.draw.die=2..8 --target-edge 5%
  saratoga sweep --rules canfield,storehouse,chameleon --vary stock.redeals=0..3
  saratoga sweep --vary 'stock.draw=3,[3,2,1],{ die = 6, roll = pass }' --json
  saratoga sweep --vary reserve.size=5..20 --vary stock.draw=1..5 --vary casino.stake=40..60 \\
    --vary tableau.build=alternate-color,same-suit,any --latin 60")]
pub(in crate::cli) struct SweepArgs {
    /// The ruleset that is changed: a name on the shelf, or a path [default: canfield]
    #[arg(value_name = "RULES", conflicts_with = "several")]
    pub rules: Option<String>,
    /// Several rulesets as an axis: canfield,storehouse
    #[arg(long = "rules", value_name = "RULES,...", value_delimiter = ',')]
    pub several: Vec<String>,
    /// A key of the ruleset with its values: stock.draw=1..5; may be repeated
    #[arg(long, value_name = "KEY=VALUES")]
    pub vary: Vec<String>,
    /// A strategy: a name on the shelf, or a path; several are an axis [default: greedy]
    #[arg(short, long = "strategy", value_name = "STRATEGY")]
    pub strategies: Vec<String>,
    /// Play so many cells of a Latin hypercube instead of all
    #[arg(long, value_name = "CELLS", value_parser = whole(1, MOST_CELLS as u64), allow_negative_numbers = true)]
    pub latin: Option<u64>,
    /// The house edge that matters: 0%, 5%
    #[arg(long, value_name = "EDGE", default_value = "0%", allow_hyphen_values = true)]
    pub target_edge: Percent,
    /// Half-width of every cell's 95% interval: 1pp (points of the house edge), 0.05 (mean cards)
    /// [default: 1pp, or 0.1 where a deck is free]
    #[arg(long, value_name = "WIDTH", allow_negative_numbers = true)]
    pub precision: Option<Precision>,
    /// Most games of all cells together: 500k, 1e7
    #[arg(long, value_name = "GAMES", default_value_t = Count(BUDGET), allow_negative_numbers = true)]
    pub budget: Count,
    /// Begin anew, whatever sweep is saved in the report's folder
    #[arg(long)]
    pub restart: bool,
    #[command(flatten)]
    pub run: RunArgs,
}

/// A house edge as people write it: `5%`, `-2.5%`.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cli) struct Percent {
    /// As a fraction.
    pub value: f64,
    text: String,
}

impl FromStr for Percent {
    type Err = String;

    fn from_str(text: &str) -> Result<Percent, String> {
        let number = text.trim().strip_suffix('%').and_then(|number| number.trim_end().parse::<f64>().ok());
        match number {
            // A player never loses more than the stake.
            Some(number) if number.is_finite() && (-10_000.0..100.0).contains(&number) => {
                // Not minus 0.
                let value = number / 100.0 + 0.0;
                Ok(Percent { value, text: format!("{}%", number + 0.0) })
            }
            _ => Err("write an edge in percent of the stake, below 100%: 5%, 2.5%, -1%".into()),
        }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_in_percent() {
        let read = |text: &str| text.parse::<Percent>().map(|edge| (edge.value, edge.to_string()));
        assert_eq!(read("5%"), Ok((0.05, "5%".into())));
        assert_eq!(read(" -2.50 %"), Ok((-0.025, "-2.5%".into())));
        assert_eq!(read("-0%"), Ok((0.0, "0%".into())));
        for bad in ["5", "0.05", "100%", "%", "nan%", "five%"] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
