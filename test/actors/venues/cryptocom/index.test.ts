import t from 'tap';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { resultOf } from '../../../../actors/venues/cryptocom/streams.ts';
import { likeRows, sameRows } from '../../../support/table.ts';
import {
  bodiesOf,
  contextOf,
  derivativesOf,
  instrumentOf,
  kindsOf,
  pricesOf,
  received,
} from '../fixtures.ts';
import { rounded } from '../stream-suite.ts';
import { wholeVenue } from '../suite/index.ts';

const { feeds } = cryptocom;

t.test('the markets that are followed', async (t) => {
  t.strictSame(kindsOf(cryptocom, 'all'), {
    // BTC_USD: an answer without product_type
    spot: 'BTC_USDT BTC_USD ETH_BTC IDLE_USD',
    // OLD_USD: not tradable; ODDUSD-PERP: a contract size whose meaning is not known; TSLAUSD-PERP: an equity
    // BTCUSD-250627: dated
    other: 'OLD_USD ODDUSD-PERP TSLAUSD-PERP OLDUSD-PERP BTCUSD-250627',
    perpetual: 'BTCUSD-PERP 1000PEPEUSD-PERP SOLUSD-PERP',
  });
});

t.test('instruments', async (t) => {
  sameRows(t, [
    instrumentOf(cryptocom, 'all', 'BTC_USDT'),
    instrumentOf(cryptocom, 'all', '1000PEPEUSD-PERP'),
  ])`
    market           kind      symbol quote scale contract inverse funding_hours tick
    BTC_USDT         spot      BTC    USDT  1     1        false   - 0.01
    1000PEPEUSD-PERP perpetual PEPE   USD   1000  1        false   - 0.01/1000 // funding_hours: not in the list: always 1
  `;
});

t.test('prices', async (t) => {
  const { rows, dropped } = pricesOf(cryptocom, 'all');
  const [btc, usd, perpetual, pepe, ...none] = rows;
  sameRows(t, btc)`
    market   kind symbol quote price     bid       ask       high      low      base volume      change stated
    // change: a fraction on the wire
    BTC_USDT spot BTC    USDT  104_000.5 103_999.4 104_001.7 104_488.8 99_875.5 15   1_543_807.5 3.75   1_750_000_000_321
  `;
  t.match(usd, { market: 'BTC_USD', volume: 208_600, change: -1 });
  sameRows(t, rounded(perpetual))`
    market      kind      symbol quote price   bid       ask        high      low       base  volume    change stated
    BTCUSD-PERP perpetual BTC    USD   104_010 104_009.5 104_010.75 104_511.5 99_840.25 50.25 5_169_300 4.12   1_750_000_000_321
  `;
  likeRows(t, rounded(pepe))`
    symbol price     bid        ask        high      low       base          volume change
    PEPE   0.0000125 0.00001249 0.00001252 0.0000129 0.0000121 1_000_000_000 12_470 - // price: 0.0125 / 1000; base: 1,000,000 x 1000
  `;
  t.strictSame(none, []);
  t.strictSame(dropped, [{ key: 'SOLUSD-PERP', code: 'bad_row' }], 'what never traded is silent');
  const idle = { result: { data: [{ i: 'BTC_USD', a: null, v: '0' }] } };
  const context = { received: 0, instruments: contextOf(cryptocom, 'all').instruments };
  t.throws(() => feeds.prices.parts.all.parse([idle], context), { name: 'ShapeError' });
});

t.test('derivatives: a fraction per hour, eight of them are 8 hours', async (t) => {
  const { rows, dropped } = derivativesOf(cryptocom, 'all');
  t.strictSame(dropped, []);
  sameRows(t, rounded(rows))`
    market           symbol quote mark       index      funding_rate funding_hours funding_rate_8h next_funding      stated
    // index: answered as BTCUSD-INDEX; funding_rate_8h: -0.000001884 x 8
    // next_funding: the hour after 1,750,000,001,000; stated: the mark's time; the rate's is 1,749,999,600,000
    BTCUSD-PERP      BTC    USD   104_012.25 104_005.5  -0.000001884 1             -0.000015072    1_750_003_200_000 1_750_000_000_000
    // mark: 0.0125 for a thousand
    1000PEPEUSD-PERP PEPE   USD   0.0000125  0.00001248 0.0000125    1             0.0001          1_750_003_200_000 1_750_000_000_000
    // funding_rate: a real zero
    SOLUSD-PERP      SOL    USD   150.05     -          0            1             0               1_750_003_200_000 1_750_000_000_000
  `;
});

t.test('what fails of a market costs neither its other numbers nor another market', async (t) => {
  const [funding, mark, index, ...others] = bodiesOf(cryptocom, 'all-derivatives');
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const read = (...first: unknown[]) =>
    feeds.derivatives.parts.all.parse([...first, ...others], context).derivatives;
  const numbers = (...first: unknown[]) => {
    const { rows, dropped } = read(...first);
    t.strictSame(dropped, []);
    t.strictSame(
      rows.slice(1).map((row) => row.market),
      ['1000PEPEUSD-PERP', 'SOLUSD-PERP'],
    );
    const [row] = rows;
    return [row?.market, row?.mark, row?.index, row?.funding_rate, row?.stated];
  };
  const market = 'BTCUSD-PERP';
  const [made, newest] = [1_749_999_600_000, 1_750_000_000_000];
  t.strictSame(
    numbers(undefined, mark, index),
    [market, 104_012.25, 104_005.5, null, newest],
    'no rate',
  );
  t.strictSame(
    numbers(funding, undefined, index),
    [market, null, 104_005.5, -0.000001884, newest],
    'no mark',
  );
  t.strictSame(
    numbers(funding, mark, undefined),
    [market, 104_012.25, null, -0.000001884, newest],
    'no index',
  );
  t.strictSame(
    numbers(funding, undefined, undefined),
    [market, null, null, -0.000001884, made],
    'the rate alone, with its own time',
  );
  t.strictSame(
    numbers(undefined, undefined, index),
    [market, null, 104_005.5, null, newest],
    'the index alone',
  );
  const none = read(undefined, undefined, undefined);
  t.strictSame([none.rows.length, none.dropped], [2, []], 'nothing: in silence');
});

t.test('what cannot be read is named', async (t) => {
  const bodies = bodiesOf(cryptocom, 'all-derivatives').slice(0, 3);
  const context = { received, instruments: contextOf(cryptocom, 'all').instruments };
  const dropped = (...more: unknown[]) =>
    feeds.derivatives.parts.all.parse([...bodies, ...more], context).derivatives.dropped;
  const empty = { result: { data: [], instrument_name: 'SOLUSD-PERP' } };
  t.strictSame(dropped(empty, undefined, empty), [{ key: 'SOLUSD-PERP', code: 'bad_row' }]);
  t.strictSame(dropped('<html>', '<html>', undefined), [{ key: '', code: 'bad_row' }]);
  const unknown = { result: { data: [{ v: '1', t: 1 }], instrument_name: 'NEWUSD-INDEX' } };
  t.strictSame(dropped(undefined, undefined, unknown), [
    { key: 'NEWUSD-PERP', code: 'unknown_instrument' },
  ]);
});

t.test('the end of a subscription is no result', async (t) => {
  t.equal(resultOf({ id: 2, method: 'unsubscribe', code: 0 }), null);
});

wholeVenue(t, cryptocom);
