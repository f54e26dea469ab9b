//! The studio, a local web app for one folder.
//!
//! `gate` checks every request first, and `folder` is the only way to the disk. `routes` dispatches requests to their
//! handlers: `design` for the form and its text, `play` for simulations with streamed results, `scripts` for strategies,
//! `game` for the game page, and `sweep`, `jobs` and `gallery`. Pages are rendered on the server; their scripts are in
//! `assets`.

mod app;
mod assets;
mod child;
mod design;
mod folder;
mod gallery;
mod game;
mod gate;
mod jobs;
mod mailbox;
mod pages;
mod play;
mod players;
mod routes;
mod scripts;
mod serve;
mod sweep;

pub use folder::{Folder, NotInFolder};
pub use serve::{Server, Settings, open_browser};
