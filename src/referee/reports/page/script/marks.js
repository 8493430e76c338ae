// Marks in a text: spans by role, or words by weight. Offsets count whole characters, as in Python.

const STROKES = ["solid", "dashed", "dotted", "double"];
const COLOURS = 8;

// Cuts a text wherever a mark starts or ends, and dresses every piece in the marks that cover it.
const marked = (text, marks, dress) => {
  if (!marks.length) return [visible(text)];
  const letters = Array.from(text);
  const kept = marks
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start), end: Math.min(letters.length, mark.end) }))
    .filter((mark) => mark.start < mark.end)
    // The longer one is the outer one.
    .sort((one, other) => one.start - other.start || other.end - one.end);
  const ends = kept.flatMap((mark) => [mark.start, mark.end]);
  const cuts = [...new Set([0, ...ends, letters.length])].sort((one, other) => one - other);
  let open = [];
  let next = 0;
  return cuts.slice(0, -1).map((start, index) => {
    open = open.filter((mark) => mark.end > start);
    while (next < kept.length && kept[next].start === start) open.push(kept[next++]);
    const piece = visible(letters.slice(start, cuts[index + 1]).join(""));
    return open.reduceRight((inner, mark, depth) => dress(mark, inner, open.length - 1 - depth), piece);
  });
};

const paintRole = (element, role) => {
  element.style.setProperty("--role", `var(--c${(role % COLOURS) + 1})`);
  element.style.setProperty("--stroke", STROKES[Math.floor(role / COLOURS) % STROKES.length]);
  return element;
};

const dressRole = (mark, inner, under) => {
  const element = paintRole(make("mark", { class: "mark", title: mark.role }), mark.number);
  element.style.setProperty("--under", under);
  element.append(inner);
  return element;
};

const paintWeight = (element, share, lower) => {
  element.style.setProperty("--tone", lower ? "var(--c1)" : "var(--c2)");
  element.style.setProperty("--share", Math.min(1, share).toFixed(3));
  return element;
};

const dressWeight = (mark, inner) => {
  const words = `${figure(mark.value)}${mark.trigger ? ", trigger word" : ""}`;
  const element = make("mark", { class: mark.trigger ? "weight trigger" : "weight", title: words });
  element.append(inner);
  return paintWeight(element, mark.share, mark.value >= 0);
};

// A score to three digits; what is not a number comes as a word.
const figure = (value) => {
  if (typeof value !== "number") return String(value);
  const size = Math.abs(value);
  return size !== 0 && (size < 0.001 || size >= 10000) ? value.toPrecision(3) : value.toFixed(3);
};

const weightsOf = (salience) => {
  const all = salience.weights
    .filter((weight) => typeof weight[4] === "number")
    .map(([field, index, start, end, value, trigger]) => ({ field, index, start, end, value, trigger }));
  const most = all.reduce((top, weight) => Math.max(top, Math.abs(weight.value)), 1e-12);
  return all.map((weight) => ({ ...weight, share: Math.abs(weight.value) / most }));
};
