// Live updates: when the server reports a change, load this page again and replace the live part of it.
const state = document.getElementById("live-state");
let wanted = false;
let busy = false;
let pressed = false;

function show(word, isLive) {
  if (!state) return;
  state.textContent = word;
  state.classList.toggle("on", isLive);
}

function keyOf(element) {
  return element && element.id ? "#" + CSS.escape(element.id) : null;
}

// Whether a person is typing, selecting or clicking there: replacing the content now would lose it. A click counts only
// if the element under the pointer is the same at its press and its release.
function inUse(live) {
  const active = document.activeElement;
  const isTyping = active && live.contains(active) && /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName);
  return isTyping || pressed || Boolean(String(getSelection()));
}

async function refresh() {
  if (busy) { wanted = true; return; }
  const live = document.getElementById("live");
  if (inUse(live)) { wanted = true; setTimeout(retry, 2000); return; }
  busy = true;
  wanted = false;
  try {
    const answer = await fetch(location.href, { headers: { accept: "text/html" } });
    if (answer.ok) {
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("live");
      // Asked again: a person may have begun to type or to click while the page was loading.
      if (fresh && inUse(live)) wanted = true;
      else if (fresh && fresh.innerHTML !== live.innerHTML) {
        const focus = keyOf(document.activeElement);
        const open = [...live.querySelectorAll("details[open][id]")].map((it) => it.id);
        live.replaceChildren(...fresh.childNodes);
        for (const id of open) { const it = document.getElementById(id); if (it) it.open = true; }
        if (focus && document.querySelector(focus)) document.querySelector(focus).focus({ preventScroll: true });
      }
    }
  } catch {
    // The server restarts: once the browser has connected again, `hello` refreshes.
  } finally {
    busy = false;
    if (wanted) setTimeout(retry, 500);
  }
}

function retry() { if (wanted) refresh(); }

let events = null;

function connect() {
  events = new EventSource("/api/v1/events");
  // A change between the rendering of this page and its connection was reported to others only.
  events.addEventListener("hello", () => { show("live", true); refresh(); });
  events.addEventListener("changed", refresh);
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
