// The list of items: filters, pages, and the item that the address names.

const PAGE = 20;
const PAUSE = 120;
const LINE = 240;

const count = (number) => number.toLocaleString("en");

const ITEM = "#item=";

const itemName = (data, entry) => `${data.suites[entry.suite]}/${entry.id}`;

const itemAddress = (data, entry) => ITEM + encodeURIComponent(itemName(data, entry));

// What the address names, however whoever passed it on has written it.
const addressed = () => {
  try {
    return decodeURIComponent(location.hash.slice(ITEM.length));
  } catch {
    return "";
  }
};

// A file may not be allowed to change its address; then items cannot be linked, and all else works.
const setAddress = (address) => {
  try {
    history.replaceState(null, "", address);
  } catch {
    // Nothing to do.
  }
};

const clipped = (text, length) => {
  const letters = Array.from(text.slice(0, 2 * length + 2));
  return letters.slice(0, length).join("").replace(/\s+/g, " ") + (letters.length > length ? "\u2026" : "");
};

// The sentence, after the last one before it.
const startLine = (entry) => {
  const before = entry.source_context?.at(-1);
  const source = make("span", { class: "sentence" }, clipped(entry.source, LINE));
  return before ? [make("span", { class: "sentence before" }, clipped(before, LINE / 3)), " ", source] : [source];
};

const closedItem = (data, entry) => {
  const address = itemAddress(data, entry);
  const signs = entry.results.slice(0, 6).map((result) => sign(outcome(result), speaker(entry, result, data.runs)));
  const flipped = entry.flipped ? make("span", { class: "badge" }, "flipped") : null;
  const badges = make("span", { class: "badges" }, signs, flipped);
  const line = make("span", { class: "line", dir: "auto", lang: language(entry.source_lang) }, startLine(entry));
  const label = entry.label ? [apart(entry.label), " \u00b7 "] : [];
  const tail = make("span", { class: "tail" }, label, apart(entry.id));
  const item = make("details", { class: "item" }, make("summary", null, badges, line, tail));
  item.addEventListener("toggle", () => {
    if (item.open && item.children.length === 1) item.append(openedItem(entry, data, address));
    if (item.open) setAddress(address);
    else if (location.hash === address) setAddress("#items");
  });
  return item;
};

const browse = (data) => {
  const { entries } = data;
  data.roles = [...new Set(entries.flatMap((entry) => (entry.spans ?? []).map((span) => span.role)))].sort();
  const search = searcher(entries);
  const list = byId("list");
  let hits = entries.map((_, place) => place);

  const show = (wish) => {
    const pages = Math.max(1, Math.ceil(hits.length / PAGE));
    const page = Math.min(Math.max(0, wish), pages - 1);
    const shown = hits.slice(page * PAGE, (page + 1) * PAGE);
    const nothing = make("li", { class: "nothing" }, "No item is like that. Take away a word or a filter.");
    const items = shown.map((place) => make("li", null, closedItem(data, entries[place])));
    list.replaceChildren(...(items.length ? items : [nothing]));
    const all = `${count(entries.length)} items`;
    byId("count").textContent = hits.length === entries.length ? all : `${count(hits.length)} of ${all}`;
    showPager(page, pages);
  };

  const showPager = startPagers(show);
  const clear = startFilters(data, (wanted) => {
    hits = search(wanted);
    show(0);
  });

  const openAddress = () => {
    if (!location.hash.startsWith(ITEM)) return;
    const name = addressed();
    const place = entries.findIndex((entry) => itemName(data, entry) === name);
    if (place < 0) {
      byId("count").textContent = "The item that the address names is not on this page.";
      return;
    }
    clear();
    show(Math.floor(place / PAGE));
    const item = list.children[place % PAGE].firstElementChild;
    item.open = true;
    item.firstElementChild.focus({ preventScroll: true });
    item.scrollIntoView({ block: "start" });
  };

  addEventListener("hashchange", openAddress);
  show(0);
  return openAddress;
};

const startBrowser = async () => {
  const packed = byId("packed");
  if (!packed) return;
  const state = byId("items-state");
  state.textContent = "Unpacking items \u2026";
  if (!canUnpack) {
    state.textContent =
      "This browser is too old to unpack the items (it has no DecompressionStream). Open the page in a newer one.";
    return;
  }
  try {
    const openAddress = browse(await unpack(packed.textContent));
    byId("browser").hidden = false;
    state.hidden = true;
    openAddress();
  } catch (error) {
    state.textContent = "The items could not be unpacked: the page seems to be damaged. Make it again.";
    console.error(error);
  }
};
