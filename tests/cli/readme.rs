//! What the README links to is there.

use std::path::Path;

#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let links = readme.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(link, _)| link);
    let mut followed = 0;
    for link in links.filter(|link| !link.contains("://") && !link.starts_with('#')) {
        let file = link.split('#').next().unwrap_or(link);
        assert!(root.join(file).exists(), "{link} is not in the repository");
        followed += 1;
    }
    assert!(followed > 3, "{followed} links");
}
