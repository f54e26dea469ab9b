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
        let page = format!("<title>Report {name}</title><script>1</script>");
        for (file, text) in [("index.html", &*page), ("charts/cards.png", "png"), ("run.blocks", "blocks")] {
            dir.write(&format!("reports/{name}/{file}"), text);
        }
        let page = fs::File::options().write(true).open(dir.at(&format!("reports/{name}/index.html")));
        page.unwrap().set_modified(now - Duration::from_secs(age)).unwrap();
    }
    fs::create_dir(dir.at("reports/empty")).unwrap();
    let gallery = studio.get("/gallery").text();
    let places = ["new", "middle", "old"].map(|name| gallery.find(&format!("Report {name}")).unwrap());
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
