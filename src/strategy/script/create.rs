//! Creates scripts with the players that they may ask.

use std::rc::Rc;
use std::sync::Arc;

use rhai::Engine;

use crate::diagnostic::{Diagnostic, SourceText};

use super::eval_context::Context;
use super::load::load;
use super::playout_player::PlayoutPlayers;
use super::strategy::{Options, Script};

impl Script {
    /// Loads a script, to be compiled and run under the usual limits.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn new(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options::default())
    }

    /// Loads a script, to be run only by Rhai's interpreter.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn interpreted(name: &str, source: &Arc<SourceText>) -> Result<Script, Vec<Diagnostic>> {
        Script::with(name, source, Options { compile: false, ..Options::default() })
    }

    /// Loads a script with the given options.
    ///
    /// # Errors
    /// Returns every fault of the script.
    pub fn with(name: &str, source: &Arc<SourceText>, options: Options) -> Result<Script, Vec<Diagnostic>> {
        let players = PlayoutPlayers::new(Some(source.clone()));
        let loaded = load(source, options.limits, None, Rc::new(players), |_, _| ())?;
        Ok(Script::of(name, source, loaded, options))
    }

    /// Loads a script whose engine `extend` adds to, to be run only by Rhai's interpreter, as are its functions that play
    /// deals on.
    pub(super) fn extended(
        name: &str,
        source: &Arc<SourceText>,
        extend: impl FnOnce(&mut Engine, &Context),
    ) -> Result<Script, Vec<Diagnostic>> {
        let loaded = load(source, true, None, Rc::new(PlayoutPlayers::new(None)), extend)?;
        Ok(Script::of(name, source, loaded, Options { compile: false, limits: true }))
    }
}
