// The list of items: filters, pages, and the item that the address names.

const PAGE = 20;
const PAUSE = 120;
const LINE = 240;

const count = (number) => number.toLocaleString("en");

const ITEM = "#item=";

const itemName = (data, entry) => `${data.suites[entry.suite]}/${entry.item.id}`;

const itemAddress = (data, entry) => ITEM + encodeURIComponent(itemName(data, entry));

// The item in the address, however it is encoded.
const addressed = () => {
  try {
    return decodeURIComponent(location.hash.slice(ITEM.length));
  } catch {
    return "";
  }
};

// A page from a file may not change its address; then items cannot be linked, and everything else works.
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

// The last sentence of the first row, after the one that precedes it.
const startLine = (item, row) => {
  const texts = Object.keys(row.fields).flatMap((name) => item[name] ?? []);
  const last = make("span", { class: "sentence" }, clipped(texts.at(-1), LINE));
  if (texts.length < 2) return [last];
  return [make("span", { class: "sentence before" }, clipped(texts.at(-2), LINE / 3)), " ", last];
};

const closedItem = (data, entry) => {
  const { item } = entry;
  const [row] = data.layout;
  const address = itemAddress(data, entry);
  const signs = entry.results.slice(0, 6).map((result) => sign(outcome(result), speaker(entry, result, data.runs)));
  const flipped = entry.flipped ? make("span", { class: "badge" }, "flipped") : null;
  const badges = make("span", { class: "badges" }, signs, flipped);
  const line = make("span", { class: "line", dir: "auto", lang: language(item[row.language]) }, startLine(item, row));
  const label = item.label ? [apart(item.label), " \u00b7 "] : [];
  const tail = make("span", { class: "tail" }, label, apart(item.id));
  const details = make("details", { class: "item" }, make("summary", null, badges, line, tail));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(openedItem(entry, data, address));
    if (details.open) setAddress(address);
    else if (location.hash === address) setAddress("#items");
  });
  return details;
};

const browse = (data) => {
  const { entries } = data;
  data.roles = [...new Set(entries.flatMap(({ item }) => (item.spans ?? []).map((span) => span.role)))].sort();
  const search = searcher(data);
  const list = byId("list");
  let hits = entries.map((_, index) => index);

  const show = (wish) => {
    const pages = Math.max(1, Math.ceil(hits.length / PAGE));
    const page = Math.min(Math.max(0, wish), pages - 1);
    const shown = hits.slice(page * PAGE, (page + 1) * PAGE);
    const nothing = make("li", { class: "nothing" }, "No item matches. Remove a word or a filter.");
    const items = shown.map((index) => make("li", null, closedItem(data, entries[index])));
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
    const index = entries.findIndex((entry) => itemName(data, entry) === name);
    if (index < 0) {
      byId("count").textContent = "The item in the address is not on this page.";
      return;
    }
    clear();
    show(Math.floor(index / PAGE));
    const details = list.children[index % PAGE].firstElementChild;
    details.open = true;
    details.firstElementChild.focus({ preventScroll: true });
    details.scrollIntoView({ block: "start" });
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
      "This browser cannot unpack the items (it has no DecompressionStream). Open the page in a newer browser.";
    return;
  }
  try {
    const openAddress = browse(await unpack(packed.textContent));
    byId("browser").hidden = false;
    state.hidden = true;
    openAddress();
  } catch (error) {
    state.textContent = "The items cannot be unpacked: the page is damaged. Generate it again.";
    console.error(error);
  }
};
