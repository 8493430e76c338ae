// Light, dark, or as the system has it. A page from a file may not be allowed to store the choice.

const THEMES = ["auto", "light", "dark"];
const THEME_KEY = "referee-theme";

const recall = () => {
  try {
    return localStorage.getItem(THEME_KEY);
  } catch {
    return null;
  }
};

const remember = (theme) => {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // The choice lasts until the page is closed.
  }
};

const setTheme = (theme) => {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
};

let theme = THEMES.includes(recall()) ? recall() : "auto";
setTheme(theme);

const startTheme = () => {
  const switcher = byId("theme");
  const show = () => (switcher.textContent = `Theme: ${theme}`);
  onClick(switcher, () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    setTheme(theme);
    remember(theme);
    show();
  });
  show();
  switcher.hidden = false;
};
