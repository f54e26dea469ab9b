//! The gallery: the reports of the folder.

use maud::html;

use crate::studio::Folder;
use crate::studio::gallery::list;

use super::page;

pub(in crate::studio) fn gallery(folder: &Folder, token: &str) -> String {
    let reports = list(folder);
    let content = html! {
        main.gallery id="content" {
            h1 { "Reports" }
            @if reports.is_empty() {
                p { "There is no report in this folder yet. Export one from the designer, or run " code { "saratoga simulate" } " here." }
            }
            ul.reports {
                @for it in &reports {
                    li {
                        a href={ "/reports/" (it.name) "/index.html" } {
                            @if let Some([light, dark]) = &it.picture {
                                picture {
                                    source srcset=(dark) media="(prefers-color-scheme:dark)";
                                    img src=(light) alt="" loading="lazy" width="800" height="400";
                                }
                            } @else { span.blank aria-hidden="true" {} }
                            b { (it.title) }
                            span.muted { (it.name) ", " (it.age()) }
                        }
                    }
                }
            }
        }
    };
    page("Gallery", "/gallery", token, None, &content)
}
