//! Reports of the folder.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::client::Studio;
use crate::program::Lab;

#[test]
fn reports_are_listed_newest_first_and_can_run_nothing() {
    let dir = Lab::new();
    let now = SystemTime::now();
    let studio = Studio::start(dir.path(), &[]);
    assert!(studio.get("/gallery").text().contains("There is no report"));
    for (name, age) in [("old", 7_300), ("new", 10), ("middle", 200)] {
        let folder = dir.at("reports").join(name);
        fs::create_dir_all(folder.join("charts")).unwrap();
        fs::write(folder.join("index.html"), format!("<title>Report {name}</title><script>1</script>"))
            .unwrap();
        fs::write(folder.join("charts/cards.png"), b"png").unwrap();
        fs::write(folder.join("run.blocks"), b"blocks").unwrap();
        let page = fs::File::options().write(true).open(folder.join("index.html")).unwrap();
        page.set_modified(now - Duration::from_secs(age)).unwrap();
    }
    fs::create_dir(dir.at("reports/empty")).unwrap();
    let gallery = studio.get("/gallery").text();
    let places: Vec<_> = ["new", "middle", "old"]
        .iter()
        .map(|name| gallery.find(&format!("Report {name}")).unwrap())
        .collect();
    assert!(places.is_sorted() && !gallery.contains("empty"), "{gallery}");
    assert!(gallery.contains("2 hours ago") && gallery.contains("/reports/new/charts/cards.png"));
    let page = studio.get("/reports/new/index.html");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'") && policy.contains("sandbox"), "{policy}");
    assert!(!policy.contains("script-src") && !policy.contains("allow-scripts"), "{policy}");
    assert_eq!(studio.get("/reports/new/charts/cards.png").header("content-type"), Some("image/png"));
    assert_eq!(studio.get("/reports/new").body, page.body);
    for missing in ["/reports/new/run.blocks", "/reports/none/index.html", "/reports/", "/reports/empty"] {
        assert_eq!(studio.get(missing).status, 404, "{missing}");
    }
}
