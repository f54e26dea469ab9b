//! The scripts that are embedded in the program.

/// Every shelf script: its name and its text, sorted by name.
pub const SHELF: &[(&str, &str)] = &[
    ("cautious", include_str!("../../../scripts/cautious.rhai")),
    ("chooser", include_str!("../../../scripts/chooser.rhai")),
    ("foresight", include_str!("../../../scripts/foresight.rhai")),
    ("greedy", include_str!("../../../scripts/greedy.rhai")),
    ("hoarder", include_str!("../../../scripts/hoarder.rhai")),
    ("patient", include_str!("../../../scripts/patient.rhai")),
    ("racer", include_str!("../../../scripts/racer.rhai")),
    ("reserve-first", include_str!("../../../scripts/reserve-first.rhai")),
    ("sampler", include_str!("../../../scripts/sampler.rhai")),
    ("tunable", include_str!("../../../scripts/tunable.rhai")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shelf_is_the_directory() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts");
        let mut files: Vec<String> = std::fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name: &String| name.ends_with(".rhai"))
            .collect();
        files.sort();
        let shelf: Vec<String> = SHELF.iter().map(|(name, _)| format!("{name}.rhai")).collect();
        assert_eq!(shelf, files);
    }
}
