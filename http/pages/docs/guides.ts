/** The search of the page: the words by which people look for endpoints, and the guides that it finds. */
import { h } from '../app/dom.ts';

/** Words by which people search, and parts of the paths and summaries of what they mean. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  apy: ['lending'],
  basis: ['arbitrage', 'premium', 'mark-prices'],
  candle: ['/v1/bars'],
  candlestick: ['/v1/bars'],
  depth: ['orderbook'],
  fng: ['fear-greed'],
  kline: ['/v1/bars'],
  ls: ['long-short'],
  ohlc: ['/v1/bars'],
  ohlcv: ['/v1/bars'],
  oi: ['open-interest', 'open interest'],
  ticker: ['/v1/prices', 'pairs-markets'],
  vwap: ['/v1/indicators', 'vol-weighted'],
  whale: ['large-orders', 'large orders', 'clearinghouse'],
  yield: ['lending'],
};

/** What a text may have in the place of a word: the word itself, also without a plural s, and its synonyms. */
function alternatives(word: string): string[] {
  const one = word.length > 3 ? word.replace(/s$/, '') : word;
  return [word, ...(synonyms[word] ?? synonyms[one] ?? [])];
}

/** Whether words in lower case have each word of a text, or one of its synonyms. */
export const hasAll = (words: string, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => alternatives(word).some((one) => words.includes(one)));

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
