// Every table as CSV and LaTeX, by the rules of report/exports.py.

const NUMBER = "[+-]?\\d+(?:\\.\\d+)?";
const FIGURE = new RegExp(`^${NUMBER}(?: to ${NUMBER})?[%*]?$`);
const FORMULA = /^[=+\-@\t\n\uff1d\uff0b\uff0d\uff20]/;
const LATEX = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  "|": "\\textbar{}",
};

const stripped = (text) => text.replace(/^ +| +$/g, "");

const csvCell = (cell) => {
  let text = stripped(visible(cell));
  if (FORMULA.test(text) && !FIGURE.test(text)) text = `'${text}`;
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

const csvText = (table) => [table.columns, ...table.rows].map((row) => row.map(csvCell).join(",") + "\r\n").join("");

const oneLine = (text) => stripped(visible(text).replace(/[\n\t ]+/g, " "));

const latex = (text) => {
  const escaped = text.replace(/[\\{}$&#_%~^<>|]/g, (sign) => LATEX[sign] ?? `\\${sign}`);
  return /^[[*]/.test(escaped) ? `{}${escaped}` : escaped;
};

const latexWords = (cell) => (cell.startsWith("  ") ? "\\quad " : "") + latex(oneLine(cell));

const latexFigure = (cell) =>
  latex(oneLine(cell))
    .replace(/(?<=\d)-(?=\d)/g, "--")
    .replace(/(?<![^ ])[+-]\d+(?:\.\d+)?(?![^ *])/g, (number) => `$${number}$`);

const latexText = (table) => {
  const isLeft = (place) => table.left.includes(place);
  const row = (cells) =>
    `    ${cells.map((cell, place) => (isLeft(place) ? latexWords(cell) : latexFigure(cell))).join(" & ")} \\\\`;
  const lines = [
    "% needs \\usepackage{booktabs}",
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${latex(oneLine(table.title))}}`,
    `  \\begin{tabular}{${table.columns.map((_, place) => (isLeft(place) ? "l" : "r")).join("")}}`,
    "    \\toprule",
    `    ${table.columns.map(latexWords).join(" & ")} \\\\`,
    "    \\midrule",
    ...table.rows.map(row),
    "    \\bottomrule",
    "  \\end{tabular}",
    ...(table.note ? [`  \\par\\smallskip{\\footnotesize ${latex(oneLine(table.note))}}`] : []),
    "\\end{table}",
  ];
  return lines.join("\n") + "\n";
};

// The table as it was given: a scorecard carries it along, of all others it is what they show.
const tableOf = (figure) => {
  if (figure.dataset.table) return JSON.parse(figure.dataset.table);
  const heads = [...figure.querySelectorAll("thead th")];
  return {
    title: figure.querySelector("figcaption").textContent,
    columns: heads.map((head) => head.textContent),
    left: heads.flatMap((head, place) => (head.classList.contains("words") ? [place] : [])),
    rows: [...figure.querySelectorAll("tbody tr")].map((row) => [...row.cells].map((cell) => cell.textContent)),
    note: figure.querySelector(".note")?.textContent ?? "",
  };
};

const fileName = (title, ending) =>
  (title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "table") + ending;

const download = (name, type, text) => {
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
};

const startExports = () => {
  for (const figure of document.querySelectorAll("figure.table")) {
    const save = (ending, type, text) => () => {
      const table = tableOf(figure);
      download(fileName(table.title, ending), type, text(table));
    };
    // Spreadsheets take a file without the mark at its start for one in an old encoding.
    const csv = save(".csv", "text/csv;charset=utf-8", (table) => "\ufeff" + csvText(table));
    const tex = save(".tex", "text/x-tex;charset=utf-8", latexText);
    const title = figure.querySelector("figcaption").textContent;
    figure.append(
      make(
        "div",
        { class: "tools" },
        button("CSV", csv, { "aria-label": `CSV of ${title}` }),
        button("LaTeX", tex, { "aria-label": `LaTeX of ${title}` }),
      ),
    );
  }
};
