// The lab's page in a headless browser: opens, bakes, finds a path, walks a crowd and places an obstacle, by clicks.
//
// Talks to Chromium over its debugging port with nothing but what node brings. Needs `cargo xtask lab --web` before.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile, writeFile, mkdtemp } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = fileURLToPath(new URL("../../../target/lab/", import.meta.url));
const PICTURES = process.env.WAYFARE_LAB_PICTURES ?? fileURLToPath(new URL("../target/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const [WIDTH, HEIGHT] = [1280, 760];

const server = createServer(async (request, response) => {
  const name = request.url.split(/[?#]/)[0].replace(/^\/$/, "/index.html");
  try {
    const bytes = await readFile(join(PAGE, name));
    response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" });
    response.end(bytes);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}/`;

const profile = await mkdtemp(join(tmpdir(), "wayfare-lab-"));
const browser = spawn("chromium", [
  "--headless", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--remote-debugging-port=0",
  `--user-data-dir=${profile}`, `--window-size=${WIDTH},${HEIGHT}`, "about:blank",
], { stdio: ["ignore", "ignore", "pipe"] });

function end(status, message) {
  console.log(message);
  browser.kill();
  server.close();
  process.exit(status);
}

const socketUrl = await new Promise((done) => {
  let text = "";
  browser.stderr.on("data", (data) => {
    text += data;
    const found = text.match(/ws:\/\/\S+/);
    if (found) done(found[0]);
  });
});

const port = new URL(socketUrl).port;
const targets = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
const socket = new WebSocket(targets.find((target) => target.type === "page").webSocketDebuggerUrl);
await new Promise((done) => socket.addEventListener("open", done));
const waiting = new Map();
const errors = [];
let number = 0;
socket.addEventListener("message", ({ data }) => {
  const message = JSON.parse(data);
  if (message.id) waiting.get(message.id)?.(message.result ?? message.error);
  if (message.method === "Runtime.exceptionThrown") errors.push(message.params.exceptionDetails.text);
  if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") {
    errors.push(message.params.args.map((arg) => arg.value ?? arg.description).join(" "));
  }
});
const send = (method, params = {}) => new Promise((done) => {
  number += 1;
  waiting.set(number, done);
  socket.send(JSON.stringify({ id: number, method, params }));
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

await send("Runtime.enable");
await send("Page.enable");
await send("Emulation.setDeviceMetricsOverride", { width: WIDTH, height: HEIGHT, deviceScaleFactor: 1, mobile: false });

const evaluate = async (expression) => (await send("Runtime.evaluate", { expression, returnByValue: true })).result?.value;

async function picture(name) {
  const { data } = await send("Page.captureScreenshot", { format: "png" });
  const bytes = Buffer.from(data, "base64");
  await writeFile(join(PICTURES, `${name}.png`), bytes);
  return bytes;
}

async function mouse(type, x, y, more = {}) {
  await send("Input.dispatchMouseEvent", { type, x, y, ...more });
  await pause(120);
}

async function click(x, y) {
  await mouse("mouseMoved", x, y);
  await mouse("mousePressed", x, y, { button: "left", clickCount: 1 });
  await mouse("mouseReleased", x, y, { button: "left", clickCount: 1 });
}

// What a step changes: a picture whose bytes differ from those before.
async function changes(name, before, tries = 40) {
  for (let i = 0; i < tries; i += 1) {
    await pause(500);
    const now = await picture(name);
    if (!now.equals(before)) return now;
    if (errors.length > 0) break;
  }
  return end(1, `${name}: nothing has changed\n${errors.join("\n")}`);
}

async function open(address) {
  await send("Page.navigate", { url: "about:blank" });
  await send("Page.navigate", { url: `${url}#${address}` });
  for (let i = 0; i < 240; i += 1) {
    await pause(250);
    if (errors.length > 0) return end(1, errors.join("\n"));
    if (await evaluate(`document.readyState === "complete" && !document.getElementById("note")`)) break;
  }
  await pause(4000);
}

const wasm = await readFile(join(PAGE, "wayfare_lab_bg.wasm"));
const packed = gzipSync(wasm, { level: 9 }).length / 1e6;
console.log(`the page's program: ${(wasm.length / 1e6).toFixed(1)} MB, ${packed.toFixed(2)} MB compressed`);

const begun = performance.now();
await open("scene=dungeon");
console.log(`opened after ${((performance.now() - begun - 4000) / 1000).toFixed(1)} s`);
let last = await picture("web-1-baked");
// Two clicks into the view: a start and a goal.
await click(540, 430);
await click(700, 360);
last = await changes("web-2-path", last);
// A crowd, by the address: panels have other sizes with other fonts.
await open("scene=dungeon&tool=1");
last = await picture("web-3-crowd");
await mouse("mouseMoved", 600, 420);
for (const [x, y] of [[560, 420], [600, 430], [640, 400]]) {
  await mouse("mousePressed", x, y, { button: "left", clickCount: 1, modifiers: 8 });
  await mouse("mouseReleased", x, y, { button: "left", clickCount: 1, modifiers: 8 });
}
last = await changes("web-3-crowd", last);
await click(680, 380);
last = await changes("web-4-walks", last);
await open("scene=dungeon&tool=2");
last = await picture("web-5-obstacle");
await click(600, 420);
await changes("web-5-obstacle", last);
if (errors.length > 0) end(1, errors.join("\n"));
end(0, "the page opens, bakes, finds paths, walks a crowd and takes obstacles");
