// Runs the package in headless Chromium, and says how its tests went. Without a browser it says so and succeeds.
import { browse, findBrowser } from "./chromium.mjs";

const browser = findBrowser();
if (browser === undefined) {
  console.log("skipped: there is no Chromium (apt-get install chromium)");
  process.exit(0);
}
const results = JSON.parse(await browse(browser, "/test/browser/"));
for (const { name, ok, error } of results) console.log(ok ? `ok: ${name}` : `FAILED: ${name}\n${error}`);
process.exit(results.length >= 5 && results.every(({ ok }) => ok) ? 0 : 1);
