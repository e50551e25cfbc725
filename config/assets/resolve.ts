/** What a ticker of an exchange means: the one place that reads the tables of assets. Pure. */
import { isRecord } from '../values.ts';
import { additions, classFields, classOfTicker, fixedClass } from './classes.ts';
import { migrations, ownTickers, spellings, spotAlone, units } from './renames.ts';
import { type AssetClass, dexMark } from './symbols.ts';

/** A base asset in the field's usual ticker, and how many of those one native unit holds. */
export interface Asset {
  symbol: string;
  /** 1000 for 1000PEPE, 0.1 where OKX lists tenths, else 1. */
  scale: number;
}

/** Where a ticker stands. */
export interface Place {
  /** Id of the exchange. */
  venue: string;
  kind?: 'spot' | 'perpetual' | 'future' | 'other';
}

/** Prefixes that state a lot of coins, the longest first: 10000000AIDOGE, 10000SATS, 1MBABYDOGE. 1INCH, 1MIL, 10SET and 88MPH state none. */
const lots: readonly (readonly [RegExp, number])[] = [
  [/^10000000(?=\p{L})/u, 10_000_000],
  [/^1000000(?=\p{L})/u, 1_000_000],
  [/^100000(?=\p{L})/u, 100_000],
  [/^10000(?=\p{L})/u, 10_000],
  [/^1000(?=\p{L})/u, 1000],
  [/^1M(?=[A-Z]{3})/, 1_000_000],
  [/(?<=[A-Za-z]{2})1000$/, 1000],
];

/** kPEPE is a thousand PEPE on the perpetuals of these; on spot kHYPE is a staked HYPE. */
const thousands: ReadonlySet<string> = new Set(['hyperliquid', 'backpack']);
const kilo = [/^k(?=[A-Z])/, 1000] as const;

const isDigit = (code: number) => code >= 48 && code <= 57;

/** What counts the coins in a ticker, and how many: the pattern to leave out, and the number. */
function lotOf(ticker: string, isKilo: boolean): readonly [RegExp, number] | undefined {
  const isNumbered = isDigit(ticker.charCodeAt(0)) || ticker.endsWith('000');
  const lot = isNumbered ? lots.find(([pattern]) => pattern.test(ticker)) : undefined;
  return lot ?? (isKilo && kilo[0].test(ticker) ? kilo : undefined);
}

/** What an exchange's own word means; undefined where it has none of its own. */
export const ownAsset = (venue: string, ticker: string): string | undefined =>
  ownTickers.get(venue)?.get(ticker);

/**
 * The asset that a ticker of an exchange means. In this order: the exchange's own word, a spelling that all share, the number in the
 * name (1000PEPE and PEPE1000 are PEPE with scale 1000: price / scale, quantity × scale) with the words again for what is left, and
 * the coin that an old one became (GAL is G with scale 60). A market of a builder (`xyz:TSLA`) is its own. Letters are upper-cased.
 */
export function assetOf(ticker: string, place: Place): Asset {
  if (ticker.includes(dexMark)) return { symbol: ticker.toUpperCase(), scale: 1 };
  const word = `${place.venue} ${ticker}`;
  const isOwn = place.kind === 'spot' || !spotAlone.has(word);
  const own = isOwn ? ownAsset(place.venue, ticker) : undefined;
  if (own !== undefined) return migrated({ symbol: own, scale: 1 });
  const name = spellings.get(ticker) ?? ticker;
  const lot = lotOf(name, place.kind !== 'spot' && thousands.has(place.venue));
  if (!lot) return migrated({ symbol: name, scale: units.get(word) ?? 1 });
  return migrated({ symbol: currencyOf(name.replace(lot[0], ''), place.venue), scale: lot[1] });
}

function migrated({ symbol, scale }: Asset): Asset {
  const name = symbol.toUpperCase();
  const to = migrations.get(name);
  return to ? { symbol: to.to, scale: scale * to.ratio } : { symbol: name, scale };
}

/** The usual ticker of a coin by another spelling, or by its old name where one old coin is one new one; itself for all others. */
export function sameCoin(ticker: string): string {
  const { symbol, scale } = assetOf(ticker, { venue: '' });
  return scale === 1 ? symbol : ticker;
}

/** The usual ticker of a quote or of a currency that settles; they have no number in their names. */
export const currencyOf = (ticker: string, venue: string): string =>
  ownAsset(venue, ticker) ?? spellings.get(ticker) ?? ticker;

/** The word of an exchange for an asset: `UST` of USDT at Bitfinex. */
export function wordOf(asset: string, venue: string): string {
  for (const [word, meaning] of ownTickers.get(venue) ?? []) if (meaning === asset) return word;
  return asset;
}

/** The texts at a path of keys: that of a text, a number or a flag, those of a list of them. */
function textsAt(row: unknown, path: string): readonly string[] {
  let value = row;
  for (const key of path.split('.')) value = isRecord(value) ? value[key] : undefined;
  return (Array.isArray(value) ? value : [value])
    .filter((one) => ['string', 'number', 'boolean'].includes(typeof one) && one !== '')
    .map(String);
}

/** The class that the fields of a listed row state; undefined where they state none. */
function statedClass(row: unknown, venue: string): AssetClass | undefined {
  let isCoin = false;
  for (const [path, ...cases] of classFields[venue] ?? []) {
    const texts = textsAt(row, path);
    const found = cases.find(([pattern]) => texts.some((one) => pattern.test(one)));
    if (found && found[1] !== 'crypto') return found[1];
    isCoin ||= found !== undefined;
  }
  return isCoin ? 'crypto' : undefined;
}

/**
 * What a listed row of an exchange is about: by the field that tells, and by its usual ticker only where there is none. `crypto`
 * where nothing says otherwise.
 */
export function classOf(row: unknown, symbol: string, venue: string): AssetClass {
  const stated = statedClass(row, venue);
  const known = stated === 'crypto' ? stated : (classOfTicker.get(symbol) ?? stated);
  return fixedClass.get(symbol) ?? known ?? 'crypto';
}

/** The ticker of what an exchange calls a share, an index or a metal, without the exchange's own additions; that of a coin as it is. */
export const tickerOf = (venue: string, symbol: string, asset: AssetClass): string => {
  const plain = asset === 'crypto' ? symbol : symbol.replaceAll(additions[venue] ?? /$^/g, '');
  return plain === '' ? symbol : plain;
};

const leveraged = /^(.+?)([2-5])([LS])$/;
const twins = /^(.+)(UP|DOWN|BULL|BEAR)$/;
const twinOf: Readonly<Record<string, string>> = {
  L: 'S',
  S: 'L',
  UP: 'DOWN',
  DOWN: 'UP',
  BULL: 'BEAR',
  BEAR: 'BULL',
};

/**
 * Whether a spot ticker is a leveraged token by its name: BTC3L where BTC is listed too, TSLA3L where TSLA3S is, as of shares, which are
 * not listed themselves; BTCUP only where BTC and BTCDOWN are: JUP is no token of J.
 */
export function isLeveraged(ticker: string, bases: ReadonlySet<string>): boolean {
  const [, base, times = '', side = ''] = leveraged.exec(ticker) ?? [];
  if (base !== undefined) return bases.has(base) || bases.has(`${base}${times}${twinOf[side]}`);
  const [, of, word = ''] = twins.exec(ticker) ?? [];
  return of !== undefined && bases.has(of) && bases.has(`${of}${twinOf[word] ?? ''}`);
}
