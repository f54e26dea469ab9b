//! A test that may stop early, and what can be said after it has.
//!
//! # The test
//!
//! Two players, A and B, are compared by the differences of their games on the same deals. Under H1 A is better
//! by at least `d` on average, under H0 B is. A single sequential probability ratio test (SPRT) between the two
//! would have to answer one of them even where the players are equal, each half of the time. So there are two, as Sobel
//! and Wald have it for three decisions (Annals of Mathematical Statistics 20, 1949, 502-522): one of `+d`
//! against no difference, one of `-d` against no difference.
//!
//! Each is a generalized SPRT, as testers of chess engines use it (M. Van den Bergh's for Fishtest, in the
//! normal approximation): the log-likelihood ratio after `n` games with the sum of differences `S` is
//!
//! ```text
//! LLR(+d) = ( d S - n d^2 / 2) / v        LLR(-d) = (-d S - n d^2 / 2) / v
//! ```
//!
//! where `v` is the variance of a difference as measured so far. Their difference, `2 d S / v`, is the ratio of
//! H1 against H0. With the error rates alpha and beta the answer is
//!
//! - **A** once LLR(+d) is at least ln(2 / alpha), **B** once LLR(-d) is;
//! - **no difference of that size** once both are at most ln(beta).
//!
//! A likelihood ratio has the mean 1 where its denominator is true, so that it ever reaches 2 / alpha with
//! probability alpha / 2 at most (Wald 1947; Ville's inequality). Hence, whenever the games are looked at and however
//! far a bound is overshot: with no difference, A or B is found in at most alpha of all runs; with a difference of d, its
//! opposite or "no difference" is answered in at most beta. Both hold as far as the mean of very many games is normal
//! and its variance known.
//!
//! The variance is that of the games played and of two more, on one of which A did as much better as can be, on the
//! other B: where no difference was seen yet, some must be reckoned with (Fishtest too begins with parts of games).
//!
//! # After it
//!
//! Who stops when things look good overstates the difference. [`StoppedTest::estimate`] is median-unbiased: too high as often
//! as too low. It is the difference at which a mean like that seen or a higher one would have come out of
//! half of all runs of the same test; its limits are those with 2.5% and 97.5%. Runs are ordered by their means (Emerson and
//! Fleming, Biometrika 77, 1990, 875-892), and their probabilities found look by look, by numerical integration (Armitage,
//! McPherson and Rowe, Journal of the Royal Statistical Society A 132, 1969, 235-244).

mod estimate;
mod test;
mod walk;

pub use estimate::StoppedTest;
pub use test::{SequentialTest, TestState, Verdict};
