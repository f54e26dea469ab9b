//! The studio, a local web app over one folder.
//!
//! `clients` bounds what anyone can hold open, `gate` judges every request before anything else sees it, `folder` is the
//! only way to the disk, and `routes` hands what is left to the parts: `design` for the form and its text, `play` for games
//! whose figures stream, `scripts` for strategies, `game` for the table, `sweep`, `export`, `jobs` and `gallery`. Pages are
//! written here, on the server; what moves in them is in `assets`.

mod app;
mod assets;
mod clients;
mod design;
mod export;
mod folder;
mod gallery;
mod game;
mod gate;
mod jobs;
mod mailbox;
mod pages;
mod play;
mod players;
mod program;
mod routes;
mod scripts;
mod serve;
mod sweep;
mod work;

pub use folder::{Folder, NotInFolder};
pub use serve::{Server, Settings, open_browser};
