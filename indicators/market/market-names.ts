/** The names of the markets of one exchange: its own, and those that clients usually write. Pure. */

import { dollarQuotes } from '../../config/quotes.ts';
import { nearestOf } from '../words.ts';
import { dateOf } from './days.ts';

/** Kind of a market: `future` is a dated one, `other` is listed by the exchange but not followed (options, equities). */
export type MarketKind = 'spot' | 'perpetual' | 'future' | 'other';
/** Kinds that averages, sums and lists are made of: neither dated futures, whose prices hold a basis, nor what is not followed. */
export type FollowedKind = 'spot' | 'perpetual';

export const isFollowedKind = (kind: MarketKind): kind is FollowedKind =>
  kind === 'spot' || kind === 'perpetual';

/** Whether a market is followed: not those of other kinds, nor in quotes that are no dollars. */
export const isFollowed = ({ kind, quote }: Pick<NamedMarket, 'kind' | 'quote'>): boolean =>
  isFollowedKind(kind) && dollarQuotes.has(quote);

/** Whether a market is a dated future in a quote of dollars: it has rows of a topic of its own. */
export const isDated = ({ kind, quote }: Pick<NamedMarket, 'kind' | 'quote'>): boolean =>
  kind === 'future' && dollarQuotes.has(quote);

/** What a name is looked up by. */
export interface NamedMarket {
  /** The exchange's own id. */
  market: string;
  /** What the exchange calls it, where its id is a mere number. */
  name?: string;
  kind: MarketKind;
  /** Base asset in the field's usual ticker. */
  symbol: string;
  quote: string;
  inverse: boolean;
  /** Where it is neither the quote nor, of an inverse contract, the base asset. */
  settle?: string;
  /** When a dated future expires, Unix ms. */
  expiry?: number;
}

/** What a contract is settled in. */
export const settlementOf = ({ symbol, quote, inverse, settle }: Omit<NamedMarket, 'market'>) =>
  settle ?? (inverse ? symbol : quote);

/** The symbol of a market of a builder's dex as it stands in a pair, and that of any other as it is. */
const dashed = (symbol: string): string => symbol.replace(':', '-');

/** `YYMMDD` in UTC. */
const yymmdd = (time: number): string => dateOf(time).slice(2).replaceAll('-', '');

/**
 * `BTC/USDT` for spot, `BTC/USDT:USDT` and `BTC/USD:BTC` for perpetuals, `XYZ-TSLA/USDC:USDC` for those of a builder's dex,
 * `BTC/USD:BTC-260327` for dated futures; null for other markets.
 */
export function unifiedName(market: Omit<NamedMarket, 'market'>): string | null {
  const { kind, symbol, quote, expiry } = market;
  if (kind === 'other') return null;
  const pair = `${dashed(symbol)}/${quote}`;
  if (kind === 'spot') return pair;
  const contract = `${pair}:${settlementOf(market)}`;
  return expiry === undefined ? contract : `${contract}-${yymmdd(expiry)}`;
}

/** What a base asset, or a market of it, is written with: letters, digits and signs of any script (`币安人生`, `$U`, `@142`), then also separators. It has a letter or a digit. */
export const namePattern =
  '^(?=.*[\\p{L}\\p{N}])[\\p{L}\\p{N}\\p{S}@][\\p{L}\\p{M}\\p{N}\\p{S}@/:._-]*$';

/** A ticker that can be joined to the names of markets: letters, digits and signs of any script, not signs alone. */
export const tickerPattern = '^(?=.*[\\p{L}\\p{N}])[\\p{L}\\p{M}\\p{N}\\p{S}@]{1,32}$';
const ticker = new RegExp(tickerPattern, 'u');
export const isTicker = (symbol: string): boolean => ticker.test(symbol);

/** What ids of WOO X (`PERP_BTC_USDT`, `SPOT_BTC_USDT`) and of Kraken's futures (`PI_XBTUSD`) begin with: PERP, SPOT, PI and FF are coins too. */
const kindBefore = /^(?:(?:PERP|SPOT)_(?=[^_]+_)|[PF][IF]_(?=[A-Z\d]{3,}USD(?:_|$)))/;
const contractEnding = /([-_](SWAP|PERP|PERPETUAL)|\.P)$/;
const quoteEnding = /(?<=.)(FDUSD|USDT|USDC|USD)$/;

/** A name in parts, in upper case. */
export interface NameParts {
  /** The base asset, or a pair without a separator. */
  word: string;
  /** Absent where no separator stands before it. */
  quote: string | undefined;
  settle: string | undefined;
  /** The name says that it is a contract. */
  contract: boolean;
}

/** A pair, and after a colon what it is settled in; `XYZ:TSLA` is a dex and its ticker. */
function cutSettle(pair: string): readonly [string, string?] {
  const first = pair.indexOf(':');
  const before = pair.slice(0, first);
  const isDex = first > 0 && !/[-_/]/.test(before) && !quoteEnding.test(before);
  const at = isDex ? pair.indexOf(':', first + 1) : first;
  return at < 0 ? [pair] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** What a client may mean by a name. */
export function readName(text: string): NameParts {
  const whole = text.toUpperCase().replaceAll(/\s/g, '');
  const [kind = ''] = kindBefore.exec(whole) ?? [];
  const name = whole.slice(kind.length);
  const pair = name.replace(contractEnding, '');
  const [rest, settle] = cutSettle(pair);
  const slash = rest.lastIndexOf('/');
  const cut = slash > 0 ? slash : rest.search(/(?<=.)[-_/]/);
  return {
    word: cut < 0 ? rest : rest.slice(0, cut),
    quote: cut < 0 ? undefined : rest.slice(cut + 1),
    settle,
    contract: (kind !== '' && kind !== 'SPOT_') || pair !== name || settle !== undefined,
  };
}

/** The base asset in the name of a pair or of a contract. */
export const baseOf = ({ word, quote }: NameParts): string =>
  quote === undefined ? word.replace(quoteEnding, '') : word;

/** Names that differ in separators or letter case only have one key. */
export const nameKey = (text: string): string => text.toLowerCase().replaceAll(/[-_/:.\s]/g, '');

/** Names beside its own. A pair never means a dated future. */
function usualNames(market: NamedMarket): string[] {
  const { kind, symbol, quote } = market;
  if (kind === 'future') return [symbol, unifiedName(market) ?? ''];
  return kind === 'other' ? [] : [symbol, symbol + quote];
}

const keysOf = (row: NamedMarket): Set<string> => {
  const { market, name } = row;
  const own = name === undefined ? [market] : [market, name];
  return new Set([...own, ...usualNames(row)].map(nameKey));
};

const order = { spot: 0, perpetual: 1, future: 2, other: 3 } as const;

/** Spot first, and the first of each kind. */
function first<M extends NamedMarket>(markets: readonly M[]): M | undefined {
  return markets.toSorted((a, b) => order[a.kind] - order[b.kind])[0];
}

/** Whether a market has this id or name, in any letter case; of a dated future its unified name as well. */
const isCalled = (row: NamedMarket, word: string): boolean =>
  row.market.toUpperCase() === word ||
  row.name?.toUpperCase() === word ||
  (row.kind === 'future' && unifiedName(row)?.toUpperCase() === word);

function isPair(row: NamedMarket, { word, quote, settle, contract }: NameParts): boolean {
  const { symbol, kind } = row;
  if (!isFollowedKind(kind) || (contract && kind !== 'perpetual')) return false;
  if (settle !== undefined && settle !== settlementOf(row)) return false;
  if (quote === undefined) return symbol + row.quote === word;
  return (symbol === word || dashed(symbol) === word) && row.quote === quote;
}

/** Names of each side in the sorted list that are compared with an unknown one. */
const neighbours = 8;

/** Names that are remembered at most, and the longest of them. */
const mostFound = 1_000;
const longest = 64;

/** The names of the markets of one exchange. */
export class MarketNames<M extends NamedMarket> {
  readonly #byKey = new Map<string, M[]>();
  readonly #found = new Map<string, M | null>();
  #sorted: string[] | null = null;

  constructor(markets: Iterable<M>) {
    for (const market of markets) {
      for (const key of keysOf(market)) {
        const known = this.#byKey.get(key);
        if (known) known.push(market);
        else this.#byKey.set(key, [market]);
      }
    }
  }

  /**
   * The market that a name means, of one kind where it is given: the exchange's own id as it is, then in any letter
   * case, then a pair in one of its usual forms. Null for all other names, a base asset among them. What was found is
   * remembered, since the same few names are asked for again and again.
   */
  named(text: string, kind?: NamedMarket['kind']): M | null {
    const key = kind === undefined ? text : `${kind} ${text}`;
    const known = this.#found.get(key);
    if (known !== undefined) return known;
    const found = this.#find(text, kind);
    if (this.#found.size >= mostFound) this.#found.clear();
    if (text.length <= longest) this.#found.set(key, found);
    return found;
  }

  #find(text: string, kind: NamedMarket['kind'] | undefined): M | null {
    const upper = text.toUpperCase();
    const isMeant = (row: M) => kind === undefined || row.kind === kind;
    const rows = this.#of(text).filter(isMeant);
    return (
      first(rows.filter(({ market, name }) => market === text || name === text)) ??
      first(rows.filter((row) => isCalled(row, upper))) ??
      first(this.#pairs(readName(text)).filter(isMeant)) ??
      null
    );
  }

  #pairs(parts: NameParts): M[] {
    return this.#of(parts.word + (parts.quote ?? '')).filter((row) => isPair(row, parts));
  }

  /** A market of this base asset, given in upper case, spot first; null where none is listed. */
  ofAsset(symbol: string, kind?: NamedMarket['kind']): M | null {
    const isMeant = (row: M) =>
      row.symbol === symbol && (kind === undefined ? isFollowedKind(row.kind) : row.kind === kind);
    return first(this.#of(symbol).filter(isMeant)) ?? null;
  }

  /** All markets that a name may mean: those of a base asset, else those with this id or pair. */
  matching(text: string): M[] {
    const assets = this.#of(text).filter((row) => row.symbol === text.toUpperCase());
    if (assets.length > 0) return assets;
    const parts = readName(text);
    const upper = text.toUpperCase();
    const called = this.#of(text).filter((row) => isCalled(row, upper));
    return [...new Set([...called, ...this.#pairs(parts)])];
  }

  /**
   * The market with the most similar name among those that stand next to it in the order of the alphabet: the work does
   * not grow with the number of markets. Null without any.
   */
  nearest(text: string): M | null {
    const key = nameKey(text.slice(0, longest));
    this.#sorted ??= [...this.#byKey.keys()].sort();
    const at = placeIn(this.#sorted, key);
    const around = this.#sorted.slice(Math.max(0, at - neighbours), at + neighbours);
    const found = nearestOf(key, around);
    return (found !== undefined && first(this.#byKey.get(found) ?? [])) || null;
  }

  #of(text: string): readonly M[] {
    return this.#byKey.get(nameKey(text)) ?? [];
  }
}

/** The index at which a word stands, or would stand, in a sorted list. */
function placeIn(sorted: readonly string[], word: string): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? '') < word) low = middle + 1;
    else high = middle;
  }
  return low;
}
