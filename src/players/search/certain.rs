//! Plays that no other play can improve on, so that no search is needed. Without this rule they would be put off,
//! because they look equally good later in known worlds, and might not be possible later in the real game.

use crate::game::{Move, MoveList, Place, View};
use crate::rules::{Build, Direction, Draw, Filler, MoveUnit};

/// Returns a play of such a kind, if one is legal.
///
/// With piles built down in suit, only one card fits on another, and it goes up before that one does, unless the other
/// is a base card. So it takes no other card's place and blocks nothing there, and once it can go up nothing needs it
/// as a place. Runs move as a whole, piles may be of any height, and with one card per draw each card of the stock
/// comes by regardless of what was taken from the waste.
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
    // If spaces are filled from the waste automatically, taking one card changes the order of the others.
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
            // The move empties the pile, and the space would be filled with a different card at a later time.
            Place::Pile(pile) => goes_up && table.pile_len(pile) > 1,
            _ => false,
        }
    };
    legal.iter().copied().find(|m| applies && certain(m))
}
