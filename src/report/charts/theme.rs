//! Colours of the charts, by what they stand for. The hues are Okabe and Ito's, told apart by
//! colour-blind readers, darkened or lightened until they stand out from the page.

use plotters::style::RGBColor;

/// Which page a chart is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white; also what is printed.
    Light,
    /// Light ink on a dark page.
    Dark,
}

/// One colour for each role. Within a palette no two are equal: inline charts are told apart by them.
pub(super) struct Palette {
    pub paper: RGBColor,
    pub ink: RGBColor,
    pub muted: RGBColor,
    pub grid: RGBColor,
    /// What is good for the house.
    pub house: RGBColor,
    /// What is good for the player.
    pub player: RGBColor,
    /// Data on neither side.
    pub plain: RGBColor,
    /// The same, where there are two.
    pub violet: RGBColor,
}

const LIGHT: Palette = Palette {
    paper: RGBColor(255, 255, 255),
    ink: RGBColor(27, 31, 36),
    muted: RGBColor(87, 96, 106),
    grid: RGBColor(221, 225, 230),
    house: RGBColor(0, 114, 178),
    player: RGBColor(213, 94, 0),
    plain: RGBColor(0, 121, 90),
    violet: RGBColor(159, 62, 122),
};

const DARK: Palette = Palette {
    paper: RGBColor(20, 24, 29),
    ink: RGBColor(230, 234, 239),
    muted: RGBColor(163, 173, 184),
    grid: RGBColor(51, 58, 66),
    house: RGBColor(86, 180, 233),
    player: RGBColor(230, 159, 0),
    plain: RGBColor(44, 194, 149),
    violet: RGBColor(219, 142, 188),
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
    /// Each colour with the name of the CSS property that stands for it in an HTML page.
    pub fn named(&self) -> [(&'static str, RGBColor); 8] {
        [
            ("--c-paper", self.paper),
            ("--c-ink", self.ink),
            ("--c-muted", self.muted),
            ("--c-grid", self.grid),
            ("--c-house", self.house),
            ("--c-player", self.player),
            ("--c-plain", self.plain),
            ("--c-violet", self.violet),
        ]
    }

    /// The colours as declarations of CSS properties.
    pub fn css(&self) -> String {
        self.named().map(|(name, colour)| format!("{name}:{};", hex(colour))).concat()
    }
}

/// `#RRGGBB`, in the capitals that plotters writes.
pub(super) fn hex(RGBColor(r, g, b): RGBColor) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}
