/** Recorded answers of KuCoin, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { kucoin } from '../../../actors/venues/kucoin.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const body = (name: string) => recorded('kucoin', name);
const spotRow = (symbol: string) => {
  const [baseCurrency, quoteCurrency] = symbol.split('-');
  return { symbol, baseCurrency, quoteCurrency, enableTrading: true };
};
const [linear = {}] = absent ? [] : listIn(body('perp-contracts'), 'data');
const inverseRow = {
  ...linear,
  ...{ symbol: 'XBTUSDM', quoteCurrency: 'USD', settleCurrency: 'XBT' },
  ...{ multiplier: -1, isInverse: true },
};

/** The recorded lists with the other recorded markets added. */
const load = (more: Readonly<Record<string, unknown>> = {}) => {
  const spot = [...listIn(body('spot-symbols'), 'data'), spotRow('BTC-USDT'), spotRow('ETH-BTC')];
  const lists = {
    symbols: { data: spot },
    'market/allTickers': body('spot-tickers'),
    'contracts/active': { data: [linear, inverseRow] },
  };
  return replayed('kucoin', byPath({ ...lists, ...more }));
};
const context = {
  received: 1_640_000_000_000,
  instruments: new Map<string, Instrument>(
    absent
      ? []
      : kucoin.feeds.instruments.parts.futures
          .parse([body('perp-contracts')])
          .rows.map((row) => [row.market, row]),
  ),
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const spot = kucoin.feeds.instruments.parts.spot.parse([body('spot-symbols')]);
  const futures = kucoin.feeds.instruments.parts.futures.parse([{ data: [linear, inverseRow] }]);
  t.strictSame([...spot.dropped, ...futures.dropped], []);
  t.equal(spot.rows.length + futures.rows.length, 4);
  for (const ours of [...spot.rows, ...futures.rows]) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base, ours.market);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind === 'spot', theirs.spot);
    t.equal(ours.kind === 'perpetual', theirs.swap);
    t.equal(ours.kind !== 'other', theirs.active);
    t.equal(ours.inverse, theirs.inverse ?? false);
    t.equal(ours.contract, theirs.contractSize ?? 1);
    t.equal(ours.funding_hours, ours.kind === 'spot' ? null : 8);
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  const spot = kucoin.feeds.prices.parts.spot.parse([body('spot-tickers')], {
    ...{ received: 0, instruments: new Map() },
  });
  const theirs = (await exchange.fetchTickers())['BTC/USDT'];
  t.strictSame(spot.dropped, []);
  near(t, spot.rows[0]?.price, theirs?.last, 'spot last');
  near(t, spot.rows[0]?.volume, theirs?.quoteVolume, 'spot volume');
  near(t, spot.rows[0]?.change, theirs?.percentage, 'spot change');
  near(t, spot.rows[0]?.stated, theirs?.timestamp, 'spot time');

  const { rows, dropped } = kucoin.feeds.prices.parts.futures.parse(
    [body('perp-contracts')],
    context,
  );
  t.strictSame(dropped, []);
  // ccxt reads prices of contracts from another list, which has no turnover.
  t.match(rows, [{ market: 'XBTUSDTM', price: 44493, volume: 2361994501.712677, stated: null }]);
  near(t, rows[0]?.change, 17.02, 'change');
  const base = (rows[0]?.volume ?? 0) / (rows[0]?.price ?? 1);
  t.ok(base / 56067.116 > 0.9 && base / 56067.116 < 1.1, 'turnover is in quote, volume in base');
});

t.test('mark, index and funding', { skip }, async (t) => {
  const exchange = await load();
  const { rows } = kucoin.feeds.derivatives.parts.futures.parse([body('perp-contracts')], context);
  t.match(rows, [{ mark: 44514.03, index: 44510.78, funding_rate: 0.0001, funding_hours: 8 }]);
  t.equal(rows[0]?.next_funding, Math.round((context.received + 21031525) / 60_000) * 60_000);
  // ccxt reads rates from answers of their own: the same fraction, per the same 8 hours.
  for (const name of ['funding-current', 'funding-current-bulk']) {
    const { data } = body(name);
    const theirs = fundingRate(exchange, Array.isArray(data) ? data[0] : data);
    t.equal(theirs.interval, `${rows[0]?.funding_hours}h`);
    t.ok(Math.abs(theirs.fundingRate ?? 1) < 0.001);
  }
});

t.test('open interest', { skip }, async (t) => {
  const exchange = await load({ 'market/open-interest': body('open-interest-bulk') });
  const parse = (wire: unknown) =>
    kucoin.feeds.openInterest.parts.futures.parse([{ data: [wire] }], context).rows[0];
  const ours = parse(linear);
  near(t, ours?.units, 5191.275, '5,191,275 x 0.001 BTC');
  near(t, ours?.value, 5191.275 * 44514.03, 'at the mark price');
  // The bulk answer that ccxt reads counts the same contracts.
  const [wire] = listIn(body('open-interest-bulk'), 'data');
  const theirs = exchange.parseOpenInterest(wire ?? {}, exchange.market('BTC/USDT:USDT'));
  const same = parse({ ...linear, openInterest: wire?.openInterest });
  near(t, same?.units, (theirs.openInterestAmount ?? 0) * 0.001, 'of ETHUSDTM, as if of XBTUSDTM');
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name, path, symbol] of [
    ['spot', 'spot-orderbook', '_{limit}', 'BTC/USDT'],
    ['futures', 'perp-orderbook', 'depth20', 'BTC/USD:BTC'],
  ] as const) {
    const exchange = await load({ [path]: body(name) });
    const ask = { market: 'X', part, instrument: handMade('X', { contract: 1 }) };
    const ours = kucoin.queries.orderBook.parse(body(name), ask);
    const theirs = await exchange.fetchOrderBook(symbol, 20);
    ours.bids.sort((a, b) => b.price - a.price);
    ours.asks.sort((a, b) => a.price - b.price);
    // Read as linear with contracts of 1: ccxt leaves contracts as they are.
    sameBook(t, ours, theirs);
    near(t, ours.stated, theirs.timestamp, 'time');
  }
  const usd = handMade('XBTUSDM', { quote: 'USD', contract: 1, inverse: true });
  const ask = { market: 'XBTUSDM', part: 'futures', instrument: usd };
  const inverse = kucoin.queries.orderBook.parse(body('perp-orderbook'), ask);
  near(t, inverse.bids[0]?.quantity, 800 / 3200, '800 contracts of 1 USD at 3200');
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, contract] of [
    ['spot', 'spot-candles', 1],
    ['futures', 'perp-candles', 0.001],
  ] as const) {
    const ask = { market: 'X', part, instrument: handMade('X', { contract }) };
    const ours = kucoin.queries.candles.parse(body(name), ask);
    const theirs = exchange.parseOHLCVs(listIn(body(name), 'data'));
    sameBars(
      t,
      ours.sort((a, b) => a.timestamp - b.timestamp),
      theirs,
    );
  }
  const ask = { market: 'ETH-BTC', part: 'spot', instrument: handMade('ETH-BTC') };
  t.equal(kucoin.queries.candles.parse(body('spot-candles'), ask)[0]?.turnover, 0.4761861079404);
});

t.test('the refusal', { skip }, async (t) => {
  t.match(kucoin.apis.spot.fault(400, body('error')), { code: 'refused', status: 400 });
});
