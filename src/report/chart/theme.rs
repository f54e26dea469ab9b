//! Colours of the charts, by what they stand for. Those of the two sides are Okabe and Ito's, darkened or lightened until
//! they stand out from the page. Those of series are told apart by colour-blind readers too, and are neither blue nor
//! orange: these always mean a side.

use plotters::style::RGBColor;

use super::marks::Role;

/// Which page a chart is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white; also what is printed.
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// How many players or rulesets have colours of their own.
pub(super) const SERIES: usize = 7;

/// One colour for each role. Within a palette no two are equal: inline charts are told apart by them.
pub(super) struct Palette {
    pub paper: RGBColor,
    pub ink: RGBColor,
    pub muted: RGBColor,
    pub grid: RGBColor,
    pub house: RGBColor,
    pub player: RGBColor,
    pub clairvoyant: RGBColor,
    pub series: [RGBColor; SERIES],
}

const LIGHT: Palette = Palette {
    paper: RGBColor(255, 255, 255),
    ink: RGBColor(27, 31, 36),
    muted: RGBColor(87, 96, 106),
    grid: RGBColor(221, 225, 230),
    house: RGBColor(0, 114, 178),
    player: RGBColor(213, 94, 0),
    clairvoyant: RGBColor(159, 62, 122),
    series: [
        RGBColor(0, 121, 90),
        RGBColor(75, 29, 143),
        RGBColor(166, 30, 34),
        RGBColor(76, 163, 60),
        RGBColor(140, 116, 240),
        RGBColor(107, 95, 0),
        RGBColor(214, 73, 154),
    ],
};

const DARK: Palette = Palette {
    paper: RGBColor(20, 24, 29),
    ink: RGBColor(230, 234, 239),
    muted: RGBColor(163, 173, 184),
    grid: RGBColor(51, 58, 66),
    house: RGBColor(86, 180, 233),
    player: RGBColor(230, 159, 0),
    clairvoyant: RGBColor(219, 142, 188),
    series: [
        RGBColor(44, 194, 149),
        RGBColor(160, 107, 255),
        RGBColor(224, 82, 79),
        RGBColor(174, 243, 145),
        RGBColor(201, 184, 255),
        RGBColor(255, 240, 102),
        RGBColor(154, 134, 72),
    ],
};

impl Theme {
    pub(super) const fn palette(self) -> &'static Palette {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

impl Palette {
    pub fn of(&self, role: Role) -> RGBColor {
        match role {
            Role::Paper => self.paper,
            Role::Ink => self.ink,
            Role::Muted => self.muted,
            Role::House => self.house,
            Role::Player => self.player,
            Role::Clairvoyant => self.clairvoyant,
            Role::Series(i) => self.series[i % SERIES],
        }
    }

    /// Each colour with the name of the CSS property that stands for it in an HTML page.
    pub fn named(&self) -> impl Iterator<Item = (String, RGBColor)> {
        let roles = [
            ("paper", self.paper),
            ("ink", self.ink),
            ("muted", self.muted),
            ("grid", self.grid),
            ("house", self.house),
            ("player", self.player),
            ("clairvoyant", self.clairvoyant),
        ];
        let roles = roles.into_iter().map(|(name, colour)| (format!("--c-{name}"), colour));
        roles.chain(self.series.into_iter().enumerate().map(|(i, colour)| (format!("--c-{}", i + 1), colour)))
    }

    /// The colours as declarations of CSS properties.
    pub fn css(&self) -> String {
        self.named().map(|(name, colour)| format!("{name}:{};", hex(colour))).collect()
    }
}

/// `#RRGGBB`, in the capitals that plotters writes.
pub(super) fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How light a colour is, as WCAG 2 counts.
    fn light(RGBColor(r, g, b): RGBColor) -> f64 {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b)
    }

    #[test]
    fn colours_differ_and_stand_out() {
        for palette in [&LIGHT, &DARK] {
            let all: Vec<(String, RGBColor)> = palette.named().collect();
            for (i, (name, colour)) in all.iter().enumerate() {
                assert!(all[..i].iter().all(|other| other.1 != *colour), "{name}");
                let (a, b) = (light(*colour) + 0.05, light(palette.of(Role::Paper)) + 0.05);
                assert!(name == "--c-paper" || name == "--c-grid" || a.max(b) / a.min(b) > 3.0, "{name}");
            }
        }
    }
}
