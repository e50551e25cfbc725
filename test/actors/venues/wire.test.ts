import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { bulk } from '../../../actors/read.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import {
  isWhole,
  neverTraded,
  neverTradedBy,
  numberOr,
  rowsFromColumns,
} from '../../../actors/venues/wire.ts';
import { askFor, bodiesOf, contextOf, fixture, pricesOf } from './fixtures.ts';

t.test('only lists have a length', async (t) => {
  t.ok(isWhole([1, 2, 3], 3));
  t.notOk(isWhole([1, 2], 3));
  t.ok(isWhole({}, 3));
  t.ok(isWhole(null, 3));
});

t.test('columns of one length make rows', async (t) => {
  const body = { time: [1, 2], close: ['3', '4'], other: [5] };
  t.strictSame(rowsFromColumns(body, ['close', 'time']), [
    ['3', 1],
    ['4', 2],
  ]);
  t.strictSame(rowsFromColumns({ time: [] }, ['time']), []);
  t.throws(() => rowsFromColumns(body, ['time', 'other']), ShapeError);
  t.throws(() => rowsFromColumns(body, ['time', 'open']), ShapeError);
  t.throws(() => rowsFromColumns(null, ['time']), ShapeError);
});

t.test('never traded: no last price and a volume of nothing', async (t) => {
  for (const last of [null, '', 0, '0', '0.00000', undefined]) {
    for (const volume of [null, '', 0, '0.0']) t.ok(neverTraded(last, volume), `${last} ${volume}`);
    for (const volume of ['5', 5, undefined, 'nan', '-1']) {
      t.notOk(neverTraded(last, volume), `${last} beside ${volume} is a fault`);
    }
  }
  for (const last of ['garbage', '-1', Number.NaN, {}, '1.5', true]) {
    t.notOk(neverTraded(last, '0'), `${last} is not nothing`);
  }
  t.ok(neverTradedBy(1, 'v')({ 1: '', v: '0' }));
});

t.test('a number or what stands in for it', async (t) => {
  t.equal(numberOr('0', 7), 0);
  for (const value of [undefined, null, '', 'x', -1]) t.equal(numberOr(value, 7), 7);
});

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** The value once for each list of scalars in it and each of its columns, without that column. */
function* shortened(value: unknown): Generator<unknown> {
  if (isScalar(value)) return;
  if (Array.isArray(value) && value.length > 1 && value.every(isScalar)) {
    for (const at of value.keys()) yield value.filter((_, i) => i !== at);
    return;
  }
  for (const [key, inner] of Object.entries(Object(value))) {
    for (const short of shortened(inner)) {
      const copy = Array.isArray(value) ? [...value] : { ...Object(value) };
      yield Object.assign(copy, { [key]: short });
    }
  }
}

/** What `parse` says of the body that it did not say of the whole one; nothing where it refuses the body. */
function invented(parse: (body: unknown) => unknown[], body: unknown): unknown[] {
  const known = new Set(parse(body).map((row) => JSON.stringify(row)));
  const found: unknown[] = [];
  for (const short of shortened(body)) {
    try {
      found.push(...parse(short).filter((row) => !known.has(JSON.stringify(row))));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
    }
  }
  return found;
}

/** One older answer has a column less, which is therefore no sign of a missing one. */
const olderForms: ReadonlySet<string> = new Set(['kucoin futures']);

for (const venue of Object.values<Venue>(venues)) {
  t.test(`${venue.id}: nothing is read out of a list one column short`, async (t) => {
    const { orderBook, candles } = venue.queries;
    for (const part of venue.parts) {
      const [{ market } = { market: '' }] = contextOf(venue, part).instruments.values();
      const ask = askFor(venue, part, market);
      if (candles && !olderForms.has(`${venue.id} ${part}`)) {
        const parse = (body: unknown) => candles.parse(body, ask);
        t.strictSame(invented(parse, fixture(venue, `${part}-candles`)), [], `candles of ${part}`);
      }
      if (orderBook) {
        const parse = (body: unknown) => {
          const { bids, asks } = orderBook.parse(body, ask);
          return [...bids, ...asks];
        };
        t.strictSame(invented(parse, fixture(venue, `${part}-order-book`)), [], `book of ${part}`);
      }
      const prices = venue.feeds.prices.parts[part];
      for (const [at, body] of bodiesOf(venue, `${part}-prices`).entries()) {
        const bodies = bodiesOf(venue, `${part}-prices`);
        const parse = (short: unknown) =>
          prices
            ?.parse(
              bodies.map((whole, i) => (i === at ? short : whole)),
              contextOf(venue, part),
            )
            .rows.map(({ price }) => price) ?? [];
        t.strictSame(invented(parse, body), [], `prices of ${part}`);
      }
    }
  });
}

/** Where the last price and the 24 h volume of each venue's rows stand. */
const keys: readonly [venue: string, part: string, last: string, volume: string][] = [
  ['binance', 'spot', 'lastPrice', 'volume'],
  ['binance', 'linear', 'lastPrice', 'volume'],
  ['binance', 'inverse', 'lastPrice', 'volume'],
  ['okx', 'spot', 'last', 'vol24h'],
  ['okx', 'swap', 'last', 'vol24h'],
  ['bybit', 'spot', 'lastPrice', 'volume24h'],
  ['bybit', 'linear', 'lastPrice', 'volume24h'],
  ['bybit', 'inverse', 'lastPrice', 'volume24h'],
  ['bitget', 'spot', 'lastPr', 'baseVolume'],
  ['bitget', 'usdt-futures', 'lastPr', 'baseVolume'],
  ['gate', 'spot', 'last', 'base_volume'],
  ['gate', 'usdt', 'last', 'volume_24h'],
  ['htx', 'spot', 'close', 'amount'],
  ['htx', 'linear', 'close', 'amount'],
  ['htx', 'inverse', 'close', 'amount'],
  ['kucoin', 'spot', 'last', 'vol'],
  ['kucoin', 'futures', 'lastTradePrice', 'volumeOf24h'],
  ['mexc', 'spot', 'lastPrice', 'volume'],
  ['mexc', 'contracts', 'lastPrice', 'volume24'],
  ['kraken', 'spot', 'c', 'v'],
  ['kraken', 'futures', 'last', 'vol24h'],
  ['coinbase', 'spot', 'price', 'volume_24h'],
  ['coinbase', 'perpetual', 'trade_price', 'qty_24hr'],
  ['bingx', 'spot', 'lastPrice', 'volume'],
  ['bingx', 'linear', 'lastPrice', 'volume'],
  ['bingx', 'inverse', 'lastPrice', 'volume'],
  ['bitfinex', 'all', '7', '8'],
  // Its spot pairs may be listed twice.
  ['deribit', 'linear', 'last', 'volume'],
  ['deribit', 'inverse', 'last', 'volume'],
  ['cryptocom', 'all', 'a', 'v'],
  ['phemex', 'spot', 'lastEp', 'volumeEv'],
  ['phemex', 'linear', 'lastRp', 'volumeRq'],
  ['phemex', 'inverse', 'lastEp', 'volume'],
  ['woo', 'perp', '24hClose', '24hVolume'],
  ['bitstamp', 'markets', 'last', 'volume'],
  ['dydx', 'perp', 'oraclePrice', 'volume24H'],
  ['aster', 'spot', 'lastPrice', 'volume'],
  ['aster', 'linear', 'lastPrice', 'volume'],
  ['backpack', 'all', 'lastPrice', 'volume'],
  ['whitebit', 'spot', 'last_price', 'base_volume'],
  ['whitebit', 'futures', 'last_price', 'stock_volume'],
  ['lighter', 'all', 'last_trade_price', 'daily_base_token_volume'],
];

/** The first object or row, at whatever depth, that has a key; rows of lists are no rows. */
function rowWith(value: unknown, key: string): Record<string, unknown> | null {
  if (isScalar(value)) return null;
  const isRow = !Array.isArray(value) || value.every(isScalar);
  if (isRow && key in Object(value)) return Object(value);
  for (const inner of Object.values(Object(value))) {
    const found = rowWith(inner, key);
    if (found) return found;
  }
  return null;
}

/** Puts a value at a key of a row, or in each place of the list that stands there. */
function put(row: Record<string, unknown> | null, key: string, value: unknown): void {
  if (!row) throw new Error(`no row has ${key}`);
  const old = row[key];
  row[key] = Array.isArray(old) ? old.map(() => value) : value;
}

for (const [id, part, last, volume] of keys) {
  t.test(`${id} ${part}: a market that was never traded is silent, garbage is named`, async (t) => {
    const venue = Object.values<Venue>(venues).find((one) => one.id === id);
    if (!venue) throw new Error(id);
    const good = pricesOf(venue, part);
    const first = bulk(good.rows, 'rows').length;
    const parse = (price: unknown, traded: unknown) => {
      const bodies = structuredClone(bodiesOf(venue, `${part}-prices`));
      const row = rowWith(bodies, volume);
      put(row, volume, traded);
      put(rowWith(row, last), last, price);
      const parsed = venue.feeds.prices.parts[part]?.parse(bodies, contextOf(venue, part));
      return [parsed?.rows.length, parsed?.dropped.length];
    };
    const { length } = good.dropped;
    for (const nothing of [null, '', '0', 0]) {
      const row = parse(nothing, nothing);
      t.strictSame(row, [first - 1, length], `${JSON.stringify(nothing)} is silent`);
    }
    const named = [first - 1, length + 1];
    t.strictSame(parse('garbage', 0), named, 'garbage for a price');
    t.strictSame(parse('-1', 0), named, 'a negative price');
    t.strictSame(parse(null, '12'), named, 'a volume without a price');
  });
}
