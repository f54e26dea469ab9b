//! Panics of the script library are faults of the script.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    /// A panic of this thread is caught, and told elsewhere.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs what may panic; an error is what the panic says. What it has changed by then is the caller's to put right.
///
/// # Errors
/// The message of the panic.
pub fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    static QUIET: Once = Once::new();
    QUIET.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !CAUGHT.get() {
                usual(panic);
            }
        }));
    });
    let outer = CAUGHT.replace(true);
    let result = catch_unwind(AssertUnwindSafe(run));
    CAUGHT.set(outer);
    result.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        text.unwrap_or_else(|| "it does not say why".into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_with_its_words() {
        assert_eq!(guarded(|| 5), Ok(5));
        assert_eq!(guarded(|| -> i64 { panic!("no {}", "more") }), Err("no more".into()));
        let within = guarded(|| guarded(|| -> i64 { panic!("inner") }).is_err());
        assert_eq!(within, Ok(true));
    }
}
