// Search and filters: an item is found if all words occur in it and it passes every filter.

const PASSES = {
  correct: (result) => result.correct === true,
  incorrect: (result) => result.correct === false,
  tied: (result) => result.tied === true,
  other: (result) => result.means === "other",
  open: (result) => result.correct === undefined && result.dropped === undefined && result.means !== "none",
  none: (result) => result.means === "none",
  dropped: (result) => result.dropped !== undefined,
};

const folded = (text) => text.normalize("NFC").toLowerCase();

const textsIn = (value) => {
  if (typeof value === "string") return [value];
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
};

// Every text in the fields that an opened item shows, and the outputs.
const searchable = ({ item, results }, names) =>
  folded([...names.flatMap((name) => textsIn(item[name])), ...results.map(({ output }) => output ?? "")].join("\n"));

// Texts are folded once, a few at a time while the page is idle, so that the first search is as quick as the others.
const searcher = ({ entries, layout }) => {
  const names = layout.flatMap((row) => Object.keys(row.fields));
  const texts = new Array(entries.length);
  const text = (index) => (texts[index] ??= searchable(entries[index], names));
  let ready = 0;
  const prepare = () => {
    const end = Math.min(entries.length, ready + 1000);
    while (ready < end) text(ready++);
    if (ready < entries.length) setTimeout(prepare, 0);
  };
  setTimeout(prepare, 0);
  return (wanted) => {
    const terms = folded(wanted.find).split(/\s+/).filter(Boolean);
    const passes = PASSES[wanted.result] ?? (() => true);
    const matches = (result) => (wanted.run === null || result.run === wanted.run) && passes(result);
    const anyResult = wanted.run === null && !PASSES[wanted.result];
    const hits = [];
    entries.forEach((entry, index) => {
      if (wanted.suite !== null && entry.suite !== wanted.suite) return;
      if (wanted.label !== null && entry.item.label !== wanted.label) return;
      if (wanted.flipped && !entry.flipped) return;
      if (wanted.weighed && !entry.results.some((result) => result.salience)) return;
      if (!anyResult && !entry.results.some(matches)) return;
      if (terms.length && !terms.every((term) => text(index).includes(term))) return;
      hits.push(index);
    });
    return hits;
  };
};
