// Live updates: when the server reports a change, load this page again and replace the live part of it.
const state = document.getElementById("live-state");
let wanted = false;
let busy = false;
let pressed = false;
let timer = 0;

function show(word, isLive) {
  if (!state) return;
  state.textContent = word;
  state.classList.toggle("on", isLive);
}

function keyOf(element) {
  return element && element.id ? "#" + CSS.escape(element.id) : null;
}

// Whether a person is typing, choosing, selecting or clicking there: replacing the content now would lose it. A field that
// only has the focus gets it back. A click counts only if the element under the pointer is the same at its press and its
// release.
function inUse(live) {
  const active = document.activeElement;
  const isIn = active && live.contains(active);
  const isTyping = isIn && /^(INPUT|TEXTAREA)$/.test(active.tagName) && active.value !== active.defaultValue;
  return isTyping || (isIn && active.tagName === "SELECT") || pressed || Boolean(String(getSelection()));
}

// Shows how much waits on the other pages. The links stay: a person may have the focus on one.
function count(page) {
  for (const link of page.querySelectorAll("#pages a")) {
    const shown = document.querySelector(`#pages a[data-key="${link.dataset.key}"]`);
    shown?.querySelector(".count")?.remove();
    const fresh = link.querySelector(".count");
    if (fresh) shown?.querySelector("kbd").before(fresh);
  }
}

function replace(live, fresh) {
  const focus = keyOf(document.activeElement);
  const open = [...live.querySelectorAll("details[open][id]")].map((it) => it.id);
  live.replaceChildren(...fresh.childNodes);
  for (const id of open) { const it = document.getElementById(id); if (it) it.open = true; }
  if (focus && document.querySelector(focus)) document.querySelector(focus).focus({ preventScroll: true });
}

// One timer, however many changes come: a page in use for a day must not collect them.
function later(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(() => { if (wanted) refresh(); }, milliseconds);
}

async function refresh() {
  wanted = true;
  if (busy) return;
  const live = document.getElementById("live");
  if (inUse(live)) { later(2000); return; }
  busy = true;
  wanted = false;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const fresh = page.getElementById("live");
      // Asked again: a person may have begun to type or to click while the page was loading.
      if (fresh && inUse(live)) wanted = true;
      else if (fresh) {
        live.dataset.stamp = fresh.dataset.stamp;
        count(page);
        if (fresh.innerHTML !== live.innerHTML) replace(live, fresh);
      }
    }
  } catch {
    // The server restarts: once the browser has connected again, `hello` refreshes.
  } finally {
    busy = false;
    if (wanted) later(500);
  }
}

function refreshIfNew(event) {
  if (JSON.parse(event.data).stamp !== document.getElementById("live").dataset.stamp) refresh();
}

let events = null;

function connect() {
  events = new EventSource("/api/v1/events");
  // A change between the rendering of this page and its connection was reported to others only: the stamp tells.
  events.addEventListener("hello", (event) => { show("live", true); refreshIfNew(event); });
  events.addEventListener("changed", refreshIfNew);
  events.onerror = () => show("reconnecting", false);
}

// A browser opens at most six connections to one server: tabs in the background leave them to those that a person sees.
function follow() {
  if (document.hidden) {
    if (events) events.close();
    events = null;
    show("paused", false);
  } else if (!events) connect();
}

if (document.getElementById("live")) {
  follow();
  document.addEventListener("visibilitychange", follow);
  // "3 min ago" and "denied in 40 s" become wrong although nothing happens.
  setInterval(() => { if (events) refresh(); }, 20_000);
}
document.addEventListener("pointerdown", () => { pressed = true; });
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { pressed = false; });

// The link with the token submits its form at once.
const enter = document.getElementById("enter");
if (enter) enter.submit();

// One key per page, as the navigation shows; `/` searches.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) { if (event.key === "Escape") event.target.blur(); return; }
  if (event.key === "/") {
    const search = document.querySelector("input[type=search]");
    if (search) { event.preventDefault(); search.focus(); }
    return;
  }
  const link = document.querySelector(`nav a[data-key="${CSS.escape(event.key)}"]`);
  if (link) link.click();
});
