//! Random valid rulesets that use every key.

use proptest::prelude::*;
use saratoga::cards::{Pack, Purpose, Rank, below, generator};
use saratoga::rules::*;

pub const FILLERS: [Filler; 5] =
    [Filler::Reserve, Filler::Waste, Filler::Stock, Filler::Tableau, Filler::Foundation];

/// Returns the `number`-th ruleset of a fixed series.
pub fn numbered(number: u64) -> Spec {
    let mut rng = generator(number, 0, Purpose::Deal);
    build(|n| below(&mut rng, n as u32) as usize)
}

/// Rulesets that shrink towards Canfield key by key.
pub fn specs() -> impl Strategy<Value = Spec> {
    prop::collection::vec(any::<u16>(), 64).prop_map(|choices| {
        let mut choices = choices.into_iter();
        build(|n| usize::from(choices.next().expect("enough choices")) % n)
    })
}

/// Builds a ruleset; `pick(n)` returns a number in `0..n`, where 0 is Canfield's value.
pub fn build(mut pick: impl FnMut(usize) -> usize) -> Spec {
    let mut spec = Spec { name: "random".into(), ..Spec::default() };
    let (r, f, t) = (Part::Reserve, Part::Foundation, Part::Tableau);
    let orders = [[r, f, t], [r, t, f], [f, r, t], [f, t, r], [t, r, f], [t, f, r]];
    spec.deal.order = orders[pick(6)].to_vec();
    spec.deal.packs = [1, 1, 1, 1, 2, 2, 3, 4][pick(8)];
    spec.reserve.piles = [1, 1, 2, 0, 3, 4][pick(6)];
    spec.reserve.size =
        [13, 6, 0, 1, 2, 3, 20, 40][pick(8)].min(fewest_cards(&spec) / spec.reserve.piles.max(1));
    spec.reserve.face = [ReserveFace::Top, ReserveFace::All, ReserveFace::Last][pick(3)];
    tableau(&mut spec, &mut pick);
    spaces(&mut spec.spaces, &mut pick);
    foundation(&mut spec, &mut pick);
    stock(&mut spec.stock, &mut pick);
    spec.barren_passes = [None, Some(1), Some(2), Some(3)][pick(4)];
    spec.idle_redeals = [None, None, None, None, None, Some(1), Some(2), Some(3)][pick(8)];
    if spec.idle_redeals.is_some() {
        spec.barren_passes = None;
    }
    match pick(4) {
        3 => small(spec, Pack { ranks: [4, 5, 6, 8, 10, 12][pick(6)], suits: [2, 3, 4][pick(3)] }),
        _ => spec,
    }
}

/// Returns the small brother of a ruleset: the same game with a smaller pack.
///
/// There are as many piles as before for each suit, at least two, and each is dealt as much of the ranks as before;
/// each reserve has the same share of the pack. Shares are rounded up. If that is still too much, the fullest piles lose
/// cards, then the reserves, then piles go. Ranks are taken round the ring, and payments come at the same shares of the pack.
pub fn small(mut spec: Spec, pack: Pack) -> Spec {
    let (before, suits, ranks) =
        (spec.pack.cards(), usize::from(spec.pack.suits), usize::from(spec.pack.ranks));
    let share = |n: usize, new: usize, old: usize| (n * new).div_ceil(old);
    spec.pack = pack;
    let (new_suits, new_ranks) = (usize::from(pack.suits), usize::from(pack.ranks));
    let of_pack = |n: u16| share(n.into(), pack.cards(), before) as u16;
    spec.reserve.size = of_pack(spec.reserve.size.into()) as u8;
    let piles = share(spec.piles(), new_suits, suits).clamp(2.min(spec.piles()), spec.piles());
    let deal = &mut spec.tableau.deal;
    // The last piles are the fullest of some games: they stay.
    deal.drain(..deal.len() - piles);
    deal.iter_mut().for_each(|cards| *cards = share((*cards).into(), new_ranks, ranks) as u8);
    let round = |rank: Rank| Rank::from_index(rank.index() % new_ranks);
    match &mut spec.foundation.base {
        Base::Rank(rank) => *rank = round(*rank),
        Base::Choice(ChoiceFrom::Dealt(offered)) => *offered = piles as u8 + 1,
        _ => {}
    }
    if let SpaceRank::Rank(rank) = &mut spec.spaces.rank {
        *rank = round(*rank);
    }
    while spec.reserve_cards() + spec.tableau_cards() + spec.put_up_cards() > spec.cards() {
        match spec.tableau.deal.iter_mut().max() {
            Some(fullest @ 2..) => *fullest -= 1,
            _ if spec.reserve.size > 1 => spec.reserve.size -= 1,
            _ => drop(spec.tableau.deal.pop()),
        }
        if let Base::Choice(ChoiceFrom::Dealt(offered)) = &mut spec.foundation.base {
            *offered = spec.tableau.deal.len() as u8 + 1;
        }
    }
    let casino = &mut spec.casino;
    casino.stake = share(casino.stake as usize, pack.cards(), before) as i64;
    casino.steps.iter_mut().for_each(|step| step.from = of_pack(step.from));
    casino.steps.dedup_by_key(|step| step.from);
    if let Some(Jackpot { won_by: WonBy::Cards(cards), .. }) = &mut casino.jackpot {
        *cards = of_pack(*cards);
    }
    spec
}

/// Returns how many cards the deal may lay out whatever the foundations take: 48 of each pack.
fn fewest_cards(spec: &Spec) -> u8 {
    48 * spec.deal.packs
}

fn tableau(spec: &mut Spec, pick: &mut impl FnMut(usize) -> usize) {
    let mut left = fewest_cards(spec) - spec.reserve.piles * spec.reserve.size;
    let tableau = &mut spec.tableau;
    let piles = [4, 1, 2, 3, 5, 6, 8, 16][pick(8)];
    let most = [1, 2, 3, 5, 40][pick(5)];
    tableau.deal.clear();
    for pile in 0..piles {
        let wanted = if pile < 8 { [1, 0, 2, 3, 4, 30][pick(6)].min(most) } else { 1 };
        tableau.deal.push(left.min(wanted));
        left -= tableau.deal[pile];
    }
    tableau.face = [TableauFace::All, TableauFace::Top, TableauFace::Alternate][pick(3)];
    tableau.build = [Build::AlternateColor, Build::SameSuit, Build::SameColor, Build::Any][pick(4)];
    tableau.direction = [Direction::Down, Direction::Up, Direction::Same][pick(3)];
    tableau.wrap = [Wrap::Full, Wrap::ToBase, Wrap::None][pick(3)];
    let units = [MoveUnit::SingleOrWhole, MoveUnit::Single, MoveUnit::Whole, MoveUnit::Sequence];
    tableau.unit = units[pick(4)];
    tableau.max_height = [0, 0, 4, 6][pick(4)];
    if tableau.max_height > 0 {
        tableau.deal.iter_mut().for_each(|cards| *cards = (*cards).min(tableau.max_height));
    }
}

/// Chooses the foundations, and what a choice of the base card requires of the rest.
fn foundation(spec: &mut Spec, pick: &mut impl FnMut(usize) -> usize) {
    let rank = Rank::from_index(pick(13));
    let (base, start) = match pick(8) {
        0..3 => (Base::Dealt, Start::One),
        3 => (Base::Rank(rank), Start::All),
        4 | 5 => (Base::Rank(rank), Start::None),
        6 => (Base::Choice(ChoiceFrom::Reserve), Start::None),
        _ => {
            // One of the dealt cards goes up, each of the others becomes a pile.
            let most = spec.cards() - usize::from(spec.reserve.piles * spec.reserve.size);
            let piles = spec.piles().min(most - 1);
            spec.tableau.deal = vec![1; piles];
            (Base::Choice(ChoiceFrom::Dealt(piles as u8 + 1)), Start::None)
        }
    };
    if base == Base::Choice(ChoiceFrom::Reserve) {
        let reserve = &mut spec.reserve;
        // Each reserve has a visible card.
        if reserve.piles == 0 || reserve.size == 0 || reserve.face == ReserveFace::Last {
            reserve.size = 1;
        }
        reserve.piles = reserve.piles.max(1);
    }
    (spec.foundation.base, spec.foundation.start) = (base, start);
    spec.foundation.returns = [Returns::Never, Returns::Top, Returns::TopExceptBase][pick(3)];
    spec.foundation.base_play = [BasePlay::Optional, BasePlay::Forced][pick(2)];
}

fn spaces(spaces: &mut SpacesSpec, pick: &mut impl FnMut(usize) -> usize) {
    // How many sources fill a space automatically, and which of their orders is used.
    let (r, w, s) = (Filler::Reserve, Filler::Waste, Filler::Stock);
    let orders = [[r, s, w], [r, w, s], [w, r, s], [w, s, r], [s, r, w], [s, w, r]];
    spaces.auto = orders[pick(6)][..[1, 0, 2, 3][pick(4)]].to_vec();
    let set = |bits: usize| (0..5).filter(|i| bits >> i & 1 == 1).map(|i| FILLERS[i]).collect();
    spaces.while_reserve = set(pick(32));
    // Waste and tableau by default.
    spaces.after_reserve = set(pick(32) ^ 0b01010);
    spaces.rank = match pick(20) {
        i @ 1..14 => SpaceRank::Rank(Rank::from_index(i)),
        14 | 15 => SpaceRank::Base,
        16 | 17 => SpaceRank::BelowBase,
        _ => SpaceRank::Any,
    };
}

fn stock(stock: &mut StockSpec, pick: &mut impl FnMut(usize) -> usize) {
    let die = |faces, roll| Draw::Die { faces, roll };
    let lists = [vec![3], vec![1], vec![2], vec![3, 2, 1], vec![2, 1, 2], vec![5, 5]];
    stock.draw = match pick(9) {
        i @ 0..6 => Draw::ByPass(lists[i].clone()),
        6 => die(6, Roll::Draw),
        7 => die([6, 3][pick(2)], Roll::Pass),
        _ => die(6, Roll::Game),
    };
    stock.redeals = [None, None, Some(0), Some(1), Some(3)][pick(5)];
    stock.on_redeal = [OnRedeal::Turn, OnRedeal::Turn, OnRedeal::Shuffle][pick(3)];
    stock.waste = [WasteFace::Fanned, WasteFace::Squared][pick(2)];
    stock.opening_draw = pick(2) == 1;
}
