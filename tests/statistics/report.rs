//! Reports of made-up results: charts are well formed and drawn, pages are self-contained, nothing panics.

use crate::statistics::looks;
use crate::statistics::samples::{Sample, hump, night, report, sample, summary};
use proptest::prelude::*;
use saratoga::chart::Theme;
use saratoga::report::document_html;
use saratoga::rules::{Casino, Spec};
use saratoga::stats::{Estimate, Night, RunningPoint};

/// Sets of entries as in real runs: one, a few, and many with long names.
fn sets() -> Vec<(&'static str, Vec<Sample>)> {
    let few = vec![
        sample("canfield", "greedy", 7.0, 0.04, 1_000_000),
        sample("canfield", "patient", 8.6, 0.071, 1_000_000),
        sample("demon-casino", "greedy", 6.4, 0.03, 1_000_000),
        sample("superior", "patient", 11.0, 0.25, 1_000_000),
    ];
    let many = (0..15)
        .map(|i| {
            let name = format!("the-house-variant-with-a-rather-long-name-<&\"{i}\">");
            let strategy = if i % 2 == 0 { "greedy" } else { "scripts/my-own-very-patient-player-v2" };
            sample(&name, strategy, 6.0 + f64::from(i) * 0.5, 0.01 * f64::from(i), 3000)
        })
        .collect();
    let mut four = sample("four packs", "greedy", 40.0, 0.0, 50_000);
    four.rules.deal.packs = 4;
    four.rules.casino = Casino {
        stake: 20_800,
        stages: Vec::new(),
        pays_per_card: 500,
        pays_for_win: 0,
        currency: "EUR".into(),
        ..Spec::default().casino
    };
    let histogram = hump(208, 40.0, 16.0, 0.0, 50_000);
    four.summary = summary(&histogram, &four.rules.casino);
    four.night = night(&histogram, &four.rules.casino, 1000);
    let mut same = sample("always ten", "clock", 7.0, 0.0, 1);
    same.summary =
        summary(&std::array::from_fn::<_, 53, _>(|c| if c == 10 { 500 } else { 0 }), &same.rules.casino);
    let sold_at = |name: &str, stake| {
        let mut it = sample(name, "greedy", 7.0, 0.01, 40_000);
        it.rules.casino.stake = stake;
        it.summary = summary(&it.summary.histogram, &it.rules.casino);
        it
    };
    let edges = vec![
        crate::statistics::samples::staged("bsd", 50_000),
        four,
        sample("one game", "greedy", 7.0, 0.0, 1),
        same,
        sold_at("cheap", 500),
        sold_at("dear", 60_000),
    ];
    vec![
        ("edges", edges),
        ("one", vec![sample("canfield", "greedy", 7.0, 0.04, 1_000_000)]),
        ("few", few),
        ("many", many),
    ]
}

/// Returns red, green and blue of every pixel, and the width.
fn decode(bytes: &[u8]) -> (Vec<u8>, usize) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (pixels, info.width as usize)
}

#[test]
fn names_are_shown_as_written() {
    let samples = [sample("a <b> & \"c\"", "d'e\u{7}", 7.0, 0.04, 1000)];
    let report = report(samples);
    for chart in report.document().charts() {
        let svg = chart.svg(Theme::Light).unwrap();
        let xml = roxmltree::Document::parse(&svg).unwrap();
        let named = xml.descendants().filter_map(|n| n.text()).any(|t| t.contains("a <b> & \"c\", "));
        assert!(named, "{}", chart.name());
    }
    let page = document_html(&report.document()).unwrap();
    assert!(page.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !page.contains("a <b>"));
}

#[test]
fn png_text_is_drawn_from_the_program_alone() {
    let samples = [sample("canfield", "greedy", 7.0, 0.04, 1000)];
    for chart in report(samples).document().charts() {
        for theme in [Theme::Light, Theme::Dark] {
            let (pixels, width) = decode(&chart.png(theme).unwrap());
            let paper = &pixels[..3];
            let ink = |x: usize, y: usize| pixels[(y * width + x) * 3..][..3] != *paper;
            let title = (26..64).flat_map(|y| (32..200).map(move |x| (x, y))).filter(|&(x, y)| ink(x, y));
            assert!(title.count() > 500, "{}", chart.name());
            // Nothing reaches the edges of the picture.
            let height = pixels.len() / 3 / width;
            assert!(!(0..width).any(|x| ink(x, 2) || ink(x, height - 3)), "{}", chart.name());
            assert!(!(0..height).any(|y| ink(4, y) || ink(width - 5, y)), "{}", chart.name());
        }
    }
}

#[test]
fn pages_stand_alone() {
    for (_, samples) in sets() {
        let report = report(samples);
        looks::charts(&report.document(), "");
        let page = looks::page(&report.document());
        assert!(page.contains(&report.run.command));
        let mut ids: Vec<&str> = page.split(" id=\"").skip(1).filter_map(|it| it.split('"').next()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), report.found.entries.len());
    }
}

#[test]
fn files_have_names_of_their_own() {
    let twice = || sample("canfield", "greedy", 7.0, 0.04, 5000);
    let samples = [twice(), twice(), sample("♠♠", "♥", 7.0, 0.04, 5000)];
    let report = report(samples);
    let mut names: Vec<String> = report.document().charts().map(|c| c.name().to_string()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!((all, names.len()), (14, 14), "{names:?}");
    let files = report.document().charts().next().unwrap().files(&[]).unwrap();
    let files: Vec<&str> = files.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(files, ["win-rates.svg", "win-rates.png", "win-rates-dark.svg", "win-rates-dark.png"]);
}

#[test]
fn without_a_price_there_is_no_edge() {
    let mut one = sample("canfield", "greedy", 7.0, 0.04, 1000);
    one.rules.casino.stake = 0;
    one.summary = summary(&one.summary.histogram, &one.rules.casino);
    one.night = None;
    let samples = [one];
    let report = report(samples);
    let names: Vec<String> = report.document().charts().map(|c| c.name().to_string()).collect();
    assert_eq!(names, ["win-rates", "cards"]);
    assert!(document_html(&report.document()).unwrap().contains("there is no house edge"));
}

fn odd() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -1e6..1e6f64,
        1 => prop::sample::select(vec![0.0, -0.0, 1e-300, 1e300, -1e300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]),
    ]
}

fn odd_estimate() -> impl Strategy<Value = Estimate> {
    (odd(), odd(), odd()).prop_map(|(value, low, high)| Estimate { value, low, high })
}

prop_compose! {
    fn odd_sample()(
        name in ".{0,60}",
        strategy in ".{0,60}",
        currency in ".{0,4}",
        stake in prop::sample::select(vec![0, 1, 100, 5200, 1_000_000_000_000]),
        pays_per_card in prop::sample::select(vec![0, 1, 500, 10_000_000_000]),
        pays_for_win in prop::sample::select(vec![0, 10_000]),
        histogram in (prop::sample::select(vec![53usize, 105, 157, 209]), 0..5u64).prop_flat_map(|(n, most)| {
            prop::collection::vec(prop_oneof![6 => Just(0), 1 => 0..=most.pow(9)], n)
        }),
        night in prop::option::of(prop::collection::vec(
            (any::<u32>(), prop::array::uniform5(odd())), 0..6,
        )),
        losing_probability in odd(),
        spoil in prop::option::of((odd_estimate(), odd_estimate(), odd_estimate(), any::<bool>())),
        running in prop::option::of(prop::collection::vec((any::<u64>(), odd_estimate()), 0..5)),
    ) -> Sample {
        let casino = Casino { stake, stages: Vec::new(), pays_per_card, pays_for_win, currency, ..Spec::default().casino };
        let mut summary = summary(&histogram, &casino);
        if let Some((edge, rate, fair, in_steps)) = spoil {
            summary.house_edge = Some(edge);
            summary.win_rate = rate;
            summary.fair_price = if in_steps { None } else { Some(fair) };
            summary.stakes = in_steps.then(|| crate::statistics::samples::stakes(fair, rate));
        }
        if let Some(running) = running {
            summary.running = running.into_iter().map(|(games, edge)| RunningPoint { games, edge }).collect();
        }
        let night = night.map(|points| {
            let (decks, quantiles) = points.into_iter().unzip();
            Night { decks, quantiles, losing_probability, normal_from: None }
        });
        Sample { rules: Spec { name, casino, ..Spec::default() }, strategy, summary, night }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_the_figures_all_is_drawn(samples in prop::collection::vec(odd_sample(), 1..4), pick in any::<prop::sample::Index>()) {
        let report = report(samples);
        let document = report.document();
        let charts: Vec<_> = document.charts().collect();
        for chart in &charts {
            let svg = chart.svg(Theme::Light).unwrap();
            prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
            prop_assert!(!svg.contains("NaN") || report.found.entries.iter().any(|it| it.rules.contains("NaN")));
        }
        prop_assert!(document_html(&document).is_ok());
        let png = charts[pick.index(charts.len())].png(Theme::Dark).unwrap();
        prop_assert!(png.len() > 1000);
    }
}
