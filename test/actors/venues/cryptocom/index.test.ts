import t from 'tap';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { resultOf } from '../../../../actors/venues/cryptocom/streams.ts';
import { sameRows } from '../../../support/table.ts';
import { bodiesOf, contextOf, instrumentOf, kindsOf, received } from '../fixtures.ts';
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

t.test('the end of a subscription is no result', async (t) => {
  t.equal(resultOf({ id: 2, method: 'unsubscribe', code: 0 }), null);
});

wholeVenue(t, cryptocom);
