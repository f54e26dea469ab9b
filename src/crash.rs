//! Bugs in the program itself: a panic is caught where its cause can be reported, as an internal error.

use std::any::Any;
use std::cell::RefCell;
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crash {
    message: String,
    /// File, line and column in the program's source, if known.
    place: Option<String>,
}

impl fmt::Display for Crash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.place {
            Some(place) => write!(f, " ({place})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Crash {}

thread_local! {
    /// The last panic of this thread: the payload of a panic does not contain its location.
    static LAST: RefCell<Option<Crash>> = const { RefCell::new(None) };
}

/// Runs some work and catches its panic. After a panic, nothing that the work has changed may be used.
///
/// # Errors
/// The panic.
pub fn guard<T>(work: impl FnOnce() -> T) -> Result<T, Crash> {
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|thrown| {
        let last = LAST.with_borrow_mut(Option::take);
        last.unwrap_or_else(|| Crash { message: said(&*thrown), place: None })
    })
}

/// Makes panics of this process available to [`guard`] instead of printing them; if `RUST_BACKTRACE` requests more,
/// they are printed too.
pub fn keep() {
    let printed = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info: &PanicHookInfo<'_>| {
        if printed {
            print(info);
        }
        let place = info.location().map(|place| shortened(&place.to_string()));
        let crash = Crash { message: said(info.payload()), place };
        // The thread-local of a thread that is ending may be gone.
        let _ = LAST.try_with(|last| last.replace(Some(crash)));
    }));
}

/// Returns a location in a library without the folders of the machine on which the program was built.
fn shortened(place: &str) -> String {
    let library = place.split_once("/registry/src/").and_then(|(_, rest)| rest.split_once('/'));
    library.map_or(place, |(_, inside)| inside).to_string()
}

/// Returns the message of a panic.
fn said(thrown: &dyn Any) -> String {
    let text = thrown.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| thrown.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic without a message".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_short() {
        assert_eq!(shortened("src/game/table.rs:7:9"), "src/game/table.rs:7:9");
        let library = "/home/me/.cargo/registry/src/index.crates.io-1/rhai-1.2.3/src/lib.rs:1:2";
        assert_eq!(shortened(library), "rhai-1.2.3/src/lib.rs:1:2");
    }

    #[test]
    fn a_panic_is_caught_with_what_it_says() {
        assert_eq!(guard(|| 7), Ok(7));
        let crash = guard(|| panic!("at {}", 7)).unwrap_err();
        assert_eq!(crash.to_string(), "at 7");
        assert_eq!(guard(|| panic::panic_any(7)).unwrap_err().to_string(), "a panic without a message");
    }
}
