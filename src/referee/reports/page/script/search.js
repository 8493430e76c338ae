// Which items are meant: plain words, all of which must occur, and filters.

const PASSES = {
  right: (result) => result.correct === true,
  wrong: (result) => result.correct === false,
  tied: (result) => result.tied === true,
  open: (result) => result.correct === undefined && result.dropped === undefined,
  dropped: (result) => result.dropped !== undefined,
};

const folded = (text) => text.normalize("NFC").toLowerCase();

const wordsOf = (entry) =>
  folded(
    [
      entry.id,
      entry.label ?? "",
      ...(entry.source_context ?? []),
      entry.source,
      entry.question ?? "",
      ...(entry.target_context ?? []),
      ...(entry.candidates ?? []).map((candidate) => candidate.text),
      entry.reference ?? "",
      ...(entry.expected ?? []),
      ...entry.results.map((result) => result.output ?? ""),
    ].join("\n"),
  );

// Folded once, a few at a time while nothing else is to be done, so that the first search is as quick as the others.
const searcher = (entries) => {
  const texts = new Array(entries.length);
  const text = (place) => (texts[place] ??= wordsOf(entries[place]));
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
    const judged = (result) => (wanted.run === null || result.run === wanted.run) && passes(result);
    const anyResult = wanted.run === null && !PASSES[wanted.result];
    const hits = [];
    entries.forEach((entry, place) => {
      if (wanted.suite !== null && entry.suite !== wanted.suite) return;
      if (wanted.label !== null && entry.label !== wanted.label) return;
      if (wanted.flipped && !entry.flipped) return;
      if (wanted.weighed && !entry.results.some((result) => result.salience)) return;
      if (!anyResult && !entry.results.some(judged)) return;
      if (terms.length && !terms.every((term) => text(place).includes(term))) return;
      hits.push(place);
    });
    return hits;
  };
};
