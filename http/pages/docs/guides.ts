/** The guides that the search finds: the sections of the page, and the documents that it links. */
import { h } from '../app/dom.ts';
import { hasAll } from './synonyms.ts';

interface Guide {
  name: string;
  href: string;
  words: string;
}

/** The sections of the guide, each with its text. */
function sections(): Guide[] {
  const found: Guide[] = [];
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

/** The documents, by their names and headings. */
const documents = (): Guide[] =>
  [...document.querySelectorAll('#guides + ul a')].map((link) => ({
    name: link.textContent ?? '',
    href: link.getAttribute('href') ?? '',
    words: `${link.textContent} ${link.getAttribute('data-words')}`.toLowerCase(),
  }));

/** Shows links to the guides that have all words of a text; none without one. */
export function guideSearch(into: HTMLElement): (text: string) => void {
  const all = [...sections(), ...documents()];
  return (text) => {
    const found = text.trim() === '' ? [] : all.filter(({ words }) => hasAll(words, text));
    const links = found.map(({ name, href }) => h('li', {}, h('a', { href }, name)));
    into.replaceChildren(...links);
    into.hidden = links.length === 0;
  };
}
