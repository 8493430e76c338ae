// The fields above the list, and what they ask for.

const addOptions = (select, names) => {
  for (const [index, name] of names.entries()) select.append(make("option", { value: index }, name));
};

const chosen = (select) => (select.value === "" ? null : Number(select.value));

// Calls `changed` with what is wanted, at once or, while somebody types, after a pause.
const startFilters = (data, changed) => {
  const [suite, label, result, run] = ["by-suite", "by-label", "by-result", "by-run"].map(byId);
  const [find, flipped, weighed] = ["find", "by-flip", "by-weight"].map(byId);
  const { entries } = data;
  let labels = [];

  // Only the labels of the suite; the one that was chosen stays where the suite has it.
  const fillLabels = () => {
    const before = labels[chosen(label)];
    const inSuite = entries.filter((entry) => chosen(suite) === null || entry.suite === chosen(suite));
    labels = [...new Set(inSuite.map(({ item }) => item.label).filter((name) => name !== undefined))].sort();
    label.replaceChildren(label.firstElementChild);
    addOptions(label, labels);
    label.value = labels.includes(before) ? labels.indexOf(before) : "";
    label.parentElement.hidden = labels.length < 2;
  };

  const update = () =>
    changed({
      find: find.value,
      suite: chosen(suite),
      label: chosen(label) === null ? null : labels[chosen(label)],
      result: result.value,
      run: chosen(run),
      flipped: flipped.checked,
      weighed: weighed.checked,
    });

  const clear = () => {
    for (const field of [suite, label, result, run, find]) field.value = "";
    for (const box of [flipped, weighed]) box.checked = false;
    fillLabels();
    update();
  };

  addOptions(suite, data.suites);
  addOptions(run, data.runs);
  suite.parentElement.hidden = data.suites.length < 2;
  run.parentElement.hidden = data.runs.length < 2;
  flipped.parentElement.hidden = !entries.some((entry) => entry.flipped);
  weighed.parentElement.hidden = !entries.some((entry) => entry.results.some((result) => result.salience));
  let timer = 0;
  find.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(update, PAUSE);
  });
  suite.addEventListener("change", fillLabels);
  for (const field of [suite, label, result, run, flipped, weighed]) field.addEventListener("change", update);
  onClick(byId("clear"), clear);
  fillLabels();
  return clear;
};
