/**
 * `node firefox_boot.mjs FIREFOX ADDRESS CODE`: opens the probe page in Firefox, runs the Python CODE in its engine, and
 * prints {stage, failure, requests, value} as JSON. Playwright drives its own Firefox only; Puppeteer drives any.
 */

import puppeteer from "puppeteer-core";

const [executablePath, address, code] = process.argv.slice(2);
const LIMIT_MS = 120_000;

const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  headless: true,
  protocolTimeout: LIMIT_MS,
  // Puppeteer lets pages opened from disk read their siblings; people's Firefox does not.
  extraPrefsFirefox: { "security.fileuri.strict_origin_policy": true, "app.update.enabled": false },
});
try {
  const page = await browser.newPage();
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(address);
  await page.waitForSelector("html[data-stage=ready], html[data-stage=failed]", { timeout: LIMIT_MS });
  const outcome = await page.evaluate(async (code) => {
    const failure = document.getElementById("boot-failure").textContent;
    const stage = document.documentElement.dataset.stage;
    if (stage === "failed") return { stage, failure };
    const value = await window.terrarium.call("run", { code }).promise.then(
      (result) => result.value,
      (error) => `${error.kind}: ${error.message} ${error.detail ?? ""}`,
    );
    return { stage, failure, value, timings: window.terrarium.info.timings };
  }, code);
  const network = requests.filter((url) => !/^(file|blob|data):/.test(url));
  console.log(JSON.stringify({ ...outcome, requests: network }));
} finally {
  await browser.close();
}
