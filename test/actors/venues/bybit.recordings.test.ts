/** Recorded answers of Bybit, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { bybit } from '../../../actors/venues/bybit.ts';
import { absent } from '../../support/recordings.ts';
import { replayed } from './ccxt.ts';
import { listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const lists = {
  spot: 'spot-instruments',
  linear: 'perp-linear-instruments',
  inverse: 'perp-inverse-instruments',
} as const;
type PartName = keyof typeof lists;
const isPart = (name: unknown): name is PartName => typeof name === 'string' && name in lists;
const symbols = { spot: 'BTC/USDT', linear: 'BTC/USDT:USDT', inverse: 'BTC/USD:BTC' } as const;
const native = { spot: 'BTCUSDT', linear: 'BTCUSDT', inverse: 'BTCUSD' } as const;
const none = { result: { list: [] } };

const load = (more: Readonly<Record<string, string>> = {}) =>
  replayed('bybit', (path, { category }) => {
    const name = more[path];
    if (name) return recorded('bybit', name);
    if (!path.endsWith('instruments-info') || !isPart(category)) return none;
    // The recorded lists are shortened by the category, which ccxt reads there.
    const list = listIn(recorded('bybit', lists[category]).result, 'list');
    return { result: { category, list } };
  });

function instruments(part: PartName): Map<string, Instrument> {
  const context = { received: 0, instruments: new Map() };
  const body = recorded('bybit', lists[part]);
  const { rows, dropped } = bybit.feeds.instruments.parts[part].parse([body], context);
  t.strictSame(dropped, []);
  return new Map(rows.map((row) => [row.market, row]));
}
const ask = (part: PartName) => ({
  market: native[part],
  part,
  instrument: instruments(part).get(native[part]) ?? null,
});
const rowsIn = (name: string) => listIn(recorded('bybit', name).result, 'list');

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  for (const part of ['spot', 'linear', 'inverse'] as const) {
    for (const ours of instruments(part).values()) {
      const type = part === 'spot' ? 'spot' : 'contract';
      const theirs = exchange.safeMarket(ours.market, undefined, undefined, type);
      t.equal(ours.symbol, theirs.base, ours.market);
      t.equal(ours.quote, theirs.quote);
      t.equal(ours.kind !== 'other', theirs.active);
      t.equal(ours.inverse, theirs.inverse ?? false);
      t.equal(ours.contract, 1);
      // The recording says 8 where the documentation has minutes: no interval rather than a wrong one.
      t.equal(ours.funding_hours, null);
    }
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name] of [
    ['spot', 'spot-tickers'],
    ['inverse', 'perp-inverse-tickers'],
  ] as const) {
    const context = { received: 0, instruments: instruments(part) };
    const body = recorded('bybit', name);
    const { rows, dropped } = bybit.feeds.prices.parts[part].parse([body], context);
    t.strictSame(dropped, []);
    t.equal(rows.length, rowsIn(name).length);
    for (const [i, row] of rows.entries()) {
      const theirs = exchange.parseTicker(rowsIn(name)[i] ?? {});
      near(t, row.price, theirs.last, `${name} last`);
      near(t, row.change, theirs.percentage, `${name} change`);
      // ccxt takes an inverse contract's turnover for the quote; it is in the base.
      const { quoteVolume, baseVolume } = theirs;
      near(t, row.volume, part === 'inverse' ? baseVolume : quoteVolume, `${name} volume`);
      // ccxt gives no time: the rows have none. The answer has.
      t.equal(row.stated, body.time);
    }
  }
});

t.test('derivatives and open interest', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('bybit', 'perp-inverse-tickers');
  const context = { received: 0, instruments: instruments('inverse') };
  const [wire = {}] = rowsIn('perp-inverse-tickers');
  const theirs = exchange.parseFundingRates([wire])[symbols.inverse];
  const [ours] = bybit.feeds.derivatives.parts.inverse.parse([body], context).rows;
  near(t, ours?.mark, theirs?.markPrice, 'mark');
  near(t, ours?.index, theirs?.indexPrice, 'index');
  near(t, ours?.funding_rate, theirs?.fundingRate, 'rate');
  near(t, ours?.next_funding, theirs?.fundingTimestamp, 'next funding');
  t.equal(
    ours?.funding_hours,
    8,
    'ccxt reads the 8 of the instrument as minutes; the ticker says 8 h',
  );
  const market = exchange.market(symbols.inverse);
  const value = exchange.parseOpenInterest(wire, market).openInterestValue ?? Number.NaN;
  const [interest] = bybit.feeds.openInterest.parts.inverse.parse([body], context).rows;
  // ccxt leaves both sides counted.
  near(t, interest?.value, value / 2, 'open interest in USD');
  near(t, interest?.units, 2089.79 / 2, 'open interest in base');
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name] of [
    ['spot', 'spot-orderbook'],
    ['linear', 'perp-orderbook'],
  ] as const) {
    const exchange = await load({ 'v5/market/orderbook': name });
    const body = recorded('bybit', name);
    const ours = bybit.queries.orderBook.parse(body, ask(part));
    const theirs = await exchange.fetchOrderBook(symbols[part]);
    sameBook(t, ours, theirs);
    // ccxt gives the time of the answer, we that of the matching engine.
    t.ok(ours.stated !== null && ours.stated <= (theirs.timestamp ?? 0));
  }
});

t.test('candles', { skip }, async (t) => {
  for (const [part, name] of [
    ['linear', 'perp-linear-candles'],
    ['inverse', 'perp-inverse-candles'],
  ] as const) {
    const exchange = await load();
    const body = recorded('bybit', name);
    const theirs = exchange.parseOHLCVs(rowsIn(name), exchange.market(symbols[part]));
    const ours = bybit.queries.candles.parse(body, ask(part));
    sameBars(
      t,
      ours.sort((a, b) => a.timestamp - b.timestamp),
      theirs,
    );
    const turnovers = ours.map((bar) => bar.turnover);
    t.strictSame(turnovers, part === 'linear' ? [3_390_000] : [6356, 4177, 268_611]);
  }
});

t.test('the refusal', { skip }, async (t) => {
  t.match(bybit.apis.rest.fault(200, recorded('bybit', 'error')), { code: 'unknown_instrument' });
});
