/** Recorded answers of Hyperliquid, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid.ts';
import { absent, recording } from '../../support/recordings.ts';
import { listing } from './ccxt.ts';
import { fundingRate, listIn, near, recorded, sameBook } from './oracle.ts';

const skip = absent;
const { feeds, queries } = hyperliquid;
const received = 1_750_000_001_000;
const lists = { spot: 'spot-meta-and-asset-ctxs', perp: 'meta-and-asset-ctxs' };
const names = ['meta-and-asset-ctxs', 'analytics-meta-and-asset-ctxs'];

/** A market and its context in one object, as the library joins them before it parses. */
function joined(name: string): Record<string, unknown>[] {
  const body = recorded('hyperliquid', name);
  const contexts = listIn(Reflect.get(body, 1), '');
  return listIn(Reflect.get(body, 0), 'universe').map((market, i) => ({
    ...market,
    ...contexts[i],
  }));
}

/** The library counts perpetuals by position. */
const load = () =>
  listing(
    'hyperliquid',
    joined(lists.perp).map((row, i) => ({ ...row, baseId: i })),
  );

const contextOf = (part: keyof typeof lists) => {
  const body = recorded('hyperliquid', lists[part]);
  const nothing = { received, instruments: new Map<string, Instrument>() };
  const { rows, dropped } = feeds.instruments.parts[part].parse([body], nothing);
  t.strictSame(dropped, []);
  return { received, instruments: new Map(rows.map((row) => [row.market, row])) };
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  for (const ours of contextOf('perp').instruments.values()) {
    const theirs = exchange.market(`${ours.symbol}/USDC:USDC`);
    t.equal(ours.symbol, theirs.base);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind !== 'other', theirs.active);
    t.equal(ours.contract, theirs.contractSize);
    t.equal(ours.inverse, theirs.inverse);
  }
  const pairs = [...contextOf('spot').instruments.values()];
  // The library reads spot lists inside a request only; token 1 is PURR, token 0 USDC.
  t.match(pairs, [{ market: 'PURR/USDC', kind: 'spot', symbol: 'PURR', quote: 'USDC' }]);
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  for (const name of names) {
    const native = joined(name);
    const body = recorded('hyperliquid', name);
    const { rows, dropped } = feeds.prices.parts.perp.parse([body], contextOf('perp'));
    t.strictSame(dropped, []);
    t.equal(rows.length, native.length);
    for (const [i, row] of rows.entries()) {
      const theirs = exchange.parseTicker(native[i] ?? {});
      near(t, row.price, theirs.close, `${row.market} price`);
      near(t, row.volume, theirs.quoteVolume, `${row.market} volume`);
      near(t, row.change, (108.05 / 111.81 - 1) * 100, `${row.market} change`);
    }
  }
});

t.test('a spot context without a name belongs to the pair at its position', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('hyperliquid', lists.spot);
  const { rows, dropped } = feeds.prices.parts.spot.parse([body], contextOf('spot'));
  t.strictSame(dropped, []);
  const theirs = exchange.parseTicker(joined(lists.spot)[0] ?? {});
  near(t, rows[0]?.price, theirs.close, 'price');
  near(t, rows[0]?.volume, theirs.quoteVolume, 'volume');
});

t.test('funding and open interest', { skip }, async (t) => {
  const exchange = await load();
  for (const name of names) {
    const body = recorded('hyperliquid', name);
    const context = contextOf('perp');
    const derivatives = feeds.derivatives.parts.perp.parse([body], context);
    const interest = feeds.openInterest.parts.perp.parse([body], context);
    t.strictSame([derivatives.dropped, interest.dropped], [[], []]);
    for (const [i, native] of joined(name).entries()) {
      const funding = fundingRate(exchange, native);
      const row = derivatives.rows[i];
      near(t, row?.funding_rate, funding.fundingRate, 'rate');
      near(t, row?.mark, funding.markPrice, 'mark');
      near(t, row?.index, funding.indexPrice, 'index');
      t.equal(`${row?.funding_hours}h`, funding.interval);
      // The library's own next time is that of the machine's clock; ours is that of receipt.
      t.equal(row?.next_funding, 1_750_003_200_000);
      const open = exchange.parseOpenInterest({ info: native });
      near(t, interest.rows[i]?.units, open.openInterestAmount, 'open interest');
      // The library gives no value: units x mark.
      near(t, interest.rows[i]?.value, 10764.48 * 108.04, 'value');
    }
  }
});

t.test('order book', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('hyperliquid', 'order-book');
  const ours = queries.orderBook.parse(body, { market: 'DYDX', part: 'perp', instrument: null });
  const sides = Array.isArray(body.levels) ? body.levels : [];
  const theirs = exchange.parseOrderBook(
    { bids: sides[0], asks: sides[1] },
    'DYDX',
    undefined,
    'bids',
    'asks',
    'px',
    'sz',
  );
  t.equal(ours.stated, body.time);
  t.strictSame([ours.bids.length, ours.asks.length], [5, 5]);
  sameBook(t, ours, theirs);
});

t.test('candles of kPEPE: ccxt leaves thousands as they are', { skip }, async (t) => {
  const exchange = await load();
  const body = recorded('hyperliquid', 'candles');
  const ask = { market: 'kPEPE', part: 'perp', instrument: null };
  const ours = queries.candles.parse(body, ask);
  const theirs = exchange.parseOHLCVs(listIn(body, ''));
  t.equal(ours.length, 4);
  for (const [i, bar] of ours.entries()) {
    const [timestamp, open, high, low, close, volume] = theirs[i] ?? [];
    near(t, bar.timestamp, timestamp, 'time');
    for (const [key, value] of Object.entries({ open, high, low, close })) {
      near(t, Number(Reflect.get(bar, key)) * 1000, value, `${i} ${key}`);
    }
    near(t, bar.volume / 1000, volume, `${i} volume`);
  }
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = hyperliquid.apis.info;
  const coin = recording('hyperliquid', 'error-unknown-coin-book');
  t.match(fault(coin?.status ?? 0, coin?.response), { code: 'unknown_instrument', status: 200 });
  const type = recording('hyperliquid', 'error-unknown-type');
  t.equal(type?.status, 422);
  t.equal(fault(422, type?.response), null, 'plain text: its status says it all');
});
