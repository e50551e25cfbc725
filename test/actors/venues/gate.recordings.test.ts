/** Recorded answers of Gate, read by us and by ccxt. */
import t from 'tap';
import type { Instrument } from '../../../actors/topics.ts';
import { gate } from '../../../actors/venues/gate.ts';
import { absent } from '../../support/recordings.ts';
import { replayed } from './ccxt.ts';
import { handMade, listIn, near, recorded, sameBars, sameBook } from './oracle.ts';

const skip = absent;
/** BTC_USDT, and 0G_USDT with the keys of today. */
const contracts = ['perp-contracts-funding', 'perp-contracts'] as const;
const rowsIn = (name: string) => listIn(recorded('gate', name), '');
const contractRows = () => contracts.flatMap((name) => rowsIn(name));

const load = (more: Readonly<Record<string, string>> = {}) =>
  replayed('gate', (path, { settle }) => {
    const name = more[path];
    if (name) return recorded('gate', name);
    if (path === 'currency_pairs') return recorded('gate', 'spot-pairs');
    return path === '{settle}/contracts' && settle === 'usdt' ? contractRows() : [];
  });

function instruments(part: 'spot' | 'usdt'): Map<string, Instrument> {
  const context = { received: 0, instruments: new Map() };
  const body = part === 'spot' ? recorded('gate', 'spot-pairs') : contractRows();
  const { rows, dropped } = gate.feeds.instruments.parts[part].parse([body], context);
  t.strictSame(dropped, []);
  return new Map(rows.map((row) => [row.market, row]));
}
const ask = (part: 'spot' | 'usdt') => ({
  market: 'BTC_USDT',
  part,
  instrument: instruments(part).get('BTC_USDT') ?? null,
});

t.test('instruments', { skip }, async (t) => {
  const exchange = await load();
  for (const part of ['spot', 'usdt'] as const) {
    for (const ours of instruments(part).values()) {
      const type = part === 'spot' ? 'spot' : 'contract';
      const theirs = exchange.safeMarket(ours.market, undefined, '_', type);
      t.equal(ours.symbol, theirs.base, ours.market);
      t.equal(ours.quote, theirs.quote);
      t.equal(ours.kind !== 'other', theirs.active);
      t.equal(ours.inverse, theirs.inverse ?? false);
      t.equal(ours.contract, theirs.contractSize ?? 1);
      t.equal(ours.funding_hours, part === 'spot' ? null : 8);
    }
  }
});

t.test('tickers', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, known] of [
    // A leveraged token, which we do not follow: taken as if it were a coin.
    ['spot', 'spot-tickers', new Map([['BTC3L_USDT', handMade('BTC3L_USDT')]])],
    ['usdt', 'perp-tickers', instruments('usdt')],
  ] as const) {
    const body = recorded('gate', name);
    const context = { received: 0, instruments: known };
    const { rows, dropped } = gate.feeds.prices.parts[part].parse([body], context);
    t.strictSame(dropped, []);
    t.equal(rows.length, 1);
    const theirs = exchange.parseTicker(rowsIn(name)[0] ?? {});
    near(t, rows[0]?.price, theirs.last, `${name} last`);
    near(t, rows[0]?.volume, theirs.quoteVolume, `${name} volume`);
    near(t, rows[0]?.change, theirs.percentage, `${name} change`);
    t.equal(rows[0]?.stated, null, 'no row has a time');
  }
  const unfollowed = { received: 0, instruments: new Map() };
  const spot = gate.feeds.prices.parts.spot.parse([recorded('gate', 'spot-tickers')], unfollowed);
  t.strictSame([spot.rows, spot.dropped], [[], []], 'by its name it is a leveraged token');
});

t.test('derivatives', { skip }, async (t) => {
  const exchange = await load();
  const context = { received: 0, instruments: instruments('usdt') };
  const { rows } = gate.feeds.derivatives.parts.usdt.parse([contractRows(), []], context);
  const all = exchange.parseFundingRates(contractRows());
  t.equal(rows.length, 2);
  for (const ours of rows) {
    const theirs = all[exchange.safeSymbol(ours.market, undefined, '_', 'swap')];
    near(t, ours.mark, theirs?.markPrice, `${ours.market} mark`);
    near(t, ours.index, theirs?.indexPrice, `${ours.market} index`);
    near(t, ours.funding_rate, theirs?.fundingRate, `${ours.market} rate`);
    near(t, ours.next_funding, theirs?.fundingTimestamp, `${ours.market} next funding`);
    t.equal(`${ours.funding_hours}h`, theirs?.interval);
  }
});

t.test('open interest: contracts of one side', { skip }, async (t) => {
  const context = { received: 0, instruments: instruments('usdt') };
  const { rows } = gate.feeds.openInterest.parts.usdt.parse([contractRows(), []], context);
  // ccxt reads the history, where open_interest counts both sides in contracts.
  const [btc, zero] = rows;
  near(t, btc?.units, 5223816 * 0.0001, 'BTC');
  near(t, btc?.value, 5223816 * 0.0001 * 37985.6, 'BTC value');
  near(t, zero?.units, 783779, '0G');
  near(t, zero?.value, 783779 * 0.2048, '0G value');
});

t.test('order books', { skip }, async (t) => {
  for (const [part, name, path, symbol] of [
    ['spot', 'spot-orderbook', 'order_book', 'BTC/USDT'],
    ['usdt', 'perp-orderbook', '{settle}/order_book', 'BTC/USDT:USDT'],
  ] as const) {
    const exchange = await load({ [path]: name });
    const ours = gate.queries.orderBook.parse(recorded('gate', name), ask(part));
    const theirs = await exchange.fetchOrderBook(symbol);
    // ccxt leaves contracts as they are: 0.0001 BTC each.
    const contract = part === 'spot' ? 1 : 0.0001;
    sameBook(t, ours, theirs, (quantity) => quantity * contract);
    near(t, ours.stated, theirs.timestamp, `${part} time`);
  }
});

t.test('candles', { skip }, async (t) => {
  const exchange = await load();
  for (const [part, name, symbol] of [
    ['spot', 'spot-candles', 'BTC/USDT'],
    ['usdt', 'perp-candles', 'BTC/USDT:USDT'],
  ] as const) {
    const body = recorded('gate', name);
    const rows = Array.isArray(body) ? body : [];
    const theirs = exchange.parseOHLCVs(rows, exchange.market(symbol));
    // ccxt leaves contracts as they are.
    const inBase = theirs.map((row) => row.with(5, (row[5] ?? 0) * (part === 'spot' ? 1 : 0.0001)));
    const ours = gate.queries.candles.parse(body, ask(part));
    sameBars(t, ours, inBase);
    t.equal(ours[0]?.turnover, part === 'spot' ? 1157762.868212 : 3580);
  }
});

t.test('the refusal', { skip }, async (t) => {
  const { fault } = gate.apis.spot;
  t.match(fault(400, recorded('gate', 'error')), { code: 'refused' });
});
