/**
 * The tables of Bitfinex: spot and perpetuals in one list. https://docs.bitfinex.com/reference
 *
 * Rows are arrays of columns. A trading pair is `t` and two currencies, `tBTCUSD` when both have three letters,
 * else `tDOGE:USD`; those of perpetuals end in `F0` (`tBTCF0:USTF0`). UST is its name for USDT.
 */
import { ownAsset } from '../../../config/assets/resolve.ts';
import { isAround } from '../../../indicators/digits.ts';
import { bulk, list, positive, required, text } from '../../read.ts';
import { listing } from '../listings.ts';
import { type MarketForm, markets } from '../markets.ts';
import type { Facts } from '../rows.ts';
import type { Cell } from '../tables.ts';
import { get } from './api.ts';

type Names = ReadonlyMap<string, string>;
/** The exchange's own map has usual names; what `config/assets` says of a currency counts first. */
const usual = (currency: string, names: Names): string =>
  (ownAsset('bitfinex', currency) === undefined && names.get(currency)) || currency;

const isPerpetual = (base: string, quote: string) => base.endsWith('F0') && quote.endsWith('F0');
const plain = (currency: string) => currency.replace(/F0$/, '');

/** Stock indices: `GERMANY40IXF0`. */
const isIndex = (base: string) => /\dIX(F0)?$/.test(base);

/** The currencies of a market by their usual symbols; null when it is not a pair. */
function factsOf(market: string, names: Names): Omit<Facts, 'market'> | null {
  const pair = market.slice(1);
  const joined = pair.length === 6 ? [pair.slice(0, 3), pair.slice(3)] : [];
  const [base = '', quote = '', ...more] = pair.includes(':') ? pair.split(':') : joined;
  if (plain(base) === '' || plain(quote) === '' || more.length > 0) return null;
  const kind = isPerpetual(base, quote) ? 'perpetual' : 'spot';
  return {
    kind: base.startsWith('TEST') ? 'other' : kind,
    base: usual(plain(base), names),
    quote: usual(plain(quote), names),
    ...(isIndex(base) && { asset_class: 'index' }),
  };
}

const securitiesIn = (securities: unknown): ReadonlySet<string> =>
  new Set(Array.isArray(securities) ? securities.map(text) : []);

const configs = [
  'pub:info:pair',
  'pub:info:pair:futures',
  'pub:map:currency:sym',
  'pub:list:pair:securities',
];

const pairIn = (row: unknown): string => (Array.isArray(row) ? text(row[0]) : '');

/**
 * A list of each: rows `[pair, [...]]` twice, `[its name, usual name]`, pairs of tokenised securities, which are not followed.
 */
export const instruments = listing({
  venue: 'bitfinex',
  requests: get('conf', `conf/${configs.join(',')}`, {}),
  rows([body]) {
    const [spot, futures, , securities] = list(body, 'configurations');
    const pairs = [...bulk(spot, 'pairs'), ...bulk(futures, 'futures')];
    const listed = new Set(pairs.map(pairIn));
    const more = [...securitiesIn(securities)].filter((pair) => !listed.has(pair));
    return [...pairs, ...more.map((pair) => [pair])];
  },
  id: ({ 0: pair }) => text(pair) && `t${text(pair)}`,
  extra([body]) {
    const [, , map, securities] = list(body, 'configurations');
    const names = bulk(map, 'names').map((row): [string, string] => {
      const [own, common] = Array.isArray(row) ? row : [];
      return [text(own), text(common)];
    });
    return { names: new Map(names), securities: securitiesIn(securities) };
  },
  read(row, market, { names, securities }) {
    const facts = factsOf(market, names);
    return facts && securities.has(pairIn(row)) ? { ...facts, asset_class: 'stock' } : facts;
  },
});

/** Margin funding, among the tickers: `f` and one currency. */
const isFunding = (row: unknown) => pairIn(row).startsWith('f');

/** `[symbol, bid, size, ask, size, change in quote, change as a rounded fraction, last, volume in base, high, low]`. */
export const tickers = markets({
  rows: ([body]) =>
    bulk(
      bulk(body, 'tickers').filter((row) => !isFunding(row)),
      'pairs',
    ),
  id: 0,
  columns: 11,
  price: {
    last: 7,
    bid: 1,
    ask: 3,
    high: 9,
    low: 10,
    base: 8,
    quote: (row) => required(row[8]) * positive(row[7]),
    open: (row) => required(row[7]) - required(row[5]),
    fraction: 6,
    untraded: 8,
  },
});

/** Most of the mark price by which the spot price is another one. */
const farIndex = 0.1;

/** The spot price: the middle of Bitfinex's own book, which for quiet coins is one of weeks ago. There is none far from the mark. */
const index: Cell = (row) => {
  const [spot, mark] = [required(row[4]), required(row[15])];
  return isAround(spot, mark, farIndex) ? spot : null;
};

/**
 * 1 time, 4 spot price, 8 next funding, 12 the rate that it charges, set eight hours ahead, 15 mark, 18 open interest: one side, in base.
 * 9 is the mean premium since then, which sets the rate of the funding after that.
 * https://docs.bitfinex.com/reference/rest-public-derivatives-status
 */
const status = {
  id: 0,
  columns: 24,
  time: 1,
  derivative: { mark: 15, index, rate: 12, hours: () => 8, next: 8 },
  interest: { base: 18, mark: 15 },
} as const satisfies MarketForm;

/** Contracts that the list does not hold are long gone. */
export const contracts = markets({ ...status, rows: '', listedOnly: true });

/** The status of a contract is in a channel with this and the market's id as its key. */
export const statusKey = 'deriv:';
export const streamedContracts = markets({
  ...status,
  id: (row) => text(row[0]).replace(statusKey, ''),
});
