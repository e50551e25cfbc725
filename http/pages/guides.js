/** The guides that the search finds: the sections of the page, and the documents that it links. */
import { element } from './dom.js';
import { hasAll } from './synonyms.js';

/** @typedef {{ name: string, href: string, words: string }} Guide */

/** The sections of the guide, each with its text. @returns {Guide[]} */
function sections() {
  /** @type {Guide[]} */
  const found = [];
  for (const one of document.querySelectorAll('#guide > *')) {
    const text = one.textContent ?? '';
    if (one instanceof HTMLHeadingElement && one.id !== '')
      found.push({ name: text, href: `#${one.id}`, words: '' });
    const last = found.at(-1);
    // The list of the documents has the names of all, and a request all languages.
    const isOwn = last?.href !== '#guides' && !one.classList.contains('panel');
    if (last && isOwn) last.words += `${text.toLowerCase()} `;
  }
  return found;
}

/** The documents, by their names and headings. @returns {Guide[]} */
const documents = () =>
  [...document.querySelectorAll('#guides + ul a')].map((link) => ({
    name: link.textContent ?? '',
    href: link.getAttribute('href') ?? '',
    words: `${link.textContent} ${link.getAttribute('data-words')}`.toLowerCase(),
  }));

/**
 * Shows links to the guides that have all words of a text; none without one.
 *
 * @param {HTMLElement} into
 * @returns {(text: string) => void}
 */
export function guideSearch(into) {
  const all = [...sections(), ...documents()];
  return (text) => {
    const found = text.trim() === '' ? [] : all.filter(({ words }) => hasAll(words, text));
    const links = found.map(({ name, href }) => element('li', {}, element('a', { href }, name)));
    into.replaceChildren(...links);
    into.hidden = links.length === 0;
  };
}
