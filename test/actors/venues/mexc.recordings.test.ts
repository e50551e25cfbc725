/** Recorded answers of MEXC, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { mexc } from '../../../actors/venues/mexc.ts';
import { absent } from '../../support/recordings.ts';
import { byPath, replayed } from './ccxt.ts';
import { fundingRate, handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
const body = (name: string) => recorded('mexc', name);
const spotRow = (baseAsset: string) => ({
  ...{ symbol: `${baseAsset}USDT`, baseAsset, quoteAsset: 'USDT', status: '1' },
  isSpotTradingAllowed: true,
});
const ethereum = {
  ...{ symbol: 'ETH_USDT', baseCoin: 'ETH', quoteCoin: 'USDT', settleCoin: 'USDT' },
  ...{ contractSize: 0.01, state: 0, isHidden: false },
};

/** The recorded lists with the other recorded markets added. */
const load = (more: Readonly<Record<string, unknown>> = {}) =>
  replayed(
    'mexc',
    byPath({
      exchangeInfo: {
        symbols: [...listIn(body('spot-exchange-info'), 'symbols'), spotRow('BTC'), spotRow('ETH')],
      },
      detail: { success: true, data: [...listIn(body('perp-contracts'), 'data'), ethereum] },
      ...more,
    }),
  );
const contracts = (): Map<string, Instrument> => {
  const bodies = [{ data: [...listIn(body('perp-contracts'), 'data'), ethereum] }];
  const { rows } = mexc.feeds.instruments.parts.contracts.parse(bodies);
  return new Map(rows.map((row) => [row.market, row]));
};

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  const spot = mexc.feeds.instruments.parts.spot.parse([body('spot-exchange-info')]);
  t.strictSame(spot.dropped, []);
  const all = [...spot.rows, ...contracts().values()];
  t.equal(all.length, 3);
  for (const ours of all) {
    const theirs = exchange.safeMarket(ours.market);
    t.equal(ours.symbol, theirs.base, ours.market);
    t.equal(ours.quote, theirs.quote);
    t.equal(ours.kind === 'perpetual', theirs.swap);
    t.equal(ours.kind !== 'other', theirs.active);
    t.equal(ours.inverse, theirs.inverse ?? false);
    t.equal(ours.contract, theirs.contractSize ?? 1);
  }
});

t.test('spot tickers', { skip }, async (t) => {
  const exchange = await load();
  // The recorded body is the list itself.
  const native = listIn(body('spot-tickers'), '');
  const known = ['BTCUSDT', 'ETHUSDT'].map((id): [string, Instrument] => [id, handMade(id)]);
  const { rows, dropped } = mexc.feeds.prices.parts.spot.parse([native], {
    ...{ received: 0, instruments: new Map(known) },
  });
  t.strictSame(dropped, []);
  t.equal(rows.length, 2);
  for (const [i, row] of rows.entries()) {
    const theirs = exchange.parseTicker(native[i] ?? {});
    near(t, row.price, theirs.last, `${row.market} last`);
    near(t, row.change, theirs.percentage, `${row.market} change`);
    near(t, row.stated, theirs.timestamp, `${row.market} time`);
    // The recorded turnover is null, and stays so in ccxt: base times last.
    t.equal(theirs.quoteVolume, undefined);
    near(t, row.volume, (theirs.baseVolume ?? 0) * (theirs.last ?? 0), `${row.market} volume`);
  }
});

t.test('tickers of contracts, open interest', { skip }, async (t) => {
  const exchange = await load();
  const wire = body('perp-tickers');
  const context = { received: 0, instruments: contracts() };
  const { rows, dropped } = mexc.feeds.prices.parts.contracts.parse([wire], context);
  t.strictSame(dropped, []);
  const theirs = exchange.parseTicker(listIn(wire, 'data')[0] ?? {});
  near(t, rows[0]?.price, theirs.last, 'last');
  near(t, rows[0]?.volume, theirs.quoteVolume, 'volume');
  near(t, rows[0]?.change, theirs.percentage, 'change');
  near(t, rows[0]?.stated, theirs.timestamp, 'time');
  // ccxt does not read open interest here: 5,832,946 contracts of 0.01 ETH.
  const [interest] = mexc.feeds.openInterest.parts.contracts.parse([wire], context).rows;
  near(t, interest?.units, 58329.46, 'units');
  near(t, interest?.value, 58329.46 * 3581.08, 'at the fair price');
});

t.test('mark, index and funding', { skip }, async (t) => {
  const exchange = await load();
  const bodies = [body('perp-tickers'), body('funding-current-bulk')];
  const context = { received: 0, instruments: contracts() };
  const { rows } = mexc.feeds.derivatives.parts.contracts.parse(bodies, context);
  t.match(rows, [{ market: 'ETH_USDT', mark: 3581.08, index: 3580.7852 }]);
  const theirs = fundingRate(exchange, listIn(bodies[1], 'data')[1]);
  near(t, rows[0]?.funding_rate, theirs.fundingRate, 'rate');
  near(t, rows[0]?.next_funding, theirs.fundingTimestamp, 'next');
  t.equal(`${rows[0]?.funding_hours}h`, theirs.interval);
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name, path, symbol, contract] of [
    ['spot', 'spot-orderbook', 'depth', 'BTC/USDT', 1],
    // ccxt leaves contracts as they are.
    ['contracts', 'perp-orderbook', 'depth/{symbol}', 'ETH/USDT:USDT', 0.01],
  ] as const) {
    const exchange = await load({ [path]: body(name) });
    const ask = { market: 'X', part, instrument: handMade('X', { contract }) };
    const ours = mexc.queries.orderBook.parse(body(name), ask);
    const theirs = await exchange.fetchOrderBook(symbol);
    sameBook(t, ours, theirs, (quantity) => quantity * contract);
    t.equal(ours.stated, theirs.timestamp ?? null);
  }
});

t.test('candles', { skip }, async (t) => {
  for (const [part, name, path, symbol, contract] of [
    ['spot', 'spot-candles', 'klines', 'BTC/USDT', 1],
    ['contracts', 'perp-candles', 'kline/{symbol}', 'ETH/USDT:USDT', 0.01],
  ] as const) {
    const wire = part === 'spot' ? listIn(body(name), '') : body(name);
    const exchange = await load({ [path]: wire });
    const ask = { market: 'X', part, instrument: handMade('X', { contract }) };
    const ours = mexc.queries.candles.parse(wire, ask);
    const theirs = await exchange.fetchOHLCV(symbol, '1m', 0);
    // ccxt leaves contracts as they are.
    sameBars(
      t,
      ours,
      theirs.map((row) => row.with(5, Number(row[5]) * contract)),
    );
    t.strictSame(
      ours.map((bar) => bar.turnover),
      part === 'spot' ? [168387.3] : [60793.623, 12260.4885, 10983.1375],
    );
  }
});

t.test('the refusals', { skip }, async (t) => {
  const { fault } = mexc.apis.spot;
  t.match(fault(400, body('error-spot')), { code: 'refused', message: 'MEXC error -1128' });
  t.match(fault(200, body('error-contract')), { code: 'refused', message: 'MEXC error 123456' });
});
