/** The rows of Bitfinex, arrays of columns: lists, tickers, status. https://docs.bitfinex.com/reference */
import { bulk, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrumentRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** Its names for currencies, without those that its own map states. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['UST', 'USDT'],
  ['UDC', 'USDC'],
  ['LUNA', 'LUNC'],
  ['LUNA2', 'LUNA'],
]);

type Names = ReadonlyMap<string, string>;
const usual = (currency: string, names: Names): string =>
  (names.get(currency) || aliases.get(currency) || currency).toUpperCase();

const isPerpetual = (base: string, quote: string) => base.endsWith('F0') && quote.endsWith('F0');
const plain = (currency: string) => currency.replace(/F0$/, '');

/** Test pairs and stock indices (`GERMANY40IXF0`) are not followed. */
const isOther = (base: string) => base.startsWith('TEST') || /\dIX(F0)?$/.test(base);

/** The currencies of the pair by their usual symbols; null when it is not a pair. */
function fromPair(pair: string, names: Names): Instrument | null {
  const joined = pair.length === 6 ? [pair.slice(0, 3), pair.slice(3)] : [];
  const [base = '', quote = '', ...more] = pair.includes(':') ? pair.split(':') : joined;
  if (plain(base) === '' || plain(quote) === '' || more.length > 0) return null;
  const kind = isPerpetual(base, quote) ? 'perpetual' : 'spot';
  return {
    market: `t${pair}`,
    kind: isOther(base) ? 'other' : kind,
    ...canonical(usual(plain(base), names)),
    quote: usual(plain(quote), names),
    contract: 1,
    inverse: false,
    funding_hours: null,
  };
}

/** A list of each: rows `[pair, [...]]` twice, `[its name, usual name]`, pairs of tokenised securities. */
export function readInstruments(body: unknown): Parsed<Instrument> {
  const [spot, futures, map, securities] = list(body, 'configurations');
  const names = new Map(
    bulk(map, 'names').map((row): [string, string] => {
      const [own, common] = Array.isArray(row) ? row : [];
      return [text(own), text(common)];
    }),
  );
  const others = new Set(Array.isArray(securities) ? securities.map(text) : []);
  const pairs = [
    ...bulk(spot, 'pairs'),
    ...bulk(futures, 'futures'),
    ...[...others].map((id) => [id]),
  ];
  const parsed = instrumentRows(pairs, 0, (_row, pair) => {
    const found = fromPair(pair, names);
    return found && others.has(pair) ? { ...found, kind: 'other' } : found;
  });
  const byId = new Map(parsed.rows.map((row) => [row.market, row]));
  return { rows: [...byId.values()], dropped: parsed.dropped };
}

/** Margin funding, among the tickers: `f` and one currency. */
export const isFunding = (row: unknown) => Array.isArray(row) && text(row[0]).startsWith('f');

/**
 * `[symbol, bid, size, ask, size, change in quote, change as a rounded fraction, last, volume in base, high, low]`.
 */
export const tickers: Reader<Instrument, PriceRow> = {
  id: by(0),
  columns: 11,
  isUntraded: neverTradedBy(7, 8),
  fromId: (id) => (id.startsWith('t') ? fromPair(id.slice(1), aliases) : null),
  read(row, market) {
    const last = positive(row[7]);
    const base = required(row[8]);
    const change = changeOf(last, last - required(row[5]), required(row[6]) * 100);
    return priceOf(market, {
      ...{ last, volume: base * last, change, stated: null },
      ...{ bid: positive(row[1]), ask: positive(row[3]) },
      ...{ high: positive(row[9]), low: positive(row[10]), base },
    });
  },
};

/** Reads one row of `status/deriv`. */
export type StatusRead<Row> = (row: WireRow, market: Instrument) => Row | null;

/**
 * 1 time, 4 spot price, 8 next funding, 12 the rate of the running 8 hours, 15 mark. 9 is the sum accrued so far for the
 * next funding: it begins at 0 after each funding and is no rate before the next one.
 * https://docs.bitfinex.com/reference/rest-public-derivatives-status
 */
export const derivative: StatusRead<DerivativeRow> = (row, market) =>
  derivativeOf(market, {
    mark: positive(row[15]),
    index: positive(row[4]),
    rate: required(row[12]),
    hours: 8,
    next: time(row[8]),
    stated: time(row[1]),
  });

/** 18 open interest: one side, in base. */
export const interest: StatusRead<OpenInterestRow> = (row, market) =>
  openInterestOf(market, {
    base: required(row[18]),
    value: NaN,
    mark: positive(row[15]),
    stated: time(row[1]),
  });
