/** Lists that lack a column, and rows of markets that were never traded, on the fixtures of a venue. */
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { bulk } from '../../../../actors/read.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { table, wordIn } from '../../../support/table.ts';
import { askFor, bodiesOf, contextOf, fixture, pollOf, pricesOf } from '../fixtures.ts';

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

function oneColumnShort(t: Test, venue: Venue): void {
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
    const prices = pollOf(venue, 'prices', part);
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
}

/** Where the last price and the 24 h volume of the rows of a part stand. Spot pairs of Deribit may be listed twice. */
const keys = table`
  venue     part         last             volume
  binance   spot         lastPrice        volume
  binance   linear       lastPrice        volume
  binance   inverse      lastPrice        volume
  okx       spot         last             vol24h
  okx       swap         last             vol24h
  bybit     spot         lastPrice        volume24h
  bybit     linear       lastPrice        volume24h
  bybit     inverse      lastPrice        volume24h
  bitget    spot         lastPr           baseVolume
  bitget    usdt-futures lastPr           baseVolume
  gate      spot         last             base_volume
  gate      usdt         last             volume_24h
  htx       spot         close            amount
  htx       linear       close            amount
  htx       inverse      close            amount
  kucoin    spot         last             vol
  kucoin    futures      lastTradePrice   volumeOf24h
  mexc      spot         lastPrice        volume
  mexc      contracts    lastPrice        volume24
  kraken    spot         c                v
  kraken    futures      last             vol24h
  coinbase  spot         price            volume_24h
  coinbase  perpetual    trade_price      qty_24hr
  bingx     spot         lastPrice        volume
  bingx     linear       lastPrice        volume
  bingx     inverse      lastPrice        volume
  bitfinex  all          ${'7'}           ${'8'}
  deribit   linear       last             volume
  deribit   inverse      last             volume
  cryptocom all          a                v
  phemex    spot         lastEp           volumeEv
  phemex    linear       lastRp           volumeRq
  phemex    inverse      lastEp           volume
  woo       perp         24hClose         24hVolume
  bitstamp  markets      last             volume
  dydx      perp         oraclePrice      volume24H
  aster     spot         lastPrice        volume
  aster     linear       lastPrice        volume
  backpack  all          lastPrice        volume
  whitebit  spot         last_price       base_volume
  whitebit  futures      last_price       stock_volume
  lighter   all          last_trade_price daily_base_token_volume
`;

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

function neverTraded(
  t: Test,
  venue: Venue,
  [part, last, volume]: readonly [part: string, last: string, volume: string],
): void {
  const good = pricesOf(venue, part);
  const first = bulk(good.rows, 'rows').length;
  const parse = (price: unknown, traded: unknown) => {
    const bodies = structuredClone(bodiesOf(venue, `${part}-prices`));
    const row = rowWith(bodies, volume);
    put(row, volume, traded);
    put(rowWith(row, last), last, price);
    const parsed = pollOf(venue, 'prices', part)?.parse(bodies, contextOf(venue, part));
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
}

/** Where a row states the change of 24 h exactly, as an open or an amount, and where as a rounded fraction. */
const changes: Readonly<
  Record<string, readonly (readonly [part: string, exact: string, rounded: string])[]>
> = {
  bybit: ['spot', 'linear', 'inverse'].map((part) => [part, 'prevPrice24h', 'price24hPcnt']),
  bitget: ['spot', 'usdt-futures', 'coin-futures'].map((part) => [
    part,
    part === 'spot' ? 'open' : 'open24h',
    'change24h',
  ]),
  kucoin: [
    ['spot', 'changePrice', 'changeRate'],
    ['futures', 'priceChg', 'priceChgPct'],
  ],
  mexc: [['spot', 'openPrice', 'priceChangePercent']],
  bitfinex: [['all', '5', '6']],
};

/** Where the exact one is not there, the other is used: a fraction of 0.05 is 5 %. */
function roundedChange(
  t: Test,
  venue: Venue,
  [part, exact, rounded]: readonly [string, string, string],
): void {
  const bodies = structuredClone(bodiesOf(venue, `${part}-prices`));
  const row = rowWith(bodies, rounded);
  put(row, exact, '');
  put(row, rounded, '0.05');
  const parsed = pollOf(venue, 'prices', part)?.parse(bodies, contextOf(venue, part));
  t.ok(
    parsed?.rows.some(({ change }) => change === 5),
    `${part}: ${rounded}`,
  );
}

export function lists(t: Test, venue: Venue): void {
  t.test('nothing is read out of a list one column short', async (t) => oneColumnShort(t, venue));
  const own = keys.filter((row) => row.venue === venue.id);
  for (const { part, last, volume } of own)
    t.test(`${part}: a market that was never traded is silent, garbage is named`, async (t) =>
      neverTraded(t, venue, [wordIn(part), wordIn(last), wordIn(volume)]),
    );
  for (const row of changes[venue.id] ?? []) roundedChange(t, venue, row);
}
