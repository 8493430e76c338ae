// Every table as CSV and LaTeX: the page carries what export.py wrote, in the order of its tables.

const TYPES = { csv: ["CSV", "text/csv"], tex: ["LaTeX", "text/x-tex"] };

const download = (name, type, text) => {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const startExports = () => {
  const packed = byId("exports");
  if (!packed || !canUnpack) return;
  let files;
  const save = async (index, suffix) => {
    files ??= unpack(packed.textContent);
    const file = (await files)[index];
    download(`${file.name}.${suffix}`, TYPES[suffix][1], file[suffix]);
  };
  for (const [index, figure] of document.querySelectorAll("figure.table").entries()) {
    const title = figure.querySelector("figcaption").textContent;
    const buttons = Object.entries(TYPES).map(([suffix, [name]]) =>
      button(name, () => save(index, suffix), { "aria-label": `${name} of ${title}` }),
    );
    figure.append(make("div", { class: "tools" }, buttons));
  }
};
