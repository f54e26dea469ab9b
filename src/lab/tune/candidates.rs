//! Candidate values of a script's parameters.

use std::collections::BTreeSet;

use crate::cards::{Purpose, Seed, below, generator};
use crate::strategy::script::Parameter;

/// Returns the default values of the parameters, in their order.
pub fn defaults(parameters: &[Parameter]) -> Vec<i64> {
    parameters.iter().map(|parameter| parameter.default).collect()
}

/// Returns the candidates of a generation, all different, `middle` first. Generation 0 covers the whole range of the
/// parameters; each later one covers a range around `middle` that is a quarter as wide as before. If there are at
/// most `n` combinations, all are returned; otherwise the candidates are a Latin hypercube (McKay, Beckman and
/// Conover 1979): each parameter is divided into strata of equal size, each of which is used once.
pub fn generation(
    parameters: &[Parameter],
    middle: &[i64],
    number: usize,
    n: usize,
    seed: Seed,
) -> Vec<Vec<i64>> {
    let ranges: Vec<(i64, i64)> =
        parameters.iter().zip(middle).map(|(parameter, &at)| around(parameter, at, number)).collect();
    let mut seen = BTreeSet::from([middle.to_vec()]);
    let mut found = vec![middle.to_vec()];
    let others = match all_of(&ranges, n) {
        Some(all) => all,
        None => hypercube(&ranges, n.saturating_sub(1), number, seed),
    };
    found.extend(others.into_iter().filter(|values| seen.insert(values.clone())));
    found
}

fn around(parameter: &Parameter, at: i64, number: usize) -> (i64, i64) {
    let (low, high) = parameter.bounds();
    if number == 0 {
        return (low, high);
    }
    // Bounds the shift for late generations and avoids overflow for wide ranges.
    let reach = (i128::from(high) - i128::from(low)) >> (2 * number.min(60) + 1);
    let reach = i64::try_from(reach.max(1)).unwrap_or(i64::MAX);
    (at.saturating_sub(reach).max(low), at.saturating_add(reach).min(high))
}

/// Returns every combination, if there are at most `n`.
fn all_of(ranges: &[(i64, i64)], n: usize) -> Option<Vec<Vec<i64>>> {
    let sizes = ranges.iter().map(|(low, high)| (i128::from(*high) - i128::from(*low) + 1) as u128);
    let all = sizes.fold(1u128, u128::saturating_mul);
    if all > n as u128 {
        return None;
    }
    let mut found = vec![Vec::new()];
    for &(low, high) in ranges {
        let longer = |values: Vec<i64>| {
            (low..=high).map(move |value| values.iter().copied().chain([value]).collect::<Vec<i64>>())
        };
        found = found.into_iter().flat_map(longer).collect();
    }
    Some(found)
}

fn hypercube(ranges: &[(i64, i64)], n: usize, number: usize, seed: Seed) -> Vec<Vec<i64>> {
    let mut found = vec![Vec::with_capacity(ranges.len()); n];
    for (i, &(low, high)) in ranges.iter().enumerate() {
        let mut rng = generator(seed, (number as u64) << 32 | i as u64, Purpose::Plan);
        let mut strata: Vec<u64> = (0..n as u64).collect();
        for i in (1..n).rev() {
            strata.swap(i, below(&mut rng, i as u32 + 1) as usize);
        }
        let size = (i128::from(high) - i128::from(low) + 1) as u128;
        for (values, stratum) in found.iter_mut().zip(strata) {
            // A place within the stratum, in 1/65,536 of its size.
            let part = u128::from(stratum) << 16 | u128::from(below(&mut rng, 1 << 16));
            let steps = size.saturating_mul(part) / ((n as u128) << 16);
            values.push((i128::from(low) + steps as i128).clamp(low.into(), high.into()) as i64);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::script::ParameterKind;

    fn parameter(low: i64, high: i64, default: i64) -> Parameter {
        Parameter { name: "A".into(), kind: ParameterKind::Number(low, high), default, place: 0..0 }
    }

    #[test]
    fn few_values_are_all_tried() {
        let parameters = [parameter(0, 2, 1), Parameter { kind: ParameterKind::Truth, ..parameter(0, 1, 0) }];
        let found = generation(&parameters, &defaults(&parameters), 0, 6, 1);
        assert_eq!(found, [[1, 0], [0, 0], [0, 1], [1, 1], [2, 0], [2, 1]]);
    }

    #[test]
    fn many_are_spread_and_then_narrowed() {
        let parameters = [parameter(0, 1000, 500), parameter(-20, 19, 0)];
        let found = generation(&parameters, &defaults(&parameters), 0, 21, 7);
        assert_eq!(found[0], [500, 0]);
        let mut strata: Vec<i64> = found[1..].iter().map(|values| values[0] * 20 / 1001).collect();
        strata.sort_unstable();
        assert_eq!(strata, (0..20).collect::<Vec<i64>>());
        let mut strata: Vec<i64> = found[1..].iter().map(|values| (values[1] + 20) / 2).collect();
        strata.sort_unstable();
        assert_eq!(strata, (0..20).collect::<Vec<i64>>());
        let later = generation(&parameters, &[990, -20], 1, 21, 7);
        assert!(later.iter().all(|values| values[0] >= 990 - 125 && values[1] <= -20 + 5), "{later:?}");
        assert_ne!(found, generation(&parameters, &defaults(&parameters), 0, 21, 8));
        let wide = [parameter(i64::MIN, i64::MAX, 0)];
        assert_eq!(generation(&wide, &[0], 0, 9, 1).len(), 9);
        assert_eq!(generation(&wide, &[i64::MAX], 5, 9, 1).len(), 9);
    }
}
