document.addEventListener("DOMContentLoaded", () => {
  startTheme();
  startExports();
  const contents = byId("contents");
  contents.addEventListener("click", (event) => {
    if (event.target.closest("a")) contents.togglePopover?.(false);
  });
  startBrowser();
});
