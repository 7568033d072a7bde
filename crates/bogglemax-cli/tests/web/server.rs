//! A server in a process of its own, and a small HTTP client.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

/// Browsers and loads want all the cores: one of them at a time.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A running `bogglemax serve`, ended when dropped.
pub struct Server {
    child: Child,
    /// `127.0.0.1:PORT`.
    pub host: String,
}

impl Server {
    /// Starts one on a free port.
    pub fn start(args: &[&str]) -> Server {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("bogglemax"))
            .args(["serve", "--port", "0"])
            .args(args)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        stderr.read_line(&mut line).unwrap();
        let host = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        let host = host.unwrap_or_else(|| panic!("no address in {line:?}")).to_owned();
        Server { child, host }
    }

    pub fn connect(&self) -> Client {
        let stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(120))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream: BufReader::new(stream), host: self.host.clone() }
    }

    /// The answer to a GET.
    pub fn get(&self, path: &str) -> Response {
        self.connect().get(path)
    }

    /// The answer to a GET as JSON, which must be a good one.
    pub fn json(&self, path: &str) -> Value {
        let response = self.get(path);
        assert_eq!(response.status, 200, "{path}: {}", response.text());
        response.json()
    }

    /// Asserts that the server is alive and well.
    pub fn is_well(&self) {
        assert_eq!(self.json("/api/solve?board=perslatgsineters")["score"], 3625);
    }

    /// Memory held by the server, in kB.
    pub fn resident_kb(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).unwrap();
        let line = status.lines().find(|l| l.starts_with("VmRSS:")).unwrap();
        line.split_whitespace().nth(1).unwrap().parse().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One connection, kept open.
pub struct Client {
    stream: BufReader<TcpStream>,
    host: String,
}

#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub headers: HashMap<String, String>,
    pub body: Vec<u8>,
}

impl Response {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }
}

impl Client {
    pub fn get(&mut self, path: &str) -> Response {
        let host = self.host.clone();
        self.send("GET", path, &[("host", &host)], b"")
    }

    pub fn post(&mut self, path: &str, body: &str) -> Response {
        let host = self.host.clone();
        let headers = [("host", host.as_str()), ("content-type", "application/json")];
        self.send("POST", path, &headers, body.as_bytes())
    }

    /// A request with exactly these headers, and the length of its body.
    pub fn send(&mut self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Response {
        let mut request = format!("{method} {path} HTTP/1.1\r\n");
        for (name, value) in headers {
            request += &format!("{name}: {value}\r\n");
        }
        if !body.is_empty() {
            request += &format!("content-length: {}\r\n", body.len());
        }
        let bytes = [request.as_bytes(), b"\r\n", body].concat();
        // A server may answer and close before it has read all of a body that it refuses.
        let _ = self.stream.get_mut().write_all(&bytes);
        self.read()
    }

    /// Bytes as they are, and what comes back.
    pub fn raw(&mut self, bytes: &[u8]) -> Response {
        let _ = self.stream.get_mut().write_all(bytes);
        self.read()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn read(&mut self) -> Response {
        let first = self.line();
        let status = first.split(' ').nth(1).and_then(|s| s.parse().ok());
        let status = status.unwrap_or_else(|| panic!("no status in {first:?}"));
        let mut headers = HashMap::new();
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(": ") else { break };
            headers.insert(name.to_ascii_lowercase(), value.to_owned());
        }
        let mut body = Vec::new();
        if let Some(length) = headers.get("content-length") {
            body.resize(length.parse().unwrap(), 0);
            self.stream.read_exact(&mut body).unwrap();
        } else if headers.contains_key("transfer-encoding") {
            loop {
                let length = usize::from_str_radix(&self.line(), 16).unwrap();
                let mut chunk = vec![0; length + 2];
                self.stream.read_exact(&mut chunk).unwrap();
                if length == 0 {
                    break;
                }
                body.extend(&chunk[..length]);
            }
        }
        Response { status, headers, body }
    }

    /// The data of the next server-sent event.
    pub fn event(&mut self) -> Value {
        loop {
            if let Some(data) = self.line().strip_prefix("data: ") {
                return serde_json::from_str(data).unwrap();
            }
        }
    }

    /// Asks for server-sent events; read them with [`Client::event`].
    pub fn listen(&mut self, path: &str) {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n\r\n", self.host);
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
    }
}
