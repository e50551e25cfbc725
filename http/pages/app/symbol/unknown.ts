/** What is said of a symbol that no exchange lists, with those that were meant. */
import { h } from '../dom.ts';
import { hashOf } from '../place.ts';
import { symbols } from '../switcher.ts';
import { matching, nearest } from '../symbol-search.ts';

/** Symbols that are offered. */
const offered = 5;

type Kind = 'perpetual' | 'spot';

function linkTo(symbol: string, kind: Kind): HTMLElement {
  const chosen = new URLSearchParams(kind === 'spot' ? { kind } : {});
  return h('a', { href: hashOf({ page: 'symbol', about: symbol, chosen }) }, symbol);
}

/** What to open in the place of a symbol: the same asset as the other kind, else those with nearly its name. */
async function offersFor(symbol: string, kind: Kind): Promise<readonly (string | HTMLElement)[]> {
  const all = await symbols().catch(() => []);
  const other = kind === 'spot' ? 'perpetual' : 'spot';
  if (all.some((one) => one.symbol === symbol))
    return ['There is ', linkTo(symbol, other), ` as ${other}.`];
  const found = [...matching(all, symbol), ...nearest(all, symbol)].slice(0, offered);
  return found.flatMap((one, place) => [
    place === 0 ? 'The nearest: ' : ', ',
    linkTo(one.symbol, kind),
  ]);
}

/** A line that says that a symbol has no market of a kind; what to open in its place follows once that is known. */
export function unknownSymbol(symbol: string, kind: Kind): HTMLElement {
  const words = h('span', {});
  void offersFor(symbol, kind).then((offers) => words.append(...offers));
  const market = kind === 'spot' ? 'spot market' : 'perpetual';
  const attributes = { class: 'problem', role: 'alert' };
  return h('p', attributes, `No exchange has a ${market} of ${symbol}. `, words);
}
