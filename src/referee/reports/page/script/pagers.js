// Buttons to turn pages, above the list and below it.

// Calls `turned` with the page to go to; returns a function that shows the current page.
const startPagers = (turned) => {
  const pagers = [...document.querySelectorAll("#items .pager")];
  let page = 0;

  // From below the list, reading continues at its top, with the same button focused.
  const turn = (to, pager, index) => {
    turned(to);
    const above = pagers[0];
    if (pager !== above) above.scrollIntoView({ block: "nearest" });
    const same = above.children[index];
    const next = same.disabled ? above.querySelector("button:not(:disabled)") : same;
    next?.focus({ preventScroll: pager === above });
  };

  for (const pager of pagers) {
    const step = (text, name, index, to) => button(text, () => turn(to(), pager, index), { "aria-label": name });
    const input = make("input", { type: "number", min: 1, "aria-label": "Page" });
    input.addEventListener("change", () => turn(Math.round(Number(input.value) || 1) - 1, pager, 2));
    pager.append(
      step("\u00ab", "First page", 0, () => 0),
      step("\u2039 Previous", "Previous page", 1, () => page - 1),
      input,
      make("span"),
      step("Next \u203a", "Next page", 4, () => page + 1),
      step("\u00bb", "Last page", 5, () => Infinity),
    );
  }

  return (current, pages) => {
    page = current;
    for (const pager of pagers) {
      const [first, back, input, total, on, last] = pager.children;
      first.disabled = back.disabled = page === 0;
      on.disabled = last.disabled = page === pages - 1;
      input.value = page + 1;
      input.max = pages;
      total.textContent = `of ${count(pages)}`;
      pager.hidden = pages === 1;
    }
  };
};
