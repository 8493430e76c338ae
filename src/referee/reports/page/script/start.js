// In a frame of a notebook, an address of the page would be one of the notebook: links scroll instead.
const startLinks = () => {
  if (location.protocol !== "about:") return;
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    event.preventDefault();
    byId(link.hash.slice(1))?.scrollIntoView();
  });
};

document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  startExports();
  startLinks();
  const contents = byId("contents");
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a")) contents.togglePopover?.(false);
  });
  startBrowser();
});
