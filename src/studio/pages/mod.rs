//! The static part of the pages.

mod design;
mod gallery;
mod scripts;
mod table;

use maud::{DOCTYPE, Markup, html};

pub(super) use design::design;
pub(super) use gallery::gallery;
pub(super) use scripts::scripts;
pub(super) use table::table;

/// Renders what to choose from: files of the folder and names of a shelf, each after its prefix.
fn choices(
    (file, files): (&str, &[String]),
    (shelf, names): (&str, &[(&str, &str)]),
    chosen: Option<&str>,
) -> Markup {
    html! {
        @if !files.is_empty() {
            optgroup label="This folder" { @for name in files { option value={ (file) (name) } { (name) } } }
        }
        optgroup label="Shelf" {
            @for (name, _) in names {
                option value={ (shelf) (name) } selected[chosen == Some(*name)] { (name) }
            }
        }
    }
}

/// The pages of the studio, for the navigation bar.
const PAGES: [(&str, &str); 4] =
    [("/", "Designer"), ("/table", "Table"), ("/scripts", "Scripts"), ("/gallery", "Gallery")];

/// Renders a page around its content, with an optional script.
fn page(title: &str, at: &str, token: &str, script: Option<&str>, content: &Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="saratoga-token" content=(token);
                title { (title) " · Saratoga studio" }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/studio.css";
                @if let Some(script) = script {
                    script type="module" src={ "/assets/" (script) } {}
                }
            }
            body.studio {
                a.skip href="#content" { "Skip to the content" }
                header.bar {
                    strong.brand { "Saratoga" }
                    nav aria-label="Pages" {
                        @for (href, name) in PAGES {
                            a href=(href) id={ "to-" (name.to_lowercase()) } aria-current=[(href == at).then_some("page")] { (name) }
                        }
                    }
                }
                (content)
            }
        }
    };
    page.into_string()
}
