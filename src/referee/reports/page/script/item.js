// One item, opened: its texts with marks, its candidates with scores, outputs, verdicts, and all other fields.
// Which fields there are, in which order and under which labels, comes with the data (fields.py).

const SIGNS = {
  correct: ["good", "\u2713"],
  incorrect: ["bad", "\u2717"],
  tied: ["fair", "="],
  other: ["good", "\u2713"],
  open: ["unknown", "\u2013"],
  none: ["unknown", "\u00f8"],
  dropped: ["unknown", "\u2205"],
};

const outcome = (result) => {
  if (result.dropped !== undefined) return "dropped";
  if (result.tied) return "tied";
  // A pronoun without an antecedent: rendered by other means, or not at all.
  if (result.means === "other" || result.means === "none") return result.means;
  return result.correct === undefined ? "open" : result.correct ? "correct" : "incorrect";
};

// The filter of results has a word for every outcome.
const outcomeWords = (kind) => byId("by-result").querySelector(`[value="${kind}"]`).textContent;

const sign = (kind, title) => {
  const [grade, letter] = SIGNS[kind];
  const name = title ? `${outcomeWords(kind)} (${title})` : outcomeWords(kind);
  return make("span", { class: `grade ${grade}`, role: "img", "aria-label": name, title: name }, letter);
};

const KINDS = { contrastive: "scores", generative: "generation" };

// The run where there are several, and the kind of evaluation where one run has two results.
const speaker = (entry, result, runs) => {
  const several = entry.results.filter((other) => other.run === result.run).length > 1;
  const run = runs.length > 1 ? (runs[result.run] ?? "") : "";
  return [run, several || !run ? (KINDS[result.kind] ?? "") : ""].filter(Boolean).join(", ");
};

const fact = (name, value, code) => {
  const label = name ? make("b", null, apart(name)) : null;
  return make("li", { lang: language(code) }, label, label && " ", apart(String(value)));
};

const isRecord = (value) => typeof value === "object" && value !== null;

// A value as facts: one per value of a list, one per entry of a record, named after both.
const factsOf = (name, value, code) => {
  if (Array.isArray(value)) return value.flatMap((one) => factsOf(name, one, code));
  if (!isRecord(value)) return [fact(name, value, code)];
  return Object.entries(value).flatMap(([key, inner]) => factsOf(name ? `${name} ${key}` : key, inner, code));
};

const factList = (facts) => (facts.length ? make("ul", { class: "facts" }, facts) : null);

// Paints the texts of an item: with its spans, or with the words' weights in one result.
const painter = (item, roles, result) => {
  const marks = result
    ? weightsOf(result.salience)
    : (item.spans ?? []).map((span) => ({ index: 0, ...span, number: roles.indexOf(span.role) }));
  return (text, field, index) => {
    const inText = marks.filter((mark) => mark.field === field && mark.index === index);
    return marked(text, inText, result ? dressWeight : dressRole);
  };
};

// Not in <bdi>, which has no say in the direction of the paragraph; the style keeps them apart.
const sentences = (item, names, paint) => {
  const kind = (name) => (name === names.at(-1) ? "sentence" : "sentence before");
  const spans = names.flatMap((name) =>
    [item[name]].flat().map((text, index) => make("span", { class: kind(name) }, paint(text, name, index))),
  );
  return spans.flatMap((span, index) => (index ? [" ", span] : [span]));
};

const paragraph = (code, children) => make("p", { class: "text", dir: "auto", lang: language(code) }, children);

const scoreCell = (result, index) => {
  const score = result.scores?.[index];
  const shown = score === undefined ? "" : figure(score);
  if (result.choice !== index) return make("td", { class: "score" }, shown);
  const words = result.kind === "generative" ? "in its output" : "chosen";
  return make("td", { class: "score chosen" }, shown, make("small", null, words));
};

const candidateTable = (entry, runs, code, paint) => {
  const { item } = entry;
  const scored = entry.results.filter((result) => result.scores?.length || result.choice !== undefined);
  const heads = scored.map((result) => make("th", { scope: "col" }, apart(speaker(entry, result, runs))));
  const rows = item.candidates.map(({ text, ...others }, index) => {
    const gold = item.gold === index ? make("span", { class: "gold" }, "\u2713 correct answer") : null;
    const facts = Object.entries(others).flatMap(([name, value]) => factsOf(isRecord(value) ? "" : name, value));
    const first = make("td", null, paragraph(code, paint(text, "candidate", index)), gold, factList(facts));
    return make("tr", null, first, scored.map((result) => scoreCell(result, index)));
  });
  const head = make("thead", null, make("tr", null, make("th", { scope: "col" }, "text"), heads));
  const box = { class: "choices", tabindex: "0", role: "group", "aria-label": "Candidates" };
  return make("div", box, make("table", null, scored.length ? head : null, make("tbody", null, rows)));
};

const yesNo = (flag) => (flag ? "yes" : "no");

const verdict = (entry, result, runs) => {
  const kind = outcome(result);
  const notes = [];
  if (result.dropped !== undefined) notes.push(result.dropped);
  if (result.tied) notes.push(result.kind === "generative" ? "ambiguous: several candidates match" : "counts as incorrect");
  for (const [rule, hit] of Object.entries(result.found ?? {}))
    notes.push(`expected form found (rule ${rule}): ${yesNo(hit)}`);
  if (result.antecedent !== undefined) notes.push(`antecedent in the translated context: ${yesNo(result.antecedent)}`);
  const who = make("span", { class: "who" }, apart(speaker(entry, result, runs)));
  const rest = notes.length ? ["; ", apart(notes.join("; "))] : [];
  return make("li", null, sign(kind), " ", who, " ", outcomeWords(kind), rest);
};

const output = (entry, result, runs) => {
  const who = runs.length > 1 ? make("span", { class: "who" }, apart(runs[result.run] ?? "")) : null;
  return make("li", null, who, paragraph(entry.item.target_lang, result.output));
};

const isThere = (value) => value !== undefined && value !== null;

const VIEWS = {
  text: (entry, data, row, names, paint) =>
    paragraph(entry.item[row.language], sentences(entry.item, names, paint)),
  candidates: (entry, data, row, names, paint) =>
    candidateTable(entry, data.runs, entry.item[row.language], paint),
  facts: ({ item }, data, row, names) => {
    // A list that has the row to itself needs no name.
    const label = (name) => (Object.keys(row.fields).length > 1 ? row.fields[name] : "");
    return factList(names.flatMap((name) => factsOf(label(name), item[name], item[row.language])));
  },
};

const fields = (entry, data, paint) => {
  const rows = [];
  const add = (name, node) => rows.push(make("dt", null, name), make("dd", null, node));
  const list = (children) => make("ul", { class: "said" }, children);
  for (const row of data.layout) {
    const names = Object.keys(row.fields).filter((name) => isThere(entry.item[name]));
    const code = row.view === "text" ? `, ${entry.item[row.language]}` : "";
    if (names.length) add(row.label + code, VIEWS[row.view](entry, data, row, names, paint));
    if (row.view !== "candidates") continue;
    const outputs = entry.results.filter((result) => result.output !== undefined);
    if (outputs.length) add("Output", list(outputs.map((result) => output(entry, result, data.runs))));
    add("Verdict", list(entry.results.map((result) => verdict(entry, result, data.runs))));
  }
  add("Suite", apart(data.suites[entry.suite]));
  return make("dl", { class: "fields" }, rows);
};

const roleLegend = (item, roles) =>
  [...new Set((item.spans ?? []).map((span) => span.role))].map((role) => {
    const swatch = paintRole(make("span", { class: "swatch mark" }), roles.indexOf(role));
    return make("span", { class: "legend-key" }, swatch, apart(role));
  });

const ramp = (tone, words) => {
  const bar = make("span", { class: "ramp" });
  bar.style.setProperty("--tone", tone);
  return make("span", { class: "legend-key" }, bar, words);
};

const weightLegend = (salience, item) => {
  const texts = (field) => (field === "candidate" ? item.candidates?.map(({ text }) => text) : [item[field]].flat());
  const word = ({ field, index, start, end }) =>
    Array.from(texts(field)?.[index] ?? "").slice(start, end).join("");
  const highest = weightsOf(salience).sort((one, other) => other.share - one.share).slice(0, 5);
  const list = highest.flatMap((weight, index) => [
    index ? ", " : "",
    apart(word(weight)),
    ` ${figure(weight.value)}`,
  ]);
  const target = make("b", null, apart(salience.target));
  const measure = ["change in the probability of ", target, ` (${figure(salience.probability)}) without the word`];
  return [
    make("span", null, measure),
    ramp("var(--c1)", "lower"),
    ramp("var(--c2)", "higher"),
    make("span", null, "framed: trigger word"),
    make("span", null, "highest salience: ", list),
  ];
};

// Names of suite and runs in place of their numbers.
const named = (entry, data) => ({
  ...entry,
  suite: data.suites[entry.suite],
  results: entry.results.map((result) => ({ ...result, run: data.runs[result.run] })),
});

// The whole of an opened item; the switch between spans and salience stays while the texts change.
const openedItem = (entry, data, address) => {
  const { item } = entry;
  const weighed = entry.results.filter((result) => result.salience);
  const views = [...(item.spans || !weighed.length ? [null] : []), ...weighed];
  const legend = make("span", { class: "controls" });
  const texts = make("div");
  const show = (view) => {
    legend.replaceChildren(...(view ? weightLegend(view.salience, item) : roleLegend(item, data.roles)));
    texts.replaceChildren(fields(entry, data, painter(item, data.roles, view)));
    for (const [index, button] of buttons.entries()) button.setAttribute("aria-pressed", views[index] === view);
  };
  const name = (view) => {
    if (!view) return "spans";
    return weighed.length > 1 ? `salience: ${speaker(entry, view, data.runs)}` : "salience";
  };
  const buttons = views.map((view) => onClick(make("button", { type: "button" }, name(view)), () => show(view)));
  const group = { class: "switch", role: "group", "aria-label": "Marks" };
  const switcher = views.length > 1 ? make("span", group, buttons) : null;
  const copy = copyButton("Copy as JSON", () => JSON.stringify(named(entry, data), null, 2));
  const ends = make("div", { class: "ends" }, make("a", { href: address }, "Link to this item"), copy);
  show(views[0]);
  return make("div", { class: "body" }, make("div", { class: "controls" }, switcher, legend), texts, ends);
};
