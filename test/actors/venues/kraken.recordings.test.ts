/**
 * Recorded answers of Kraken and Kraken Futures, read by us and by ccxt. Not read: what we do not ask for (trades,
 * and the older of the two funding histories).
 */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { kraken } from '../../../actors/venues/kraken.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, offline, replayed } from './ccxt.ts';
import { handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const read = (name: string) => recorded('kraken', name);
const { derivatives, openInterest, instruments } = kraken.feeds;
const { orderBook, candles } = kraken.queries;

/** The recorded rows are of other markets than the recorded lists. */
const perpetual = (market: string, more: Partial<Instrument> = {}) =>
  handMade(market, { kind: 'perpetual', quote: 'USD', funding_hours: 1, ...more });
const futures = new Map(
  [
    perpetual('PI_XBTUSD', { symbol: 'BTC', inverse: true }),
    perpetual('PF_XBTUSD', { symbol: 'BTC' }),
    perpetual('PF_ENJUSD', { symbol: 'ENJ' }),
  ].map((row) => [row.market, row]),
);
const context = { received: 0, instruments: futures };

t.test('spot pairs', { skip }, async (t) => {
  const exchange = await offline('kraken', byPath({ AssetPairs: read('spot-pairs') }));
  const [theirs] = await exchange.fetchMarkets();
  const parsed = instruments.parts.spot.parse([read('spot-pairs')], context);
  t.strictSame(parsed, {
    rows: [handMade('XBTUSDT', { symbol: 'BTC' })],
    dropped: [],
  });
  t.match(theirs, { id: 'XBTUSDT', base: 'BTC', quote: 'USDT', active: true });
});

t.test('futures', { skip }, async (t) => {
  const lists = byPath({ instruments: read('futures-instruments') });
  const exchange = await offline('krakenfutures', lists);
  const theirs = await exchange.fetchMarkets();
  const { rows, dropped } = instruments.parts.futures.parse([read('futures-instruments')], context);
  t.strictSame(dropped, []);
  t.equal(rows.length, theirs.length);
  for (const [i, row] of rows.entries()) {
    const market = theirs[i];
    t.equal(row.market, market?.id);
    t.equal(row.symbol, market?.base);
    t.equal(row.quote, market?.quote);
    t.equal(row.contract, market?.contractSize);
    t.equal(row.inverse, market?.inverse);
    t.equal(row.kind, 'perpetual');
  }
});

t.test('spot tickers', { skip }, async (t) => {
  const exchange = await offline('kraken');
  const body = read('spot-tickers');
  const known = new Map([['XXBTZUSD', handMade('XXBTZUSD', { quote: 'USD' })]]);
  const parsed = kraken.feeds.prices.parts.spot.parse([body], { ...context, instruments: known });
  const result = Object(body.result);
  const theirs = exchange.parseTicker(result.XXBTZUSD);
  near(t, parsed.rows[0]?.price, theirs.last, 'last');
  near(t, parsed.rows[0]?.volume, theirs.quoteVolume, 'volume');
  // ccxt takes the open of the UTC day for that of the last 24 h.
  t.equal(parsed.rows[0]?.change, null);
});

for (const name of ['futures-tickers', 'futures-ticker-funding', 'analytics-futures-tickers']) {
  t.test(name, { skip }, async (t) => {
    const lists = byPath({ instruments: read('futures-instruments') });
    const library = await replayed('krakenfutures', lists);
    // The recorded list does not hold every market.
    const exchange = Object.assign(Object(library), { symbol: (id: string) => id });
    const body = read(name);
    const [wire = {}, ...more] = listIn(body, 'tickers').filter((row) => row.tag === 'perpetual');
    t.equal(more.length, 0);
    const prices = kraken.feeds.prices.parts.futures.parse([body], context);
    const [row] = prices.rows;
    const [funding] = derivatives.parts.futures.parse([body], context).rows;
    const [interest] = openInterest.parts.futures.parse([body], context).rows;
    t.strictSame([prices.rows.length, prices.dropped], [1, []], 'the others are silent');
    const theirs = exchange.parseTicker(wire);
    const rate = exchange.parseFundingRate(wire);
    near(t, row?.price, theirs.last, 'last');
    near(t, row?.change, theirs.percentage, 'change');
    near(t, funding?.mark, rate.markPrice, 'mark');
    near(t, funding?.index, rate.indexPrice, 'index');
    const [open, mark] = [Number(wire.openInterest), Number(wire.markPrice)];
    // ccxt does not read the open interest of a ticker.
    if (row?.market === 'PI_XBTUSD') {
      near(t, row.volume, theirs.quoteVolume, 'volume');
      // ccxt divides by the price here too, where the rate is in base per USD.
      near(t, funding?.funding_rate, Number(wire.fundingRate) * mark, 'funding rate');
      t.strictSame([interest?.units, interest?.value], [open / mark, open]);
      // The time of the answer, where ccxt takes that of the last trade.
      t.equal(row.stated, Date.parse('2022-06-17T11:00:31.335Z'));
    } else {
      // ccxt gives no quote volume of linear contracts.
      near(t, row?.volume, wire.volumeQuote, 'volume');
      near(t, funding?.funding_rate, rate.fundingRate, 'funding rate');
      t.strictSame([interest?.units, interest?.value], [open, open * mark]);
    }
  });
}

t.test('a ticker without funding', { skip }, async (t) => {
  const { ticker, serverTime } = read('futures-ticker-one');
  const body = { result: 'success', tickers: [ticker], serverTime };
  const [row] = kraken.feeds.prices.parts.futures.parse([body], context).rows;
  const [rate] = derivatives.parts.futures.parse([body], context).rows;
  near(t, row?.volume, 8309.2546 * 77334, 'base x last where there is no volumeQuote');
  near(t, row?.change, (77334 / 77332 - 1) * 100, 'change');
  t.match(rate, { mark: 77343.38154086834, index: 77340.22, funding_rate: null });
  t.equal(rate?.next_funding, Date.parse('2026-09-02T18:00:00Z'));
});

t.test('absolute and relative funding rates', { skip }, async (t) => {
  // The history states both; their quotient is the price, about 20.7k in June 2022.
  for (const row of listIn(read('futures-funding-history'), 'rates')) {
    const price = Number(row.relativeFundingRate) / Number(row.fundingRate);
    t.ok(price > 20_000 && price < 22_000, `PI: relative = absolute x ${price}`);
  }
});

t.test('order books', { skip }, async (t) => {
  const spot = await offline('kraken');
  const body = read('spot-orderbook');
  const spotAsk = { part: 'spot', market: 'XBTUSDT', instrument: null };
  const spotBook = spot.parseOrderBook(Object(body.result).XBTUSDT, 'XBTUSDT');
  sameBook(t, orderBook.parse(body, spotAsk), spotBook);
  const library = await offline('krakenfutures');
  for (const [name, market, base] of [
    // ccxt leaves inverse contracts as they are, one USD each.
    ['futures-orderbook', 'PI_XBTUSD', (usd: number, price: number) => usd / price],
    ['analytics-futures-orderbook', 'PF_XBTUSD', (quantity: number) => quantity],
  ] as const) {
    const ask = { part: 'futures', market, instrument: futures.get(market) ?? null };
    const theirs = library.parseOrderBook(Object(read(name).orderBook), market);
    sameBook(t, orderBook.parse(read(name), ask), theirs, base);
  }
});

t.test('candles', { skip }, async (t) => {
  const spot = read('spot-candles');
  const exchange = await offline('kraken');
  const ours = candles.parse(spot, { part: 'spot', market: 'XBTUSDT', instrument: null });
  sameBars(t, ours, exchange.parseOHLCVs(Object(spot.result).XBTUSDT));
  near(t, ours[3]?.turnover, 0.08317981 * 106039.6, 'turnover');

  const body = read('futures-candles');
  const charts = await offline('krakenfutures');
  const native = listIn(body, 'candles');
  const ask = {
    part: 'futures',
    market: 'PI_XBTUSD',
    instrument: futures.get('PI_XBTUSD') ?? null,
  };
  const bars = candles.parse(body, ask);
  // ccxt gives the volume of inverse contracts in USD, which is our turnover.
  sameBars(
    t,
    bars.map((bar) => ({ ...bar, volume: bar.turnover ?? 0 })),
    charts.parseOHLCVs(native),
  );
  near(t, bars[2]?.volume, (4995 * 4) / (91415 + 91490.5 + 91415 + 91490.5), 'volume in base');
});

t.test('refusals', { skip }, async (t) => {
  t.match(kraken.apis.spot.fault(200, read('error-spot')), { code: 'unknown_instrument' });
  t.match(kraken.apis.futures.fault(400, read('error-futures')), { code: 'refused' });
});
