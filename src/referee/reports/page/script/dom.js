// Elements from text. All of it may come from strangers, so it only ever becomes the text of a node.

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;
const HALVES = /\p{Surrogate}/gu;
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/;

// Control characters by their number, as in text.py.
const visible = (text) =>
  text
    .replace(HALVES, "\ufffd")
    .replace(HIDDEN, (sign) => `\u2039U+${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}\u203a`);

const byId = (id) => document.getElementById(id);

// An element with attributes and children (or lists of them); a text among these becomes a node of text.
const make = (tag, attributes, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value !== undefined && value !== null) element.setAttribute(name, visible(String(value)));
  for (const child of children.flat())
    if (child !== null) element.append(typeof child === "string" ? visible(child) : child);
  return element;
};

// Words of another language and direction that do not affect the text around them.
const apart = (text, attributes) => make("bdi", attributes, text);

const language = (code) => (LANGUAGE.test(code ?? "") ? code : undefined);

const onClick = (button, act) => {
  button.addEventListener("click", act);
  return button;
};

const button = (text, act, attributes) =>
  onClick(make("button", { type: "button", class: "quiet", ...attributes }, text), act);

// Copies, and says for a moment whether it worked.
const copyButton = (text, content) => {
  const tell = (words) => {
    copier.textContent = words;
    setTimeout(() => (copier.textContent = text), 1600);
  };
  const copier = button(text, () =>
    navigator.clipboard.writeText(content()).then(
      () => tell("Copied"),
      () => tell("Not allowed here"),
    ),
  );
  return navigator.clipboard ? copier : null;
};
