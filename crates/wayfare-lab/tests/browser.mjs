// The lab's page in a headless browser: opens, bakes, finds a path, walks a crowd and places an obstacle, by clicks; then
// goes back and forward, drops files and changes its size.
//
// What came of a click is read from the page's address and its attribute `data-polygons`. Talks to Chromium over a pipe,
// with nothing but what node brings. Needs `cargo xtask lab --web` before.
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { readFile, writeFile, mkdtemp, mkdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const PAGE = process.env.WAYFARE_LAB_PAGE ?? fileURLToPath(new URL("../../../target/lab/", import.meta.url));
const PICTURES = process.env.WAYFARE_LAB_PICTURES ?? fileURLToPath(new URL("../target/browser/", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
const [WIDTH, HEIGHT] = [1366, 768];
const MOST_MEGABYTES = 5;
// Who draws without a graphics card: Mesa, or with WAYFARE_LAB_SWIFTSHADER what Chromium brings, five times as slow.
const DRAWING = process.env.WAYFARE_LAB_SWIFTSHADER
  ? ["--disable-gpu", "--enable-unsafe-swiftshader"]
  : ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist"];

await mkdir(PICTURES, { recursive: true });
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
  "--headless", "--no-sandbox", ...DRAWING, "--remote-debugging-pipe",
  `--user-data-dir=${profile}`, `--window-size=${WIDTH},${HEIGHT}`, "about:blank",
], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });

function end(status, message) {
  console.log(message);
  browser.kill();
  server.close();
  process.exit(status);
}
browser.on("exit", () => end(1, "the browser has ended by itself"));

// Messages end with a zero byte, both ways.
const [, , , toBrowser, fromBrowser] = browser.stdio;
const waiting = new Map();
const errors = [];
let [number, rest, session] = [0, "", undefined];
fromBrowser.setEncoding("utf8");
fromBrowser.on("data", (data) => {
  const messages = (rest + data).split("\0");
  rest = messages.pop();
  for (const message of messages.map((text) => JSON.parse(text))) {
    if (message.id) waiting.get(message.id)?.(message.result ?? message.error);
    if (message.method === "Runtime.exceptionThrown") {
      const details = message.params.exceptionDetails;
      errors.push(details.exception?.description ?? details.text);
    }
    if (message.method === "Runtime.consoleAPICalled" && message.params.type === "error") {
      errors.push(message.params.args.map((arg) => arg.value ?? arg.description).join(" "));
    }
  }
});
const send = (method, params = {}) => new Promise((done) => {
  number += 1;
  waiting.set(number, done);
  toBrowser.write(JSON.stringify({ id: number, method, params, sessionId: session }) + "\0");
});
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const { targetInfos } = await send("Target.getTargets");
const page = targetInfos.find((target) => target.type === "page");
({ sessionId: session } = await send("Target.attachToTarget", { targetId: page.targetId, flatten: true }));
await send("Runtime.enable");
await send("Page.enable");
await send("Emulation.setDeviceMetricsOverride", { width: WIDTH, height: HEIGHT, deviceScaleFactor: 1, mobile: false });

async function evaluate(expression) {
  const answer = await send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
  return answer.result?.value;
}

async function picture(name) {
  const { data } = await send("Page.captureScreenshot", { format: "png" });
  await writeFile(join(PICTURES, `${name}.png`), Buffer.from(data, "base64"));
}

async function mouse(type, x, y, more = {}) {
  await send("Input.dispatchMouseEvent", { type, x, y, ...more });
  await pause(60);
}

const SHIFT = { modifiers: 8 };
async function click(x, y, more = {}) {
  await mouse("mouseMoved", x, y, more);
  await mouse("mousePressed", x, y, { button: "left", clickCount: 1, ...more });
  await mouse("mouseReleased", x, y, { button: "left", clickCount: 1, ...more });
}

const address = async () => new URLSearchParams((await evaluate("location.hash"))?.slice(1) ?? "");
const polygons = async () => Number(await evaluate("document.documentElement.dataset.polygons"));

// Waits until something holds; ends the test if it never does.
async function until(what, holds) {
  for (let i = 0; i < 240; i += 1) {
    if (errors.length > 0) break;
    if (await holds()) return;
    await pause(250);
  }
  await picture("failed");
  const note = await evaluate("document.getElementById('note')?.textContent ?? ''");
  end(1, `${what}: it does not happen (${await evaluate("location.hash")})\n${note}\n${errors.join("\n")}`);
}

async function open(hash) {
  await send("Page.navigate", { url: "about:blank" });
  await send("Page.navigate", { url: `${url}#${hash}` });
  await until("the lab begins", async () => (await evaluate("window.firstPicture")) > 0);
  if (hash.startsWith("prototype=")) return;
  await until("the level is baked", async () => (await polygons()) > 0);
}

// Frames a second, over some seconds.
const frames = (seconds) => evaluate(`new Promise((done) => {
  let count = 0;
  const begun = performance.now();
  const frame = () => {
    count += 1;
    const gone = (performance.now() - begun) / 1000;
    if (gone < ${seconds}) requestAnimationFrame(frame); else done(count / gone);
  };
  requestAnimationFrame(frame);
})`);

const wasm = await readFile(join(PAGE, "wayfare_lab_bg.wasm"));
const script = await readFile(join(PAGE, "wayfare_lab.js"));
const packed = (gzipSync(wasm, { level: 9 }).length + gzipSync(script, { level: 9 }).length) / 1e6;
console.log(`the page: ${(wasm.length / 1e6).toFixed(1)} MB, ${packed.toFixed(2)} MB compressed`);
if (packed > MOST_MEGABYTES) end(1, `the page is larger than ${MOST_MEGABYTES} MB`);

await open("scene=dungeon");
const first = await evaluate("window.firstPicture ?? NaN");
console.log(`the first picture came after ${(first / 1000).toFixed(1)} s`);
await picture("1-baked");

// Tools are buttons in two columns on the left; what a click does in the view shows in the address.
const tool = (i) => click(70, 56 + 29 * i);
const [x, y] = [(264 + WIDTH - 290) / 2, HEIGHT / 2];

await click(x - 60, y + 40, SHIFT);
await click(x + 80, y - 60);
await until("two clicks ask for a path", async () => (await address()).get("at")?.split(";").length === 2);
await picture("2-path");

await tool(1);
await until("the crowd is chosen", async () => (await address()).get("tool") === "1");
for (const [dx, dy] of [[-40, 0], [0, 20], [40, -20], [60, 40]]) await click(x + dx, y + dy, SHIFT);
await until("agents are added", async () => Number((await address()).get("agents")) >= 2);
await click(x + 80, y - 60);
await pause(1500);
await picture("3-crowd");

await tool(2);
await until("obstacles are chosen", async () => (await address()).get("tool") === "2");
const before = await polygons();
await until("an obstacle changes the mesh", async () => {
  if (!(await address()).has("at")) await click(x, y + 20);
  return (await polygons()) !== before;
});
await picture("4-obstacle");

await open("scene=dungeon&tool=1&agents=100");
await until("a hundred agents walk", async () => (await address()).get("agents") === "100");
await pause(1000);
console.log(`${(await frames(5)).toFixed(0)} frames a second with 100 agents`);
await picture("5-hundred");

await open("prototype=funnel_steps");
await pause(1500);
await picture("6-prototype");

// Links into the lab within its page, and the browser's buttons.
const shows = (what) => until(`it shows ${what}`, async () => {
  const [name, value] = what.split("=");
  return (await evaluate("window.firstPicture")) > 0 && (await address()).get(name) === value;
});
await evaluate(`location.hash = "scene=stairs"`);
await shows("scene=stairs");
await evaluate("history.back()");
await shows("prototype=funnel_steps");
await evaluate("history.forward()");
await shows("scene=stairs");
await until("the level is baked again", async () => (await polygons()) > 0);

const drop = (name, text) => evaluate(`{
  const data = new DataTransfer();
  data.items.add(new File([${JSON.stringify(text)}], ${JSON.stringify(name)}));
  const there = { dataTransfer: data, bubbles: true, cancelable: true, clientX: ${x}, clientY: ${y} };
  for (const type of ["dragover", "drop"]) document.getElementById("lab").dispatchEvent(new DragEvent(type, there));
}`);
// A file has no address.
const hasScene = async () => (await address()).has("scene");
await drop("square.obj", "v 0 0 0\nv 20 0 0\nv 20 0 20\nv 0 0 20\nf 4 3 2 1\n");
await until("a dropped level is opened and baked", async () => !(await hasScene()) && (await polygons()) > 0);
await pause(500);
await picture("7-dropped");
await drop("broken.obj", "f 1 2 3\n");
await pause(1500);
await picture("8-refused");
if ((await polygons()) === 0 || (await hasScene())) end(1, "a file that cannot be read takes the level away");
const recording = await readFile(new URL("../cases/funnel_goal_is_dragged.toml", import.meta.url), "utf8");
await drop("case.toml", recording);
await shows("prototype=funnel_steps");

await open("scene=stairs");
for (const [width, height] of [[900, 600], [1600, 900], [WIDTH, HEIGHT]]) {
  await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: false });
  await until(`the page is ${width} wide`, async () =>
    await evaluate(`{ const lab = document.getElementById("lab"); lab.width === ${width} && lab.height === ${height} }`));
  await pause(700);
  await picture(`9-resized-${width}`);
}
if (errors.length > 0) end(1, errors.join("\n"));
end(0, "the page bakes, finds paths, walks a crowd, takes obstacles and files, shows prototypes, and goes back and forth");
