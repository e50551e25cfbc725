/** Recorded answers of OKX, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { okx } from '../../../actors/venues/okx.ts';
import { absent } from '../../support/recordings.ts';
import { listing } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const lists = { spot: 'spot-instruments', swap: 'perp-instruments' };
type PartName = keyof typeof lists;

const load = () =>
  listing('okx', [
    ...listIn(recorded('okx', lists.spot), 'data'),
    // Outside the recorded list, but with a recorded ticker.
    { instId: 'BCD-BTC', instType: 'SPOT', baseCcy: 'BCD', quoteCcy: 'BTC', state: 'live' },
    ...listIn(recorded('okx', lists.swap), 'data'),
  ]);
const instruments = (part: PartName): Map<string, Instrument> => {
  const context = { received: 0, instruments: new Map() };
  const body = recorded('okx', lists[part]);
  const { rows, dropped } = okx.feeds.instruments.parts[part].parse([body], context);
  t.strictSame(dropped, []);
  return new Map(rows.map((row) => [row.market, row]));
};
const ask = (part: PartName, market: string) => ({
  market,
  part,
  instrument: instruments(part).get(market) ?? null,
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  for (const part of ['spot', 'swap'] as const) {
    for (const ours of instruments(part).values()) {
      const theirs = exchange.safeMarket(ours.market, undefined, undefined, part);
      t.equal(ours.symbol, theirs.base, ours.market);
      t.equal(ours.quote, theirs.quote);
      t.equal(ours.kind !== 'other', theirs.active);
      t.equal(ours.inverse, theirs.inverse ?? false);
      t.equal(ours.contract, theirs.contractSize ?? 1);
    }
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, known] of [
    // The recorded market quotes in BTC, which we do not follow: taken as if in USDT.
    ['spot', 'spot-tickers', new Map([['BCD-BTC', handMade('BCD-BTC')]])],
    ['swap', 'perp-tickers', instruments('swap')],
  ] as const) {
    const body = recorded('okx', name);
    const native = listIn(body, 'data');
    const context = { received: 0, instruments: known };
    const { rows, dropped } = okx.feeds.prices.parts[part].parse([body], context);
    t.strictSame(dropped, []);
    t.equal(rows.length, native.length, `${name}: every row`);
    for (const [i, row] of rows.entries()) {
      const theirs = exchange.parseTicker(native[i] ?? {});
      near(t, row.price, theirs.last, `${row.market} last`);
      near(t, row.stated, theirs.timestamp, `${row.market} time`);
      if (part === 'spot') near(t, row.volume, theirs.quoteVolume, `${row.market} volume`);
      // ccxt takes contracts for coins on swaps and gives no quote volume; 2222 is `volCcy24h` of
      // both rows.
      else near(t, row.volume, 2222 * (theirs.last ?? 0), `${row.market} volume`);
    }
  }
});

t.test('order books', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, market, contract] of [
    ['spot', 'spot-orderbook', 'ETH-BTC', 1],
    // ccxt leaves contracts as they are: 0.01 BTC each.
    ['swap', 'perp-orderbook', 'BTC-USDT-SWAP', 0.01],
  ] as const) {
    const body = recorded('okx', name);
    const ours = okx.queries.orderBook.parse(body, ask(part, market));
    const theirs = exchange.parseOrderBook(listIn(body, 'data')[0], market);
    sameBook(t, ours, theirs, (quantity) => quantity * contract);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, market, symbol] of [
    // The recorded spot market is not in the recorded list; any of its spot markets reads the same.
    ['spot', 'spot-candles', 'BTC-USDT', 'BTC/USD'],
    ['swap', 'perp-candles', 'BTC-USD-SWAP', 'BTC/USD:BTC'],
  ] as const) {
    const body = recorded('okx', name);
    const theirs = exchange.parseOHLCVs(listIn(body, 'data'), exchange.markets?.[symbol]);
    const ours = okx.queries.candles.parse(body, ask(part, market));
    // ccxt sorts; the swap recording is newest first.
    sameBars(
      t,
      ours.sort((a, b) => a.timestamp - b.timestamp),
      theirs,
    );
    const turnovers = ours.map((bar) => bar.turnover);
    // The spot recording has "0" beside a volume: the turnover was not filled in. Swap: contracts x
    // 100 USD.
    t.strictSame(turnovers, part === 'spot' ? [null, null] : [330_400, 256_500, 62_800]);
  }
});

t.test('funding rates, mark and index', { skip }, async (t) => {
  const exchange = await load();
  const [marks, funding, index] = ['mark-price', 'funding-current', 'index-tickers'].map((name) =>
    recorded('okx', name),
  );
  const context = { received: 0, instruments: instruments('swap') };
  const { swap } = okx.feeds.derivatives.parts;
  const { rows, dropped } = swap.parse([marks, funding, index], context);
  t.strictSame(dropped, []);
  t.equal(rows.length, 1);
  const [row] = rows;
  const theirs = fundingRate(exchange, listIn(funding, 'data')[0]);
  near(t, row?.funding_rate, theirs.fundingRate, 'rate');
  near(t, row?.next_funding, theirs.fundingTimestamp, 'next');
  t.equal(`${row?.funding_hours}h`, theirs.interval);
  const mark = exchange.parseTicker(listIn(marks, 'data')[0] ?? {});
  near(t, row?.mark, mark.markPrice, 'mark');
  // ccxt reads no time of a funding rate; ours is that of the mark.
  near(t, row?.stated, mark.timestamp, 'time');
  // ccxt reads indices as tickers of the spot pair, which has another id.
  t.equal(row?.index, 43350);
});

t.test('open interest', { skip }, async (t) => {
  const exchange = await load();
  const marks = { code: '0', data: [{ instId: 'BTC-USDT-SWAP', markPx: '19000.5' }] };
  for (const name of ['open-interest', 'analytics-swap-open-interest']) {
    const body = recorded('okx', name);
    const native = listIn(body, 'data')[0];
    const context = { received: 0, instruments: instruments('swap') };
    const { swap } = okx.feeds.openInterest.parts;
    const { rows, dropped } = swap.parse([body, marks], context);
    t.strictSame(dropped, []);
    const theirs = exchange.parseOpenInterest(native ?? {});
    // ccxt leaves contracts as they are: 0.01 BTC each. The recording is older than `oiUsd`.
    const base = Number(theirs.openInterestAmount) * 0.01;
    near(t, rows[0]?.units, base, `${name} base`);
    near(t, rows[0]?.value, base * 19_000.5, `${name} value`);
    near(t, rows[0]?.stated, theirs.timestamp, `${name} time`);
  }
});

t.test('the refusal', { skip }, async (t) => {
  t.match(okx.apis.rest.fault(200, recorded('okx', 'error')), { code: 'refused' });
});
