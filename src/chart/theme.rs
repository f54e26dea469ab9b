//! Colours of the charts, by role. Those of the two sides are Okabe and Ito's, darkened or lightened until they stand
//! out from the page. Those of series are also distinguishable for colour-blind readers, and are neither blue nor
//! orange: these always mean a side.

use plotters::style::RGBColor;

use crate::format::Side;
use crate::stats::Estimate;

/// Number of distinct colours for players or rulesets.
const SERIES: usize = 7;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Role {
    /// The page itself, for outlines that set a line off.
    Paper,
    #[default]
    Ink,
    Muted,
    Grid,
    /// The house gains. Nothing else is blue.
    House,
    /// The player gains. Nothing else is orange.
    Player,
    Clairvoyant,
    /// Data of one of several players or rulesets; for a single one, the first.
    Series(usize),
}

impl Role {
    /// Returns the side that a house edge favours, with confidence.
    pub fn of_edge(edge: Estimate) -> Role {
        Role::of_side(Side::of(edge))
    }

    pub fn of_side(side: Side) -> Role {
        match side {
            Side::House => Role::House,
            Side::Player => Role::Player,
            Side::Open => Role::Muted,
        }
    }
}

/// Colours of a page: each player or ruleset has one, in all its charts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hues(Vec<String>);

impl Hues {
    pub fn new<T: Into<String>>(names: impl IntoIterator<Item = T>) -> Hues {
        let mut all: Vec<String> = Vec::new();
        for name in names.into_iter().map(Into::into) {
            if !all.contains(&name) {
                all.push(name);
            }
        }
        Hues(all)
    }

    /// Returns the colour of a name; after the last colour, the first is used again.
    pub fn of(&self, name: &str) -> Role {
        Role::Series(self.0.iter().position(|it| it == name).unwrap_or(0) % SERIES)
    }
}

/// Theme of the page for which a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white; also used in print.
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// CSS property of each colour in HTML pages, with the colour in light and in dark: roles, then series.
const COLOURS: [(&str, RGBColor, RGBColor); 7 + SERIES] = [
    ("--c-paper", RGBColor(255, 255, 255), RGBColor(20, 24, 29)),
    ("--c-ink", RGBColor(27, 31, 36), RGBColor(230, 234, 239)),
    ("--c-muted", RGBColor(87, 96, 106), RGBColor(163, 173, 184)),
    ("--c-grid", RGBColor(221, 225, 230), RGBColor(51, 58, 66)),
    ("--c-house", RGBColor(0, 114, 178), RGBColor(86, 180, 233)),
    ("--c-player", RGBColor(213, 94, 0), RGBColor(230, 159, 0)),
    ("--c-clairvoyant", RGBColor(159, 62, 122), RGBColor(219, 142, 188)),
    ("--c-1", RGBColor(0, 121, 90), RGBColor(44, 194, 149)),
    ("--c-2", RGBColor(75, 29, 143), RGBColor(160, 107, 255)),
    ("--c-3", RGBColor(166, 30, 34), RGBColor(224, 82, 79)),
    ("--c-4", RGBColor(76, 163, 60), RGBColor(174, 243, 145)),
    ("--c-5", RGBColor(140, 116, 240), RGBColor(201, 184, 255)),
    ("--c-6", RGBColor(107, 95, 0), RGBColor(255, 240, 102)),
    ("--c-7", RGBColor(214, 73, 154), RGBColor(154, 134, 72)),
];

impl Role {
    pub(super) fn colour(self, theme: Theme) -> RGBColor {
        let (_, light, dark) = COLOURS[match self {
            Role::Paper => 0,
            Role::Ink => 1,
            Role::Muted => 2,
            Role::Grid => 3,
            Role::House => 4,
            Role::Player => 5,
            Role::Clairvoyant => 6,
            Role::Series(i) => 7 + i % SERIES,
        }];
        if theme == Theme::Light { light } else { dark }
    }
}

/// Returns the colours of a theme as declarations of CSS properties.
pub(crate) fn css(theme: Theme) -> String {
    let colour =
        |(name, light, dark)| format!("{name}:{};", hex(if theme == Theme::Light { light } else { dark }));
    COLOURS.into_iter().map(colour).collect()
}

/// Replaces colours in an SVG of the light theme by CSS properties with these colours as fallback.
pub(super) fn with_properties(svg: String) -> String {
    COLOURS.into_iter().fold(svg, |svg, (name, light, _)| {
        svg.replace(&format!("\"{}\"", hex(light)), &format!("\"var({name}, {})\"", hex(light)))
    })
}

/// `#RRGGBB`
fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance of a colour, by WCAG 2.
    fn light(RGBColor(r, g, b): RGBColor) -> f64 {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05
    }

    #[test]
    fn colours_stand_out_from_the_page() {
        for pick in [|it: &(&str, RGBColor, RGBColor)| it.1, |it: &(&str, RGBColor, RGBColor)| it.2] {
            let paper = light(pick(&COLOURS[0]));
            for it in COLOURS.iter().filter(|it| !["--c-paper", "--c-grid"].contains(&it.0)) {
                let colour = light(pick(it));
                assert!(colour.max(paper) / colour.min(paper) > 3.0, "{}", it.0);
            }
        }
    }
}
