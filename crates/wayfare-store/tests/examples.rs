//! Runs every example: each asserts what it claims.

#[path = "../examples/streaming_server.rs"]
mod streaming_server;

#[test]
fn streaming_server() {
    streaming_server::main().unwrap();
}
