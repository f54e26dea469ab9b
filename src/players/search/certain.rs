//! Plays that no other can be better than, so that nothing has to be thought about: what is put off because it looks as good
//! later in worlds that are known, may not come again in the game.

use crate::game::{Move, MoveList, Place, View};
use crate::rules::{Build, Direction, Draw, Filler, MoveUnit};

/// A play of such a kind, if one is legal.
///
/// Where piles are built down in suit, only one card fits on another, and it goes up before that one does, unless the other
/// is a base card. So it takes nobody's place and is in nobody's way there, and once it can go up nothing needs it as a
/// place. Runs move as a whole, piles may be of any height, and with one card a draw each card of the stock comes by whatever
/// was taken from the waste.
pub(super) fn play(view: &View<'_>, legal: &MoveList) -> Option<Move> {
    let rules = view.rules();
    let (tableau, base) = (&rules.tableau, view.base()?);
    let one_at_a_time =
        matches!(&rules.stock.draw, Draw::ByPass(sizes) if sizes.iter().all(|&size| size == 1));
    let applies = rules.deal.packs == 1
        && tableau.build == Build::SameSuit
        && tableau.direction == Direction::Down
        && tableau.unit != MoveUnit::Single
        && tableau.max_height == 0
        && one_at_a_time
        && view.seats() == 1;
    // Cards of the waste that fill spaces by themselves come in another order once one of them is taken.
    let by_reserve = view.compiled().auto.iter().all(|filler| *filler == Filler::Reserve);
    let table = view.own_table();
    let certain = |m: &Move| {
        let card = table.lowest_moved(*m);
        let goes_up = m.to_foundation() && card.rank() != base;
        let goes_on = match m.target() {
            Place::Pile(pile) => {
                table.pile_len(pile) > 0 && table.top_of_pile(pile).rank() != base && !view.wants(card)
            }
            _ => false,
        };
        match m.source() {
            Place::Reserve(_) => goes_up || goes_on,
            Place::Waste => by_reserve && (goes_up || goes_on),
            // A space is filled, with something else now than later.
            Place::Pile(pile) => goes_up && table.pile_len(pile) > 1,
            _ => false,
        }
    };
    legal.iter().copied().find(|m| applies && certain(m))
}
