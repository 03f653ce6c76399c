//! The explorer's page and files, as any browser gets them (b310–b314).

use blog::listings::CurrentUser;
use listing::Context;
use listing_tests::{Reply, on_each_database};

fn text(reply: &Reply) -> &str {
    std::str::from_utf8(&reply.bytes).unwrap()
}

/// The addresses of the files that the page names.
fn files(page: &str) -> Vec<String> {
    page.split(['"'])
        .filter(|part| part.starts_with("/explorer/_/"))
        .map(str::to_owned)
        .collect()
}

/// Rule b310.
#[test]
fn one_setting_turns_the_explorer_off() {
    on_each_database(async |service| {
        let page = service.get("/explorer").await.ok();
        let file = files(text(&page)).remove(0);
        let off = service.with_config(|config| config.explorer = false);
        for path in ["/", "/explorer", "/explorer/articles", &file] {
            let reply = off.get(path).await;
            assert_eq!(reply.status, 404, "{path}");
            assert_eq!(reply.header("content-type"), Some("application/json"));
        }
        assert_eq!(off.get("/api/articles").await.status, 200);
    });
}

/// Rule b311.
#[test]
fn the_service_leads_to_its_explorer_and_every_list_has_a_page() {
    on_each_database(async |service| {
        let home = service.get("/").await;
        assert_eq!(home.status, 307);
        assert_eq!(home.header("location"), Some("/explorer"));
        let page = service.get("/explorer").await.ok();
        assert_eq!(
            page.header("content-type"),
            Some("text/html; charset=utf-8")
        );
        assert!(text(&page).contains("content=\"/api/_describe\""));
        // A view is the list's own query string after another path; the server does not read it.
        for path in [
            "/explorer/",
            "/explorer/articles",
            "/explorer/articles?filters[title][$contains]=x&pagination[page]=0",
            "/explorer/nothing-of-ours",
        ] {
            assert_eq!(service.get(path).await.ok().bytes, page.bytes, "{path}");
        }
        assert_eq!(service.client().bare("POST", "/explorer").await.status, 405);
    });
}

/// Rule b312.
#[test]
fn files_are_kept_for_good_and_the_page_is_asked_for_again() {
    on_each_database(async |service| {
        let page = service.get("/explorer").await.ok();
        assert_eq!(page.header("cache-control"), Some("no-cache"));
        let known = |reply: &Reply| {
            let tag = reply.header("etag").unwrap();
            service.client().with_header("if-none-match", tag)
        };
        let again = known(&page).get("/explorer").await;
        assert_eq!(again.status, 304);
        assert!(again.bytes.is_empty());
        assert!(again.header("content-security-policy").is_some());
        let files = files(text(&page));
        assert!(files.len() > 20, "{files:?}");
        for path in &files {
            let file = service.get(path).await.ok();
            assert_eq!(
                file.header("cache-control"),
                Some("public, max-age=31536000, immutable"),
                "{path}"
            );
            assert_eq!(file.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(known(&file).get(path).await.status, 304, "{path}");
            let expected = match path.rsplit('.').next().unwrap() {
                "js" => "text/javascript; charset=utf-8",
                "css" => "text/css; charset=utf-8",
                _ => "image/svg+xml",
            };
            assert_eq!(file.header("content-type"), Some(expected), "{path}");
        }
        let (folder, name) = files[0].rsplit_once('/').unwrap();
        for path in [
            format!("/explorer/_/0/{name}"),
            format!("{folder}/index.html"),
            format!("{folder}/..%2F..%2FCargo.toml"),
        ] {
            assert_eq!(service.get(&path).await.status, 404, "{path}");
        }
    });
}

/// Rule b312.
#[test]
fn what_the_page_needs_at_first_is_less_than_50_kb_compressed() {
    on_each_database(async |service| {
        let page = service.get("/explorer").await.ok();
        for encoding in ["gzip", "br", "zstd"] {
            let client = service.client().with_header("accept-encoding", encoding);
            let mut total = client.get("/explorer").await.ok().bytes.len();
            for path in files(text(&page)) {
                total += client.get(&path).await.ok().bytes.len();
            }
            assert!(total < 50 * 1024, "{total} bytes with {encoding}");
        }
    });
}

/// Rule b313.
#[test]
fn the_policy_lets_nothing_run_but_the_pages_own_files() {
    on_each_database(async |service| {
        let page = service.get("/explorer").await.ok();
        let policy = page.header("content-security-policy").unwrap();
        for rule in [
            "default-src 'none'",
            "script-src 'self';",
            "style-src 'self';",
            "connect-src 'self'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
        ] {
            assert!(policy.contains(rule), "{rule}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{policy}");
        assert!(!policy.contains("http"), "{policy}");
        assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
        let all = text(&page);
        assert!(!all.contains("://"), "the page names another server");
        assert!(!all.contains("<script>"), "a script without a file");
    });
}

/// Rule b314.
#[test]
fn the_page_is_the_same_for_everybody_and_says_nothing_of_the_lists() {
    on_each_database(async |service| {
        let page = service.get("/explorer").await.ok();
        let context = Context::new().with(CurrentUser { author_id: 1 });
        let signed_in = service.with_context(context).get("/explorer").await.ok();
        assert_eq!(signed_in.bytes, page.bytes);
        for word in ["articles", "authors", "email", "Articles"] {
            assert!(!text(&page).contains(word), "{word}");
        }
    });
}
