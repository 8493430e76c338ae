// One item, opened: its texts with marks, its candidates with scores, what was written, and what is known of it.

const OUTCOMES = {
  right: ["good", "\u2713", "right"],
  wrong: ["bad", "\u2717", "wrong"],
  tied: ["fair", "=", "tied"],
  open: ["unknown", "\u2013", "no right answer"],
  dropped: ["unknown", "\u2205", "dropped"],
};

const outcome = (result) => {
  if (result.dropped !== undefined) return "dropped";
  if (result.tied) return "tied";
  return result.correct === undefined ? "open" : result.correct ? "right" : "wrong";
};

const sign = (kind, title) => {
  const [mood, letter, words] = OUTCOMES[kind];
  const name = title ? `${words} (${title})` : words;
  return make("span", { class: `mood ${mood}`, role: "img", "aria-label": name, title: name }, letter);
};

const WAYS = { contrastive: "by scores", generative: "written" };

// Who said it: the run where there are several, and the way where one run has said two things.
const speaker = (entry, result, runs) => {
  const several = entry.results.filter((other) => other.run === result.run).length > 1;
  const run = runs.length > 1 ? (runs[result.run] ?? "") : "";
  return [run, several || !run ? (WAYS[result.kind] ?? "") : ""].filter(Boolean).join(", ");
};

const fact = ([name, value]) => make("li", null, make("b", null, apart(name)), apart(String(value)));

const facts = (pairs) => (pairs.length ? make("ul", { class: "facts" }, pairs.map(fact)) : null);

// Paints the texts of an item: with its spans, or with the words' weights in one result.
const painter = (entry, roles, result) => {
  const marks = result
    ? weightsOf(result.salience)
    : (entry.spans ?? []).map((span) => ({ index: 0, ...span, number: roles.indexOf(span.role) }));
  return (text, field, index) => {
    const own = marks.filter((mark) => mark.field === field && mark.index === index);
    return marked(text, own, result ? dressWeight : dressRole);
  };
};

// Not in <bdi>, which has no say in the direction of the paragraph; the style keeps them apart.
const sentences = (texts, field, paint) =>
  texts.flatMap((text, index) => {
    const kind = field === "source" ? "sentence" : "sentence before";
    return [make("span", { class: kind }, paint(text, field, index)), " "];
  });

const paragraph = (code, children) => make("p", { class: "text", dir: "auto", lang: language(code) }, children);

const scoreCell = (result, place) => {
  const score = result.scores?.[place];
  const shown = score === undefined ? "" : figure(score);
  if (result.choice !== place) return make("td", { class: "score" }, shown);
  const words = result.kind === "generative" ? "in its output" : "chosen";
  return make("td", { class: "score chosen" }, shown, make("small", null, words));
};

const choices = (entry, runs, paint) => {
  const judged = entry.results.filter((result) => result.scores?.length || result.choice !== undefined);
  const heads = judged.map((result) => make("th", { scope: "col" }, apart(speaker(entry, result, runs))));
  const rows = entry.candidates.map((candidate, place) => {
    const text = paragraph(entry.target_lang, paint(candidate.text, "candidate", place));
    const gold = entry.gold === place ? make("span", { class: "gold" }, "\u2713 right answer") : null;
    const about = facts(Object.entries(candidate.features ?? {}));
    return make("tr", null, make("td", null, text, gold, about), judged.map((result) => scoreCell(result, place)));
  });
  const first = make("th", { scope: "col" }, "text");
  const head = judged.length ? make("thead", null, make("tr", null, first, heads)) : null;
  const box = { class: "choices", tabindex: "0", role: "group", "aria-label": "Candidates" };
  return make("div", box, make("table", null, head, make("tbody", null, rows)));
};

const yesNo = (flag) => (flag ? "yes" : "no");

const verdict = (entry, result, runs) => {
  const kind = outcome(result);
  const notes = [];
  if (result.dropped !== undefined) notes.push(`not judged: ${result.dropped}`);
  if (result.tied && result.kind === "generative") notes.push("several candidates are in the output");
  if (result.tied && result.kind !== "generative") notes.push("the best score is shared, which counts as wrong");
  for (const [rule, hit] of Object.entries(result.found ?? {}))
    notes.push(`expected form found by rule ${rule}: ${yesNo(hit)}`);
  if (result.antecedent !== undefined) notes.push(`noun in the translated context: ${yesNo(result.antecedent)}`);
  const who = make("span", { class: "who" }, apart(speaker(entry, result, runs)));
  const rest = notes.length ? ["; ", apart(notes.join("; "))] : [];
  return make("li", null, sign(kind), " ", who, " ", OUTCOMES[kind][2], rest);
};

const written = (entry, result, runs) => {
  const who = runs.length > 1 ? make("span", { class: "who" }, apart(runs[result.run] ?? "")) : null;
  return make("li", null, who, paragraph(entry.target_lang, result.output));
};

const fields = (entry, data, paint) => {
  const { source_lang: from, target_lang: to } = entry;
  const rows = [];
  const add = (name, node) => rows.push(make("dt", null, name), make("dd", null, node));
  const list = (kind, children) => make("ul", { class: kind }, children);
  const texts = [
    ...sentences(entry.source_context ?? [], "source_context", paint),
    ...sentences([entry.source], "source", paint),
  ];
  add(`Source, ${from}`, paragraph(from, texts.slice(0, -1)));
  if (entry.question !== undefined) add("Question", paragraph(from, entry.question));
  if (entry.target_context) {
    const before = sentences(entry.target_context, "target_context", paint);
    add(`Context, ${to}`, paragraph(to, before.slice(0, -1)));
  }
  if (entry.candidates) add("Candidates", choices(entry, data.runs, paint));
  const outputs = entry.results.filter((result) => result.output !== undefined);
  if (outputs.length) add("Written", list("said", outputs.map((result) => written(entry, result, data.runs))));
  add("Verdict", list("said", entry.results.map((result) => verdict(entry, result, data.runs))));
  if (entry.expected)
    add("Expected", list("facts", entry.expected.map((form) => make("li", { lang: language(to) }, apart(form)))));
  if (entry.reference !== undefined) add("Reference", paragraph(to, entry.reference));
  const known = ["id", "label", "group", "distance"].filter((name) => entry[name] !== undefined);
  const about = [["suite", data.suites[entry.suite]], ...known.map((name) => [name, entry[name]])];
  add("About it", facts([...about, ...Object.entries(entry.features ?? {})]));
  return make("dl", { class: "fields" }, rows);
};

const roleLegend = (entry, roles) =>
  [...new Set((entry.spans ?? []).map((span) => span.role))].map((role) => {
    const swatch = paintRole(make("span", { class: "swatch mark" }), roles.indexOf(role));
    return make("span", { class: "legend-key" }, swatch, apart(role));
  });

const ramp = (tone, words) => {
  const bar = make("span", { class: "ramp" });
  bar.style.setProperty("--tone", tone);
  return make("span", { class: "legend-key" }, bar, words);
};

const weightLegend = (salience, entry) => {
  const texts = {
    source: [entry.source],
    source_context: entry.source_context,
    target_context: entry.target_context,
    candidate: entry.candidates?.map((candidate) => candidate.text),
  };
  const word = ({ field, index, start, end }) => Array.from(texts[field]?.[index] ?? "").slice(start, end).join("");
  const heaviest = weightsOf(salience).sort((one, other) => other.share - one.share).slice(0, 5);
  const told = (weight) => [apart(word(weight)), ` ${figure(weight.value)}`];
  const list = heaviest.flatMap((weight, place) => [place ? ", " : "", ...told(weight)]);
  const target = make("b", null, apart(salience.target));
  const takes = ["what a word's removal takes from the probability of ", target, ` (${figure(salience.probability)})`];
  return [
    make("span", null, takes),
    ramp("var(--c1)", "takes"),
    ramp("var(--c2)", "adds"),
    make("span", null, "framed: trigger"),
    make("span", null, "heaviest: ", list),
  ];
};

// Names of suite and runs in place of their numbers.
const named = (entry, data) => ({
  ...entry,
  suite: data.suites[entry.suite],
  results: entry.results.map((result) => ({ ...result, run: data.runs[result.run] })),
});

// The whole of an opened item; the switch between spans and weights keeps its place while the texts change.
const openedItem = (entry, data, address) => {
  const weighed = entry.results.filter((result) => result.salience);
  const views = [...(entry.spans || !weighed.length ? [null] : []), ...weighed];
  const legend = make("span", { class: "controls" });
  const texts = make("div");
  const show = (view) => {
    legend.replaceChildren(...(view ? weightLegend(view.salience, entry) : roleLegend(entry, data.roles)));
    texts.replaceChildren(fields(entry, data, painter(entry, data.roles, view)));
    for (const [place, each] of buttons.entries()) each.setAttribute("aria-pressed", views[place] === view);
  };
  const name = (view) => {
    if (!view) return "spans";
    return weighed.length > 1 ? `salience: ${speaker(entry, view, data.runs)}` : "salience";
  };
  const buttons = views.map((view) => onClick(make("button", { type: "button" }, name(view)), () => show(view)));
  const several = { class: "switch", role: "group", "aria-label": "Marks" };
  const switcher = views.length > 1 ? make("span", several, buttons) : null;
  const copy = copyButton("Copy as JSON", () => JSON.stringify(named(entry, data), null, 2));
  const ends = make("div", { class: "ends" }, make("a", { href: address }, "Link to this item"), copy);
  show(views[0]);
  return make("div", { class: "body" }, make("div", { class: "controls" }, switcher, legend), texts, ends);
};
