use saratoga::contest::*;
use saratoga::rules::*;
use saratoga::strategy;
fn main() {
    let toml = |s: &str| saratoga::rules::parse_text("x.toml", s);
    let _ = toml;
    let mut spec = rules_klondike();
    spec.scores =
        vec![Score { name: "points".into(), foundation_card: 1, out_first: 10, ..Score::default() }];
    let rules = Rules::new(spec).unwrap();
    let player = |n: usize, speed| PlayerSpec {
        name: format!("P{n}"),
        strategy: "greedy".into(),
        speed,
        jitter: 200,
        team: None,
    };
    for (n, fast) in [(4, 1000), (4, 2000), (8, 1000)] {
        let spec = ContestSpec {
            name: "r".into(),
            also: vec![],
            about: "".into(),
            source: "".into(),
            rules: "".into(),
            foundations: Foundations::Shared,
            score: "points".into(),
            deal_ends: DealEnd::AllUp,
            goal: Goal::Deals(4),
            gather: 30_000,
            players: (0..n).map(|i| player(i, if i == 0 { fast } else { 1000 })).collect(),
        };
        let g = strategy::load("greedy").unwrap();
        let mut arena = Arena::new(&spec, &rules, (0..n).map(|_| g.instantiate()).collect());
        let t = std::time::Instant::now();
        let (mut wins, mut late, mut act, mut out, mut stuck, mut pts, mut sec) =
            (vec![0; n], 0, 0, 0, 0, vec![0; n], 0);
        let m = 500;
        for i in 0..m {
            let o = arena.play(1, i, &mut ()).unwrap();
            if o.winners.len() == 1 {
                wins[o.winners[0]] += 1;
            }
            out += o.out;
            stuck += o.stuck;
            sec += o.micros / 1_000_000;
            for (k, p) in o.players.iter().enumerate() {
                late += p.late;
                act += p.actions;
                pts[k] += p.points;
                assert_eq!(p.runaways, 0);
            }
        }
        println!(
            "n {n} fast {fast}: wins {wins:?} late {late} actions {act} out {out} stuck {stuck} points {:?} sec/match {} time {:?}",
            pts.iter().map(|p| p / m as i64).collect::<Vec<_>>(),
            sec / m,
            t.elapsed()
        );
    }
}
fn rules_klondike() -> Spec {
    let mut s = Spec { name: "rd".into(), ..Spec::default() };
    s.reserve.piles = 0;
    s.tableau.deal = vec![1, 2, 3, 4, 5, 6, 7];
    s.tableau.face = TableauFace::Top;
    s.tableau.wrap = Wrap::None;
    s.tableau.unit = MoveUnit::Sequence;
    s.spaces.auto = vec![];
    s.spaces.rank = SpaceRank::Rank(saratoga::cards::Rank::KING);
    s.foundation.base = Base::Rank(saratoga::cards::Rank::ACE);
    s.foundation.start = Start::None;
    s
}
