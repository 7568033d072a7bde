//! Input that means no good: refused with a sentence, and the server stays up.

use std::io::Read;
use std::net::TcpStream;

use crate::server::{Response, Server};

/// Asserts a refusal: this status, and one sentence that contains `message`.
fn refused(response: &Response, status: u16, message: &str) {
    assert_eq!(response.status, status, "{}", response.text());
    let error = response.json()["error"].as_str().unwrap_or_default().to_owned();
    assert!(error.contains(message) && error.len() < 2_000, "{error:?} has no {message:?}");
}

#[test]
fn absurd_parameters_are_refused() {
    let server = Server::start(&[]);
    let long = "a".repeat(5_000);
    let many = "abcdefghijklmnopqrstuvwxyz+".repeat(16);
    for (path, status, message) in [
        ("/api/solve", 400, "board"),
        ("/api/solve?board=", 400, "0 cells"),
        ("/api/solve?board=abc", 400, "3 cells"),
        ("/api/solve?board=ab%2Fd", 400, "no letter"),
        ("/api/solve?board=%00%01%02%03", 400, "no letter"),
        ("/api/solve?board=%F0%9F%8E%B2aaa", 400, "no letter"),
        ("/api/solve?board=%FF%FE%FD%FC", 400, ""),
        ("/api/solve?board=abcd&dims=9x9", 400, "no board shape"),
        ("/api/solve?board=abcd&dims=0x4", 400, "no board shape"),
        ("/api/solve?board=abcd&dims=-2x-2", 400, "no board shape"),
        ("/api/solve?board=abcd&dims=4294967297x4294967297", 400, "no board shape"),
        ("/api/solve?board=abcd&dims=99999999999999999999x1", 400, "no board shape"),
        ("/api/solve?board=abcd&scoring=1e9", 400, "no scoring"),
        ("/api/solve?board=abcd&scoring=99999999999", 400, "no scoring"),
        ("/api/solve?board=abcd&wordlist=/etc/passwd", 400, "no word list"),
        ("/api/solve?board=abcd&wordlist=../../Cargo.toml", 400, "no word list"),
        ("/api/solve?board=abcd&count=everything", 400, "everything"),
        ("/api/solve?board=abcd&paths=yes", 400, "unknown field"),
        ("/api/solve?board=abcd&board=abce", 400, "duplicate field"),
        (&format!("/api/solve?board={long}"), 400, "5000 letters"),
        ("/api/neighbors?board=abcd&cell=4", 400, "no cell 4"),
        ("/api/neighbors?board=abcd&cell=-1", 400, ""),
        ("/api/neighbors?board=abcd&cell=18446744073709551616", 400, ""),
        ("/api/roll?dims=1000x1000", 400, "no board shape"),
        ("/api/roll?dims=3x3", 400, "no dice"),
        ("/api/roll?set=loaded", 400, "no dice set"),
        // Classes that would take years.
        ("/api/tree?class=.+.+.+.+.+.+.+.+.+.+.+.+.+.+.+.", 422, "too large"),
        (&format!("/api/tree?class={many}&order=spelling"), 422, "too large"),
        ("/api/tree?class=.+.+.+.+.+.+.+.+.+.+.+.+.+.+.+.&dims=6x6", 400, "16 cells"),
        ("/api/steps?class=.+.+.+.+.+.+.+.+.&cutoff=500", 422, "too large"),
        ("/api/steps?class=a+b+c+d&cutoff=-5", 400, ""),
        ("/api/steps?class=a+b+c+d&cutoff=99999999999", 400, ""),
        ("/api/tree?class=t+ae+i+r&at=99:z", 400, "no step"),
        ("/api/tree?class=t+ae+i+r&scoring=0,0,0,4294967295", 400, "bound"),
        ("/api/runs/0", 404, "no run"),
        ("/api/runs/-1", 404, "no run"),
        ("/api/runs/..%2F..%2Fetc/events", 404, "no run"),
        ("/api/nothing", 404, "nothing at"),
    ] {
        refused(&server.get(path), status, message);
    }
    // Many steps are cut short, not refused.
    let cut = server.json("/api/steps?class=aeiou+rst+aeiou+lnr+aeiou+st+pd+aeiou+rs&cutoff=1");
    assert_eq!((&cut["complete"], cut["steps"].as_array().unwrap().len()), (&false.into(), 3_000));
    server.is_well();
}

#[test]
fn absurd_bodies_are_refused() {
    let server = Server::start(&[]);
    let huge = format!(r#"{{"board":"{}"}}"#, "a".repeat(1 << 20));
    let deep = format!("{}1{}", "[".repeat(5_000), "]".repeat(5_000));
    for (body, status, message) in [
        (huge.as_str(), 413, ""),
        (deep.as_str(), 422, ""),
        ("", 400, ""),
        ("{", 400, ""),
        ("[]", 422, ""),
        (r#"{"board":7}"#, 422, "board"),
        (r#"{"board":"abcd","wings":2}"#, 422, "unknown field"),
        (r#"{"board":"abcd","pool":1000000}"#, 422, "pool"),
        (r#"{"board":"abcd","pool":0}"#, 422, "pool"),
        (r#"{"board":"abcd","pool":-1}"#, 422, "pool"),
        (r#"{"board":"abcd","seconds":1e300}"#, 422, "seconds"),
        (r#"{"board":"abcd","seconds":-1}"#, 422, "seconds"),
        (r#"{"board":"abcd","seconds":0}"#, 422, "seconds"),
        (r#"{"board":"abcd","dims":"7x7"}"#, 400, "no board shape"),
    ] {
        refused(&server.connect().post("/api/climb", body), status, message);
    }
    let mut client = server.connect();
    let plain = [("host", server.host.as_str()), ("content-type", "text/plain")];
    refused(&client.send("POST", "/api/climb", &plain, br#"{"board":"abcd"}"#), 415, "application/json");
    refused(&client.send("DELETE", "/api/solve", &[("host", &server.host)], b""), 405, "another method");
    refused(&client.get("/api/climb"), 405, "another method");
    let address = format!("/api/solve?board=abcd&x={}", "y".repeat(20_000));
    refused(&server.get(&address), 414, "20");
    server.is_well();
}

#[test]
fn no_file_is_readable() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("secret.txt"), "treasure").unwrap();
    let run = dir.path().join("run");
    std::fs::create_dir(&run).unwrap();
    let server = Server::start(&["--run", run.to_str().unwrap()]);
    for path in [
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/....//....//etc/passwd",
        "/app.css/../../../../etc/passwd",
        "/api/runs/0/../../../secret.txt",
        "/api/runs/0/..%2f..%2fsecret.txt",
        "/api/runs/0/run.json",
        "/api/runs/0%00/events",
        "//etc/passwd",
        "/\\..\\..\\etc\\passwd",
        "/Cargo.toml",
        "/assets/app.css",
    ] {
        let response = server.get(path);
        let text = response.text();
        assert!((400..500).contains(&response.status), "{path}: {}", response.status);
        assert!(!text.contains("root:") && !text.contains("treasure"), "{path}: {text}");
    }
    server.is_well();
}

#[test]
fn only_our_own_pages_are_answered() {
    let server = Server::start(&["--allow-host", "boggle.example"]);
    let port = server.host.rsplit(':').next().unwrap();
    let path = "/api/solve?board=abcd";
    let ask = |headers: &[(&str, &str)]| server.connect().send("GET", path, headers, b"");
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.nip.example", "evil.example:80"] {
        refused(&ask(&[("host", host)]), 421, "no name of this server");
    }
    // Without a host, with two of them, or with one in the address that is not ours.
    for request in [
        format!("GET {path} HTTP/1.0\r\n\r\n"),
        format!("GET http://evil.example{path} HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
    ] {
        let status = server.connect().raw(request.as_bytes()).status;
        assert!((400..500).contains(&status), "{request:?}: {status}");
    }
    for host in [format!("localhost:{port}"), server.host.clone(), "boggle.example".into(), "[::1]:9".into()]
    {
        assert_eq!(ask(&[("host", &host)]).status, 200, "{host}");
    }
    let ours = ("host", server.host.as_str());
    refused(&ask(&[ours, ("origin", "http://evil.example")]), 403, "other sites");
    refused(&ask(&[ours, ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")]), 403, "other sites");
    let origin = format!("http://{}", server.host);
    assert_eq!(ask(&[ours, ("origin", &origin)]).status, 200);
}

#[test]
fn every_answer_has_the_headers_that_guard_the_page() {
    let server = Server::start(&[]);
    for path in ["/", "/gallery", "/trees", "/runs", "/app.css", "/play.js", "/api/config", "/nothing"] {
        let headers = server.get(path).headers;
        let policy = &headers["content-security-policy"];
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert!(!headers.contains_key("access-control-allow-origin"), "{path}");
    }
}

#[test]
fn garbage_and_half_requests_harm_nobody() {
    let server = Server::start(&[]);
    let mut open: Vec<TcpStream> = Vec::new();
    for bytes in
        [&b"\x16\x03\x01\x02\x00\x01\x00"[..], b"GET / HTTP/9.9\r\n\r\n", b"hello\r\n\r\n", b"GET /api/so"]
    {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        std::io::Write::write_all(&mut stream, bytes).unwrap();
        open.push(stream);
    }
    for _ in 0..300 {
        open.push(TcpStream::connect(&server.host).unwrap());
    }
    server.is_well();
    // Climbs whose clients have gone give up their places.
    let body = r#"{"board":"abcdefghijklmnop","pool":100,"seconds":10}"#;
    for _ in 0..4 {
        let mut stream = TcpStream::connect(&server.host).unwrap();
        let request = format!(
            "POST /api/climb HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        std::io::Write::write_all(&mut stream, request.as_bytes()).unwrap();
        let _ = stream.read(&mut [0; 1]).unwrap();
        drop(stream);
    }
    server.is_well();
}

#[test]
fn too_many_climbs_are_turned_away_while_the_page_stays_quick() {
    let server = Server::start(&[]);
    let body = r#"{"board":"abcdefghijklmnop","pool":100,"seconds":1}"#;
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let climb = || scope.spawn(|| server.connect().post("/api/climb", body).status);
        let climbs: Vec<_> = (0..14).map(|_| climb()).collect();
        server.is_well();
        climbs.into_iter().map(|c| c.join().unwrap()).collect()
    });
    assert!(statuses.contains(&200) && statuses.contains(&429), "{statuses:?}");
    assert!(statuses.iter().all(|s| [200, 429].contains(s)), "{statuses:?}");
    server.is_well();
}

#[test]
fn a_server_that_cannot_start_says_so() {
    let server = Server::start(&[]);
    let port = server.host.rsplit(':').next().unwrap();
    for (args, message) in [
        (["serve", "--port", port], "choose another port with --port"),
        (["serve", "--wordlist", "/no/such/list"], "cannot read word list"),
        (["serve", "--bind", "example"], "--bind"),
    ] {
        let program = assert_cmd::cargo::cargo_bin("bogglemax");
        let output = std::process::Command::new(program).args(args).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.lines().count() == 1 && stderr.contains(message), "{args:?}: {stderr}");
    }
}
