//! Colours of the charts, by what they stand for. Those of the two sides are Okabe and Ito's, darkened or lightened until
//! they stand out from the page. Those of series are told apart by colour-blind readers too, and are neither blue nor
//! orange: these always mean a side.

use super::marks::{Role, SERIES};

/// Which page a chart is drawn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark ink on white; also what is printed.
    Light,
    /// Light ink on a dark page.
    Dark,
}

type Rgb = (u8, u8, u8);

/// The CSS property of each colour in HTML pages, with the colour in light and in dark: those of roles, then of series.
const COLOURS: [(&str, Rgb, Rgb); 7 + SERIES] = [
    ("--c-paper", (255, 255, 255), (20, 24, 29)),
    ("--c-ink", (27, 31, 36), (230, 234, 239)),
    ("--c-muted", (87, 96, 106), (163, 173, 184)),
    ("--c-grid", (221, 225, 230), (51, 58, 66)),
    ("--c-house", (0, 114, 178), (86, 180, 233)),
    ("--c-player", (213, 94, 0), (230, 159, 0)),
    ("--c-clairvoyant", (159, 62, 122), (219, 142, 188)),
    ("--c-1", (0, 121, 90), (44, 194, 149)),
    ("--c-2", (75, 29, 143), (160, 107, 255)),
    ("--c-3", (166, 30, 34), (224, 82, 79)),
    ("--c-4", (76, 163, 60), (174, 243, 145)),
    ("--c-5", (140, 116, 240), (201, 184, 255)),
    ("--c-6", (107, 95, 0), (255, 240, 102)),
    ("--c-7", (214, 73, 154), (154, 134, 72)),
];

impl Role {
    fn colour(self) -> &'static (&'static str, Rgb, Rgb) {
        &COLOURS[match self {
            Role::Paper => 0,
            Role::Ink => 1,
            Role::Muted => 2,
            Role::Grid => 3,
            Role::House => 4,
            Role::Player => 5,
            Role::Clairvoyant => 6,
            Role::Series(i) => 7 + i % SERIES,
        }]
    }

    /// The CSS property that stands for it in an HTML page.
    pub(super) fn property(self) -> &'static str {
        self.colour().0
    }

    pub(super) fn rgb(self, theme: Theme) -> Rgb {
        let (_, light, dark) = *self.colour();
        if theme == Theme::Light { light } else { dark }
    }
}

/// The colours of a theme as declarations of CSS properties.
pub(crate) fn css(theme: Theme) -> String {
    let colour = |(name, light, dark): (&str, Rgb, Rgb)| {
        format!("{name}:{};", hex(if theme == Theme::Light { light } else { dark }))
    };
    COLOURS.into_iter().map(colour).collect()
}

/// `#RRGGBB`
pub(super) fn hex((r, g, b): Rgb) -> String {
    format!("#{r:02X}{g:02X}{b:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How light a colour is, as WCAG 2 counts.
    fn light((r, g, b): Rgb) -> f64 {
        let part = |c: u8| {
            let c = f64::from(c) / 255.0;
            if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05
    }

    #[test]
    fn colours_stand_out_from_the_page() {
        for pick in [|it: &(&str, Rgb, Rgb)| it.1, |it: &(&str, Rgb, Rgb)| it.2] {
            let paper = light(pick(&COLOURS[0]));
            for it in COLOURS.iter().filter(|it| !["--c-paper", "--c-grid"].contains(&it.0)) {
                let colour = light(pick(it));
                assert!(colour.max(paper) / colour.min(paper) > 3.0, "{}", it.0);
            }
        }
    }
}
