// Drives a browser through the steps on stdin and prints what each step found.
import { createRequire } from "node:module";
import { appendFileSync, readFileSync } from "node:fs";

const require = createRequire(process.env.PACKAGES + "/package.json");
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const input = JSON.parse(readFileSync(0, "utf8"));

const browser = await chromium.launchPersistentContext(process.env.PROFILE, {
  executablePath: process.env.CHROMIUM,
  headless: true,
  chromiumSandbox: false,
  args: [
    "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
  ],
  colorScheme: input.dark ? "dark" : "light",
  viewport: { width: input.width ?? 1280, height: 900 },
  javaScriptEnabled: input.scripts ?? true,
});
const page = browser.pages()[0] ?? (await browser.newPage());
const messages = [];
page.on("console", (it) => { if (it.type() === "error") messages.push(it.text()); });
page.on("pageerror", (it) => messages.push(String(it)));

// The content security policy refuses scripts in the page, so axe runs in a world of its own.
async function violations() {
  const client = await browser.newCDPSession(page);
  const { frameTree } = await client.send("Page.getFrameTree");
  const world = await client.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  const run = (expression) => client.send("Runtime.evaluate", { expression, contextId: world.executionContextId, awaitPromise: true, returnByValue: true });
  await run(axe);
  const { result, exceptionDetails } = await run("axe.run().then((it) => it.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' | ')))");
  await client.detach();
  if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails));
  return result.value;
}

const found = [];
for (const step of input.steps) {
  const timeout = 60_000;
  if (step.goto) {
    const sizes = [];
    const documents = [];
    const count = async (answer) => {
      if (answer.url() === step.goto) documents.push(answer.url());
      try { sizes.push((await answer.body()).length); } catch { /* a redirect has none */ }
    };
    if (step.weigh) page.on("response", count);
    const answer = await page.goto(step.goto, { waitUntil: step.weigh ? "load" : "domcontentloaded", timeout });
    if (step.weigh) { await page.waitForTimeout(2500); page.off("response", count); }
    found.push({ status: answer.status(), title: await page.title(), text: await page.innerText("main"), bytes: sizes.reduce((a, b) => a + b, 0), documents: documents.length });
  } else if (step.click) {
    await page.click(step.click, { timeout });
    await page.waitForLoadState("domcontentloaded");
    found.push({ url: page.url(), text: await page.innerText("main") });
  } else if (step.press) {
    await page.keyboard.press(step.press);
    await page.waitForTimeout(500);
    found.push({ url: page.url(), focused: await page.evaluate(() => document.activeElement?.id || document.activeElement?.tagName) });
  } else if (step.fill) {
    await page.fill(step.fill, step.with);
    found.push({});
  } else if (step.until) {
    try {
      await page.waitForFunction((text) => document.querySelector("main").innerText.includes(text), step.until, { timeout });
    } catch (error) {
      throw new Error(`"${step.until}" never appeared on ${page.url()}: ${await page.innerText("main")}`, { cause: error });
    }
    found.push({ text: await page.innerText("main") });
  } else if (step.live) {
    await page.waitForSelector("#live-state.on", { timeout });
    found.push({});
  } else if (step.tabs) {
    // Tabs that a person opens one after another: each goes to the background before the next. A browser without a
    // window hides none of them, so this script does.
    const tabs = [];
    const turn = (tab, hidden) => tab.evaluate((it) => {
      Object.defineProperty(document, "hidden", { configurable: true, value: it });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
    for (let n = 0; n < step.tabs; n += 1) {
      if (tabs.length > 0) await turn(tabs.at(-1), true);
      const tab = await browser.newPage();
      await tab.goto(step.url, { timeout });
      await tab.waitForSelector("#live-state.on", { timeout });
      tabs.push(tab);
    }
    await turn(tabs.at(-1), true);
    await turn(tabs[0], false);
    await tabs[0].waitForSelector("#live-state.on", { timeout });
    found.push({ states: await Promise.all(tabs.map((tab) => tab.textContent("#live-state"))) });
    for (const tab of tabs) await tab.close();
  } else if (step.axe) {
    found.push({ violations: await violations() });
  } else if (step.screenshot) {
    await page.screenshot({ path: step.screenshot, fullPage: false });
    found.push({});
  } else if (step.overflow) {
    found.push({ overflow: await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth) });
  } else if (step.layout) {
    // Names broken into letters, and tables that a person must scroll sideways.
    found.push(await page.evaluate(() => {
      const text = (cell) => cell.innerText.trim();
      const squeezed = [...document.querySelectorAll("td")].filter((it) => it.offsetParent && it.clientWidth < 60 && it.clientHeight > 70 && text(it).length > 8);
      const scrolled = [...document.querySelectorAll(".wrap")].filter((it) => it.querySelector("table.rows") && it.scrollWidth > it.clientWidth + 1);
      return { squeezed: squeezed.map(text), scrolled: scrolled.map((it) => it.innerText.slice(0, 80)) };
    }));
  } else if (step.count) {
    // What the navigation says about another page.
    await page.waitForFunction(([name, n]) => [...document.querySelectorAll("#pages a")].some((it) => it.innerText.startsWith(name) && (it.querySelector(".count")?.innerText ?? "") === n), step.count, { timeout });
    found.push({});
  } else if (step.after) {
    // Changes files once the page has caught up with everything before.
    await page.waitForTimeout(2500);
    for (const [file, text] of step.after) appendFileSync(file, text);
    found.push({});
  } else if (step.fetch) {
    // As a page of another origin would.
    found.push(await page.evaluate(async (it) => {
      try { const answer = await fetch(it.url, it.options); return { status: answer.status }; } catch (error) { return { error: String(error) }; }
    }, step.fetch));
  }
}
await browser.close();
console.log(JSON.stringify({ found, messages }));
