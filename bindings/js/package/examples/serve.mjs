// Serves the package, for its examples and its test in a browser: `node examples/serve.mjs [port]`.
//
// The headers isolate the page, so that it may share memory with workers.
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const HOME = fileURLToPath(new URL("..", import.meta.url));
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".wasm": "application/wasm",
  ".json": "application/json",
};

/** Starts a server; `onPost` is given what pages send to it. */
export function serve(port = 0, onPost = () => {}) {
  const server = createServer((request, response) => {
    if (request.method === "POST") {
      let text = "";
      request.on("data", (part) => (text += part));
      request.on("end", () => {
        response.end();
        onPost(request.url, text);
      });
      return;
    }
    const { pathname } = new URL(request.url, "http://localhost");
    let path = join(HOME, normalize(decodeURIComponent(pathname)));
    if (existsSync(path) && statSync(path).isDirectory()) path = join(path, "index.html");
    if (!path.startsWith(HOME) || !existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, {
      "content-type": TYPES[extname(path)] ?? "application/octet-stream",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8080));
  console.log(`http://localhost:${server.address().port}/examples/walk/`);
}
