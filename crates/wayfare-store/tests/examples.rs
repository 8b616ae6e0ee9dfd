//! Runs every example: each asserts what it claims.

#[path = "../examples/large_store.rs"]
mod large_store;
#[path = "../examples/streaming_server.rs"]
mod streaming_server;

#[test]
fn streaming_server() {
    streaming_server::main().unwrap();
}

#[test]
fn large_store() {
    large_store::main().unwrap();
}
