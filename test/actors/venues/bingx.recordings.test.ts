/** Recorded answers of BingX, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { bingx } from '../../../actors/venues/bingx.ts';
import { absent } from '../../support/recordings.ts';
import { offline } from './ccxt.ts';
import { handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const read = (name: string) => recorded('bingx', name);
const nothing = { received: 0, instruments: new Map<string, Instrument>() };
const { instruments, prices, derivatives, openInterest } = bingx.feeds;
const { orderBook, candles } = bingx.queries;
const parts = ['spot', 'linear', 'inverse'] as const;

/** The recorded rows are of other markets than the recorded lists. */
const inverse = new Map(
  [
    handMade('BTC-USD', { kind: 'perpetual', quote: 'USD', inverse: true, contract: 100 }),
    handMade('SOL-USD', { kind: 'perpetual', quote: 'USD', inverse: true, contract: 10 }),
  ].map((row) => [row.market, row]),
);
const context = { received: 0, instruments: inverse };
const library = () => offline('bingx');

t.test('instruments', { skip }, async (t) => {
  const exchange = Object(await library());
  const lists = {
    spot: listIn(Object(read('spot-symbols').data), 'symbols'),
    linear: listIn(read('perp-contracts'), 'data'),
    inverse: listIn(read('perp-inverse-contracts'), 'data'),
  };
  const names = {
    spot: 'spot-symbols',
    linear: 'perp-contracts',
    inverse: 'perp-inverse-contracts',
  };
  for (const part of parts) {
    const { rows, dropped } = instruments.parts[part].parse([read(names[part])], nothing);
    t.strictSame(dropped, []);
    t.equal(rows.length, lists[part].length);
    for (const [i, ours] of rows.entries()) {
      const theirs = exchange.parseMarket(lists[part][i]);
      t.match(ours, { market: theirs.id, symbol: theirs.base, quote: theirs.quote });
      t.equal(ours.kind !== 'other', theirs.active, ours.market);
      t.equal(ours.inverse, theirs.inverse ?? false);
      t.equal(ours.contract, theirs.contractSize ?? 1);
    }
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await library();
  const linear = read('perp-tickers');
  for (const [part, body, size] of [
    ['spot', read('spot-tickers'), 0],
    // Recorded with a symbol, which gives one object for the list.
    ['linear', { ...linear, data: [linear.data] }, 0],
    ['inverse', read('perp-inverse-tickers'), 10],
  ] as const) {
    const { rows, dropped } = prices.parts[part].parse([body], context);
    const [wire = {}] = listIn(body, 'data');
    t.strictSame([rows.length, dropped], [1, []]);
    const theirs = exchange.parseTicker(wire);
    near(t, rows[0]?.price, theirs.last, `${part} last`);
    near(t, rows[0]?.stated, theirs.timestamp, `${part} time`);
    // Inverse: what the venue calls quote volume, and ccxt too, is base; contracts x 10 USD are dollars.
    const volume = size > 0 ? Number(wire.volume) * size : theirs.quoteVolume;
    near(t, rows[0]?.volume, volume, `${part} volume`);
    // ccxt takes the percentage of the venue, which is rounded, and on spot of another day than the prices.
    const change = (Number(wire.lastPrice) / Number(wire.openPrice) - 1) * 100;
    near(t, rows[0]?.change, change, `${part} change`);
  }
});

t.test('funding', { skip }, async (t) => {
  const exchange = Object(await library());
  const body = read('funding-current');
  const { rows } = derivatives.parts.linear.parse([body], nothing);
  const theirs = exchange.parseFundingRate(listIn(body, 'data')[0]);
  near(t, rows[0]?.mark, theirs.markPrice, 'mark');
  near(t, rows[0]?.index, theirs.indexPrice, 'index');
  near(t, rows[0]?.funding_rate, theirs.fundingRate, 'rate');
  near(t, rows[0]?.next_funding, theirs.nextFundingTimestamp, 'next');
  t.strictSame([rows[0]?.funding_hours, theirs.interval], [null, undefined], 'an older answer');
});

t.test('open interest', { skip }, async (t) => {
  const exchange = Object(await library());
  const linear = read('open-interest');
  const marks = read('funding-current');
  const [row] = openInterest.parts.linear.parse([marks, linear], nothing).rows;
  const theirs = exchange.parseOpenInterest(linear.data, { inverse: false });
  near(t, row?.value, theirs.openInterestValue, 'linear: a value');
  near(t, row?.units, 3289641547.1 / 16884.5, 'linear: base at the mark price');
  near(t, row?.stated, theirs.timestamp, 'time');
  const coin = read('open-interest-inverse');
  const premium = { code: 0, data: [{ symbol: 'BTC-USD', markPrice: '57000' }] };
  const [other] = openInterest.parts.inverse.parse([premium, coin], context).rows;
  const wire = listIn(coin, 'data')[0];
  const amount = exchange.parseOpenInterest(wire, { inverse: true }).openInterestAmount;
  near(t, other?.units, amount, 'inverse: base');
  near(t, other?.value, 749.116 * 57000, 'inverse: value at the mark price');
});

t.test('order books', { skip }, async (t) => {
  const exchange = await library();
  for (const [part, name, market, base] of [
    ['spot', 'spot-orderbook', 'BTC-USDT', (quantity: number) => quantity],
    // The name of the recorded market is not known; its lots are 1000 coins, which ccxt leaves as they are.
    ['linear', 'perp-orderbook', 'BONK-USDT', (quantity: number) => quantity * 1000],
    // ccxt leaves contracts, of 100 USD each, as they are.
    [
      'inverse',
      'perp-inverse-orderbook',
      'BTC-USD',
      (quantity: number, price: number) => (quantity * 100) / price,
    ],
  ] as const) {
    const body = read(name);
    const ask = { part, market, instrument: inverse.get(market) ?? null };
    const ours = orderBook.parse(body, ask);
    const data = Object(body.data);
    ours.bids.sort((a, b) => b.price - a.price);
    ours.asks.sort((a, b) => a.price - b.price);
    sameBook(t, ours, exchange.parseOrderBook(data, market), base);
    t.equal(ours.stated, data.T ?? data.ts);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await library();
  for (const [part, name] of [
    ['spot', 'spot-candles'],
    ['linear', 'perp-candles'],
  ] as const) {
    const body = read(name);
    const ours = candles.parse(body, { part, market: 'BTC-USDT', instrument: null });
    ours.sort((a, b) => a.timestamp - b.timestamp);
    sameBars(t, ours, exchange.parseOHLCVs(listIn(body, 'data')));
    const turnovers = ours.map((bar) => bar.turnover);
    t.strictSame(turnovers, part === 'spot' ? [64851.33, 123968.7, 8548.46] : [null]);
  }
});

t.test('the refusal', { skip }, async (t) => {
  t.match(bingx.apis.rest.fault(200, read('error')), { code: 'unknown_instrument' });
});
