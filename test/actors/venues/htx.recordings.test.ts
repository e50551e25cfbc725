/** Recorded answers of HTX, read by us and by ccxt. Contracts: ccxt leaves both sides of volumes and open interest. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { htx } from '../../../actors/venues/htx.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const perpetual = (market: string, more: Partial<Instrument> = {}): [string, Instrument] => [
  market,
  handMade(market, { kind: 'perpetual', ...more }),
];
const body = (name: string) => recorded('htx', name);
const spotRow = (symbol: string, base: string, quote: string) => ({
  ...{ symbol, 'base-currency': base, 'quote-currency': quote, state: 'online' },
});
/** The recorded spot list holds a leveraged token only; coin-margined swaps and futures have none. */
const load = (more: Readonly<Record<string, unknown>> = {}) =>
  replayed(
    'htx',
    byPath({
      'common/symbols': {
        data: [
          ...listIn(body('spot-symbols'), 'data'),
          ...[spotRow('btcusdt', 'btc', 'usdt'), spotRow('smtusdt', 'smt', 'usdt')],
          spotRow('ltcht', 'ltc', 'ht'),
        ],
      },
      'linear-swap-api/v1/swap_contract_info': body('perp-linear-contracts'),
      '/swap_contract_info': {
        data: [{ symbol: 'BTC', contract_code: 'BTC-USD', contract_size: 100, contract_status: 1 }],
      },
      contract_contract_info: {
        data: [
          ...[
            { symbol: 'BTC', contract_code: 'BTC211126', contract_size: 100, contract_status: 1 },
          ],
        ].map((row) => ({ ...row, delivery_date: '20211126', delivery_time: '1637913600000' })),
      },
      ...more,
    }),
  );
const linear = () => {
  const context = { received: 0, instruments: new Map() };
  const bodies = [body('perp-linear-contracts')];
  return htx.feeds.instruments.parts.linear.parse(bodies, context).rows;
};
const contextOf = (...known: [string, Instrument][]) => ({
  received: 0,
  instruments: new Map(known),
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  t.strictSame(
    linear().map(({ market, kind }) => [market, kind]),
    [
      ['BTC-USDT-211203', 'other'],
      ['BTC-USDT-211210', 'other'],
      ['BTC-USDT-211231', 'other'],
      ['BTC-USDT', 'perpetual'],
    ],
  );
  for (const ours of linear()) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind === 'perpetual', theirs.swap);
    t.equal(ours.contract, theirs.contractSize);
    t.equal(ours.inverse, theirs.inverse);
  }
  const spot = htx.feeds.instruments.parts.spot.parse([body('spot-symbols')]);
  // ccxt follows leveraged tokens.
  t.match(spot.rows, [{ market: 'xrp3susdt', symbol: 'XRP3S', quote: 'USDT', kind: 'other' }]);
});

t.test('spot tickers', { skip }, async (t) => {
  const exchange = await load({ 'market/tickers': body('spot-tickers') });
  // The second market quotes in HT, which we do not follow: taken as if in USDT.
  const known = ['smtusdt', 'ltcht'].map((id): [string, Instrument] => [id, handMade(id)]);
  const context = contextOf(...known);
  const { rows, dropped } = htx.feeds.prices.parts.spot.parse([body('spot-tickers')], context);
  t.strictSame(dropped, []);
  const theirs = await exchange.fetchTickers();
  t.equal(rows.length, 2);
  for (const row of rows) {
    const ticker = theirs[exchange.safeSymbol(row.market)];
    near(t, row.price, ticker?.last, `${row.market} last`);
    near(t, row.volume, ticker?.quoteVolume, `${row.market} volume`);
    near(t, row.change, ticker?.percentage, `${row.market} change`);
    // ccxt does not pass the time of the answer on.
    t.equal(row.stated, 1629789355531);
  }
});

t.test('linear tickers', { skip }, async (t) => {
  const exchange = await load();
  const context = contextOf(perpetual('BTC-USDT', { contract: 0.001 }));
  const bodies = [body('perp-linear-tickers')];
  const { rows, dropped } = htx.feeds.prices.parts.linear.parse(bodies, context);
  t.strictSame(dropped, []);
  const theirs = exchange.parseTicker(listIn(bodies[0], 'ticks')[0] ?? {});
  near(t, rows[0]?.price, theirs.last, 'last');
  near(t, rows[0]?.stated, theirs.timestamp, 'time');
  near(t, rows[0]?.change, theirs.percentage, 'change');
  // No `trade_turnover` yet: base x close, one side. ccxt reads `vol`, which is contracts in other answers.
  near(t, rows[0]?.volume, ((theirs.baseVolume ?? 0) * (theirs.last ?? 0)) / 2, 'volume');
});

t.test('funding rates', { skip }, async (t) => {
  const exchange = await load();
  const indices = { data: [{ contract_code: 'BTC-USD', index_price: 64000 }] };
  const linearBody = body('perp-linear-funding-v5');
  const { rows } = htx.feeds.derivatives.parts.linear.parse(
    [indices, linearBody],
    contextOf(perpetual('BTC-USDT')),
  );
  const theirs = fundingRate(exchange, listIn(linearBody, 'data')[0]);
  near(t, rows[0]?.funding_rate, theirs.fundingRate, 'rate');
  near(t, rows[0]?.next_funding, theirs.fundingTimestamp, 'time');
  t.equal(`${rows[0]?.funding_hours}h`, theirs.interval);
  t.equal(rows[0]?.stated, 1781235318758);

  const batch = body('perp-batch-funding-shape');
  const one = body('perp-inverse-funding');
  const single = { ...one, data: [one.data] };
  for (const [answer, market, hours] of [
    [batch, 'MANA-USDT', 8],
    [single, 'BTC-USD', 8], // next_funding_time null; ccxt then has no interval
  ] as const) {
    const parsed = htx.feeds.derivatives.parts.inverse.parse(
      [answer, indices],
      contextOf(perpetual(market, { quote: 'USD', inverse: true })),
    );
    const [native] = listIn(answer, 'data');
    const rate = fundingRate(exchange, native);
    near(t, parsed.rows[0]?.funding_rate, rate.fundingRate, `${market} rate`);
    near(t, parsed.rows[0]?.next_funding, rate.fundingTimestamp, `${market} time`);
    t.equal(parsed.rows[0]?.funding_hours, hours);
  }
});

t.test('open interest: half of both sides', { skip }, async (t) => {
  const linearBody = body('perp-linear-open-interest-v5');
  const inverseBody = body('perp-inverse-open-interest');
  const exchange = await load({
    'v5/market/open_interest': linearBody,
    'swap-api/v1/swap_open_interest': inverseBody,
  });
  const { linear: straight, inverse } = htx.feeds.openInterest.parts;
  const [ours] = straight.parse([linearBody], contextOf(perpetual('BTC-USDT'))).rows;
  const theirs = await exchange.fetchOpenInterest('BTC/USDT:USDT');
  // ccxt's amount is a number of contracts: 0.001 BTC each.
  near(t, ours?.units, ((theirs.openInterestAmount ?? 0) * 0.001) / 2, 'linear units');
  near(t, ours?.value, (theirs.openInterestValue ?? 0) / 2, 'linear value');
  near(t, ours?.stated, theirs.timestamp, 'linear time');

  const btc = perpetual('BTC-USD', { quote: 'USD', contract: 100, inverse: true });
  const [coin] = inverse.parse([inverseBody], contextOf(btc)).rows;
  const swap = await exchange.fetchOpenInterest('BTC/USD:BTC');
  near(t, coin?.units, 2769.6757774070747 / 2, 'inverse units: `amount`');
  // The same here: 100 USD each.
  near(t, coin?.value, ((swap.openInterestAmount ?? 0) * 100) / 2, 'inverse value');
  near(t, coin?.stated, swap.timestamp, 'inverse time');
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name, symbol, contract] of [
    ['spot', 'spot-orderbook', 'BTC/USDT', 1],
    // ccxt leaves contracts as they are: 0.001 BTC each.
    ['linear', 'perp-orderbook', 'BTC/USDT:USDT', 0.001],
  ] as const) {
    const exchange = await load({ 'market/depth': body(name) });
    const instrument = handMade('X', { contract });
    const ours = htx.queries.orderBook.parse(body(name), { market: 'X', part, instrument });
    const theirs = await exchange.fetchOrderBook(symbol);
    // The exchange and ccxt differ in order, not in levels.
    ours.bids.sort((a, b) => b.price - a.price);
    ours.asks.sort((a, b) => a.price - b.price);
    sameBook(t, ours, theirs, (quantity) => quantity * contract);
    t.equal(ours.stated, theirs.timestamp);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  const spot = htx.queries.candles.parse(body('spot-candles'), {
    ...{ market: 'btcusdt', part: 'spot', instrument: handMade('btcusdt') },
  });
  sameBars(t, spot.reverse(), exchange.parseOHLCVs(listIn(body('spot-candles'), 'data')));
  t.strictSame(
    spot.map((bar) => bar.turnover),
    [1505870.732227976, 193489.67275732],
  );
  const native = listIn(body('perp-candles'), 'data');
  const [swap] = htx.queries.candles.parse(body('perp-candles'), {
    ...{ market: 'BTC-USDT', part: 'linear', instrument: handMade('BTC-USDT') },
  });
  const both = exchange.parseOHLCVs(native).map((row) => row.with(5, Number(row[5]) / 2));
  sameBars(t, swap ? [swap] : [], both);
  t.equal(swap?.turnover, 52.3072 / 2);
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = htx.apis.spot;
  t.match(fault(200, body('error')), { code: 'refused', message: 'HTX error o-amount-min-error' });
  t.match(fault(200, body('error-v5')), { code: 'refused', message: 'HTX error 1003' });
});
