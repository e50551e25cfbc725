/** @typedef {Node | string | null} Child */

/**
 * An element. Attributes that are false are left out, and so are children that are null; text stays text.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Readonly<Record<string, string | boolean>>} attributes
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * Text with `code` between backticks.
 *
 * @param {string} text
 * @returns {Child[]}
 */
export const marked = (text) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? element('code', {}, part) : part));

/**
 * The element of the page with an id and a class.
 *
 * @template {HTMLElement} E
 * @param {string} id
 * @param {new () => E} kind
 * @returns {E}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no #${id}`);
}

/**
 * A folded part of the page; `fill` makes its content when it is opened for the first time.
 *
 * @param {Readonly<Record<string, string>>} attributes
 * @param {readonly Child[]} summary
 * @param {() => readonly Child[]} fill
 */
export function folded(attributes, summary, fill) {
  const details = element('details', attributes, element('summary', {}, ...summary));
  const open = () => details.append(...fill().filter((child) => child !== null));
  details.addEventListener('toggle', open, { once: true });
  return details;
}
