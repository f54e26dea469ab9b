//! Charts with every kind of mark and with unusual data: well formed, and no text leaves the picture or overlaps
//! another.

use super::layout::Layout;
use super::page::{TEXT, WIDTH};
use super::*;
use crate::format::{FormattedEstimate, fixed, percent};
use crate::stats::Estimate;

fn e(value: f64, half: f64) -> Estimate {
    Estimate { value, low: value - half, high: value + half }
}

fn tick(v: f64, d: usize) -> String {
    format!("{}%", fixed(v, d))
}

fn named(name: &str, chart: Chart) -> Chart {
    Chart {
        name: name.into(),
        title: "What was found, in a sentence that is so long that it needs a second line of the picture to be told".into(),
        subtitle: "Canfield, played by greedy: 1,000,000 games, seed 1; and as much again about a night of two hundred decks".into(),
        caption: "What is seen <here> & there.".into(),
        ..chart
    }
}

fn rows(n: usize, name: &str, half: f64) -> Chart {
    let row = |i: usize| Row {
        name: format!("{name}, {i}"),
        estimate: e(i as f64 / 50.0 - 0.1, half),
        bounds: (i == 1).then_some((0.1, 0.3)),
        role: Role::Series(i),
        said: percent(e(i as f64 / 50.0 - 0.1, half)),
    };
    let rows: Vec<Row> = (0..n).map(row).map(Row::percent).collect();
    let x = Axis::new("house edge, % of the stake", (-15.0, 60.0), 8, tick);
    Chart::rows(x, rows, "points", Mark::sides_along().to_vec()).divided(Divide::sides())
}

/// Figures with as many digits as possible.
fn long_numbers() -> Chart {
    let said = |value: &str, interval: &str| FormattedEstimate {
        interval: interval.into(),
        ..FormattedEstimate::exact(value.into())
    };
    let row = |i: usize| {
        let said = said("+99.99999944%", "99.99999942% to 100.00000000%, and −$1,999,999,999.9999");
        Row::new(format!("tiny-pay, {i}"), e(i as f64, 0.001), Role::House, said)
    };
    let x = Axis::new("price", (1e9, 4e12), 8, |v, _| format!("$ {}", fixed(v, 8)));
    let chart = Chart::rows(x, (0..3).map(row).collect(), "points", Vec::new());
    let label = "now $10,000,000,000.0000: an edge of +99.9999944% (99.99999942% to 100.00000000%), as it was measured before";
    Chart {
        keys: vec![Key::interval(Role::House, format!("{label}; {label}"))],
        markers: vec![Marker::new(2e12, Role::Ink, format!("{label} by {label}"))],
        ..chart
    }
}

fn line(n: usize) -> Chart {
    let points: Vec<(f64, Estimate)> = (0..n).map(|i| (i as f64, e((i as f64).sin() * 40.0, 4.0))).collect();
    let x = Axis::new("decks sold", (0.0, n.max(1) as f64), 8, fixed);
    let y = Axis::new("house edge, %", (-30.0, 30.0), 6, tick);
    let mut marks = Mark::sides_above().to_vec();
    marks.extend(Mark::curve(&points, Role::Series(0)));
    marks.push(Mark::dots(points.iter().map(|(x, e)| (*x, e.value)).collect(), Role::Ink, 9));
    marks.push(Mark::note((WHOLE.0, WHOLE.1), "the house wins", Role::House, Stand::Right));
    marks.push(Mark::note((WHOLE.1, WHOLE.0), "the player wins", Role::Player, Stand::Left));
    let markers =
        [2.0, 2.5, n as f64].map(|at| Marker::new(at, Role::Ink, format!("a value worth a name: {at}")));
    let names = ["one", "two", "three"]
        .map(|name| Key::line(Role::Series(1), format!("the edge against {name}, as it is")));
    let beside = (0..4).map(|i| Beside {
        at: f64::from(i),
        text: format!("line {i}"),
        more: String::new(),
        role: Role::Series(i as usize),
    });
    let mut chart = Chart::plot(x, y, marks);
    chart.panels[0].beside = beside.collect();
    Chart { markers: markers.to_vec(), keys: names.to_vec(), ..chart }
}

fn map(columns: usize, rows: usize, panels: usize) -> Chart {
    let shades = Shades {
        scale: Axis::new("", (-20.0, 60.0), 6, tick),
        centre: 0.0,
        reach: 60.0,
        below: Role::Player,
        above: Role::House,
        ends: ["player gains".into(), "house gains".into()],
    };
    let cell = |i: usize| Cell {
        x: i % columns,
        y: i / columns,
        fill: (i != 3).then(|| shades.of(i as f64)),
        forms: vec![
            [format!("+{i}.5%"), "±0.4".into()],
            [format!("+{i}%"), String::new()],
            [i.to_string(), String::new()],
        ],
    };
    let panel = |i: usize| Panel {
        title: if panels > 1 { format!("panel {i}") } else { String::new() },
        x: Axis::columns("price of the deck (across)", (0..columns).map(|i| format!("${i}.50"))),
        y: Axis::rows("redeals (down)", (0..rows).map(|i| format!("{i} redeals"))),
        marks: vec![Mark::Cells((0..columns * rows).map(cell).collect())],
        ..Panel::default()
    };
    let panels = (0..panels).map(panel).collect();
    Chart { panels, shades: Some(shades.clone()), height: rows as i32 * 64, ..Chart::default() }
}

fn bars() -> Chart {
    let bar = |i: usize| Bar {
        x: (i as f64 - 0.4, i as f64 + 0.4),
        y: (0.0, if i == 7 { 80.0 } else { i as f64 }),
        role: Role::House,
        shade: 1.0,
    };
    let x = Axis::whole("cards", 52, 4);
    let y = Axis::new("share of games, %", (0.0, 30.0), 5, tick);
    Chart::plot(x, y, vec![Mark::Bars((0..53).map(bar).collect())])
}

fn odd() -> Chart {
    let nan = f64::NAN;
    let points = vec![(0.0, 1.0), (nan, 2.0), (1.0, nan), (2.0, f64::INFINITY), (3.0, -1e300)];
    let x = Axis::new("x", (nan, nan), 8, tick);
    let y = Axis::new("y", (1.0, 1.0), 8, tick);
    let band = points.iter().map(|(x, y)| (*x, *y - 1.0, *y + 1.0)).collect();
    let none = Estimate { value: nan, low: nan, high: nan };
    let marks = vec![
        Mark::line(points.clone(), Role::House),
        Mark::Line { points: points.clone(), role: Role::Ink, width: 3, broken: true },
        Mark::dots(points, Role::Ink, 9),
        Mark::band(band, Role::Player, 0.3),
        Mark::Bars(vec![Bar { x: (0.0, nan), y: (0.0, 1.0), role: Role::Ink, shade: 1.0 }]),
        Mark::Interval { row: 0.5, estimate: none, bounds: Some((nan, 1.0)), role: Role::Ink },
        Mark::note((nan, nan), "w".repeat(300), Role::Ink, Stand::Middle),
    ];
    Chart { markers: vec![Marker::new(nan, Role::Ink, "m".repeat(300))], ..Chart::plot(x, y, marks) }
}

fn all() -> Vec<Chart> {
    let long = "a ruleset with a name that is far too long for the room that rows have for names of rulesets";
    vec![
        named("rows", rows(4, "canfield, greedy", 0.001)),
        named("rows-wide", rows(20, "canfield", 0.05)),
        named("rows-long", rows(3, long, 0.03)),
        named("no-rows", rows(0, "", 0.0)),
        named("long-numbers", long_numbers()),
        named("line", line(60)),
        named("point", line(1)),
        named("no-line", line(0)),
        named("map", map(3, 3, 1)),
        named("map-of-many", map(12, 10, 4)),
        named("map-of-too-many", map(60, 30, 2)),
        named("bars", bars()),
        named("odd", odd()),
        Chart::default(),
    ]
}

/// A text of a picture with its bounding box in pixels.
#[derive(Debug)]
struct Label {
    text: String,
    x: (f64, f64),
    y: (f64, f64),
}

fn labels(svg: &str) -> Vec<Label> {
    let xml = roxmltree::Document::parse(svg).unwrap();
    let texts = xml.descendants().filter(|node| node.has_tag_name("text"));
    let label = |node: roxmltree::Node<'_, '_>| {
        let number = |name: &str| node.attribute(name).unwrap().parse::<f64>().unwrap();
        let text = node.text().unwrap_or("").trim().to_string();
        // plotters puts the middle of a line half its size below `y`, using `dy`.
        let em = number("font-size");
        let wide = page::width(&text, em);
        let x = number("x");
        let left = match node.attribute("text-anchor") {
            Some("end") => x - wide,
            Some("middle") => x - wide / 2.0,
            _ => x,
        };
        let y = number("y");
        Label { text, x: (left, left + wide), y: (y - em * 0.4, y + em * 0.4) }
    };
    texts.map(label).collect()
}

#[test]
fn texts_stay_in_the_picture_and_apart() {
    for chart in all() {
        let (name, height) = (chart.name.clone(), f64::from(Layout::of(&chart).height));
        for theme in [Theme::Light, Theme::Dark] {
            let svg = chart.svg(theme).unwrap();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{name}");
            let labels = labels(&svg);
            for (i, a) in labels.iter().enumerate() {
                let inside = a.x.0 >= 0.0 && a.x.1 <= f64::from(WIDTH) && a.y.0 >= 0.0 && a.y.1 <= height;
                assert!(inside, "{name}: {a:?} in {WIDTH} x {height}");
                let cut = a
                    .text
                    .split(' ')
                    .find(|it| it.contains('…') && it.contains(|c: char| c.is_ascii_digit()));
                assert!(cut.is_none(), "{name}: a number is cut: {cut:?} of {a:?}");
                for b in &labels[..i] {
                    let meet = |a: (f64, f64), b: (f64, f64)| a.0 + 1.0 < b.1 && b.0 + 1.0 < a.1;
                    assert!(!(meet(a.x, b.x) && meet(a.y, b.y)), "{name}: {a:?} and {b:?}");
                }
            }
        }
        let inline = chart.inline_svg().unwrap();
        assert!(!inline.contains("=\"#"), "a colour that the page cannot change: {name}");
    }
}

/// Infinite limits are missing ones, not the borders of the plot.
#[test]
fn intervals_without_limits_are_left_out() {
    let drawn = |with: bool| {
        let none = |i: i32| Estimate { value: f64::from(i), low: f64::NEG_INFINITY, high: f64::INFINITY };
        let points: Vec<(f64, Estimate)> = (0..4).map(|i| (f64::from(i), none(i))).collect();
        let [band, curve] = Mark::curve(&points, Role::House);
        let limits = Mark::limits(1.0, none(1), Role::Ink, 3);
        let marks = if with { vec![band, curve, limits] } else { vec![curve] };
        let axis = || Axis::new("x", (0.0, 3.0), 3, fixed);
        named("limits", Chart::plot(axis(), axis(), marks)).svg(Theme::Light).unwrap()
    };
    assert_eq!(drawn(true), drawn(false));
}

#[test]
fn names_that_the_font_cannot_write_go_by_another() {
    let told = |name: &str| Chart { subtitle: format!("{name}: 3 games"), ..named("name", line(3)) };
    let (long, own) = (told("四つの山 (four)"), told("four"));
    let files = long.files(&[("四つの山", "four".into())]).unwrap();
    let bytes = |name: &str| &files.iter().find(|file| file.name == name).unwrap().bytes;
    assert_eq!(*bytes("name.png"), own.png(Theme::Light).unwrap());
    assert!(String::from_utf8_lossy(bytes("name.svg")).contains("四つの山 (four): 3 games"));
    let drawn = told("Новый «Кэнфилд» (four)");
    let files = drawn.files(&[]).unwrap();
    assert_eq!(files[1].bytes, drawn.png(Theme::Light).unwrap());
}

#[test]
fn cells_keep_their_numbers_while_they_can_be_read() {
    assert_eq!(map(3, 3, 1).form(), Some(0));
    assert_eq!(map(10, 6, 2).form(), Some(0));
    assert!(map(20, 10, 1).form().is_some());
    assert_eq!(map(60, 30, 2).form(), None);
}

#[test]
fn colours_go_by_name() {
    let hues = Hues::new(["greedy", "patient", "greedy"]);
    assert_eq!([hues.of("greedy"), hues.of("patient")], [Role::Series(0), Role::Series(1)]);
    assert!(page::width(&pair(&"w".repeat(99), &"m".repeat(99)), TEXT) <= f64::from(NAMES));
}
