/**
 * `node firefox_packs.mjs FIREFOX ADDRESS PROFILE PACK`: keeps the pack (a file) with the page of packs_page.py in Firefox, starts
 * Firefox again with the same profile, loads the model, removes it, and prints what came of it as JSON.
 */

import { readFileSync } from "node:fs";
import puppeteer from "puppeteer-core";

const [executablePath, address, userDataDir, pack] = process.argv.slice(2);
const data = readFileSync(pack).toString("base64");

/** @param {(page: import("puppeteer-core").Page) => Promise<unknown>} work */
async function visit(work) {
  const browser = await puppeteer.launch({
    browser: "firefox",
    executablePath,
    userDataDir,
    headless: true,
    extraPrefsFirefox: { "security.fileuri.strict_origin_policy": true, "app.update.enabled": false },
  });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    await page.waitForSelector("html[data-stage=joined]");
    return await work(page);
  } finally {
    await browser.close();
  }
}

const cut = await visit((page) => page.evaluate((data) => add(data.slice(0, -400), "cut.pack"), data));
const added = await visit((page) => page.evaluate((data) => add(data, "terrarium-tiny.pack"), data));
const found = await visit((page) =>
  page.evaluate(async () => {
    const files = await load("tiny");
    const kept = await commands.list();
    await commands.remove(kept[0].key);
    return { files, kept, counts: await counts() };
  }),
);
console.log(JSON.stringify({ cut, added, ...found }));
