//! Groups of entries that cannot be distinguished.

/// Returns the maximal sets of entries in which no two are `apart` (a symmetric relation of indices), each in
/// ascending order: the letters of a compact letter display. Every entry is in at least one; two entries share one if
/// and only if they are not apart. By inserting and absorbing (Piepho, Journal of Computational and Graphical
/// Statistics 13, 2004, 456-466).
pub fn groups(entries: usize, apart: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut sets: Vec<Vec<usize>> = vec![(0..entries).collect()];
    for a in 0..entries {
        for b in a + 1..entries {
            if !apart(a, b) {
                continue;
            }
            let (split, mut kept): (Vec<_>, Vec<_>) =
                sets.into_iter().partition(|set| set.contains(&a) && set.contains(&b));
            for set in split {
                for left_out in [b, a] {
                    let part: Vec<usize> = set.iter().copied().filter(|&entry| entry != left_out).collect();
                    let within = |larger: &Vec<usize>| part.iter().all(|entry| larger.contains(entry));
                    if !kept.iter().any(within) {
                        kept.retain(|smaller| !smaller.iter().all(|entry| part.contains(entry)));
                        kept.push(part);
                    }
                }
            }
            sets = kept;
        }
    }
    sets.sort();
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_share_a_group_if_they_are_not_apart() {
        assert_eq!(groups(3, |_, _| false), [vec![0, 1, 2]]);
        assert_eq!(groups(3, |_, _| true), [vec![0], vec![1], vec![2]]);
        // A chain: each is similar only to its neighbours.
        assert_eq!(groups(4, |a, b| b - a > 1), [vec![0, 1], vec![1, 2], vec![2, 3]]);
        // For any relation: shared if and only if not apart, and no group within another.
        for relation in 0..1u32 << 10 {
            let apart = |a: usize, b: usize| {
                let (a, b) = (a.min(b), a.max(b));
                relation & 1 << (b * (b - 1) / 2 + a) != 0
            };
            let sets = groups(5, apart);
            for (a, b) in (0..5).flat_map(|b| (0..=b).map(move |a| (a, b))) {
                let shared = sets.iter().any(|set| set.contains(&a) && set.contains(&b));
                assert_eq!(shared, a == b || !apart(a, b), "{relation} {a} {b}");
            }
            let within = |small: &Vec<usize>, large: &Vec<usize>| small.iter().all(|it| large.contains(it));
            for (i, set) in sets.iter().enumerate() {
                assert!(
                    !sets.iter().enumerate().any(|(j, other)| i != j && within(set, other)),
                    "{relation}"
                );
            }
        }
    }
}
