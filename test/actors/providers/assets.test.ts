/** Upstreams of traditional assets, on bodies of our own. */

import t from 'tap';
import { assetIds } from '../../../actors/providers/assets.ts';
import { frankfurter } from '../../../actors/providers/frankfurter.ts';
import { fred } from '../../../actors/providers/fred.ts';
import { yahoo } from '../../../actors/providers/yahoo.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import { dayOf } from '../../../indicators/market/days.ts';
import { body, context, near, now, table } from '../market/fixtures.ts';

t.test('FRED: a table each, holidays left out', async (t) => {
  const { closes } = fred.polls;
  const plan = { now, items: ['sp500', 'us10y', 'gold'], from: dayOf('2025-06-12') };
  t.same(
    closes.requests(plan).map(({ query }) => query),
    [
      { id: 'SP500', cosd: '2025-06-12' },
      { id: 'DGS10', cosd: '2025-06-12' },
    ],
  );
  t.equal(closes.requests({ now }).length, 6);
  const parse = (...bodies: unknown[]) => closes.parse(bodies, { ...context(), plan });
  const yields = 'observation_date,DGS10\n2025-06-12,\n2025-06-13,4.41\n2025-06-16,x\n';
  const { rows, dropped } = parse(table('fred/closes'), yields);
  t.same(rows, [
    { asset: 'sp500', day: dayOf('2025-06-12'), value: 6045.26 },
    { asset: 'sp500', day: dayOf('2025-06-13'), value: 5976.97 },
    { asset: 'us10y', day: dayOf('2025-06-13'), value: 4.41 },
  ]);
  t.same(dropped, [{ key: 'us10y 2025-06-16', code: 'bad_row' }]);
  const renamed = table('fred/closes').replace('observation_date', 'DATE');
  t.same(parse(renamed, yields).rows, rows, 'as the column was called');
  t.same(parse(undefined, yields).rows, rows.slice(2), 'the other one, without an answer of one');
});

t.test(
  'FRED: a page of HTML with status 200 is not a table, nor are columns without rows',
  async (t) => {
    const [head] = table('fred/closes').split('\n');
    const other = 'observation_date,DJIA\n2025-06-12,1\n';
    const zip = 'PK\u0003\u0004';
    for (const broken of ['<!doctype html><html></html>', '', head, other, zip, null, {}])
      t.throws(() => fred.polls.closes.parse([broken], context()), { name: 'ShapeError' });
  },
);

t.test('Yahoo: the session of a day that is over', async (t) => {
  const plan = { items: ['sp500', 'nasdaq'] };
  // Midnight in New York.
  const received = { received: Date.parse('2025-06-17T04:00:00Z'), plan: { now, ...plan } };
  const { rows } = yahoo.polls.closes.parse([body('yahoo/chart'), undefined], received);
  t.same(rows, [
    { asset: 'sp500', day: dayOf('2025-06-12'), value: 6045.25 },
    { asset: 'sp500', day: dayOf('2025-06-16'), value: 6033.5 },
  ]);
  const result = {
    meta: { exchangeTimezoneName: 'UTC' },
    timestamp: [dayOf('2025-06-12') / 1000],
    indicators: { quote: [{ close: ['none'] }] },
  };
  const unread = yahoo.polls.closes.parse([{ chart: { result: [result] } }, undefined], received);
  t.match(unread, { rows: [], dropped: [{ code: 'bad_row' }] });
  const late = {
    // 23:00 UTC, when it is eight in the morning of the next day in Tokyo.
    meta: { gmtoffset: 9 * 3_600, exchangeTimezoneName: 'Asia/Tokyo' },
    timestamp: [dayOf('2025-06-12') / 1000 + 23 * 3_600],
    indicators: { quote: [{ close: [38_000] }] },
  };
  const days = yahoo.polls.closes.parse([{ chart: { result: [late] } }, undefined], received).rows;
  t.match(days, [{ day: dayOf('2025-06-13') }], 'the day of the exchange');
  const gold = {
    // Midnight in New York: 04:00 UTC in summer, 05:00 in winter. `gmtoffset` is that of the time of the answer.
    meta: { gmtoffset: -5 * 3_600, exchangeTimezoneName: 'America/New_York' },
    timestamp: ['2025-01-15T05:00:00Z', '2025-06-12T04:00:00Z'].map((at) => Date.parse(at) / 1000),
    indicators: { quote: [{ close: [2_693.5, 3_402.25] }] },
  };
  const closes = yahoo.polls.closes.parse([{ chart: { result: [gold] } }, undefined], received);
  t.match(
    closes.rows,
    [
      { day: dayOf('2025-01-15'), value: 2_693.5 },
      { day: dayOf('2025-06-12'), value: 3_402.25 },
    ],
    'each session by the offset of its own time',
  );
  const evening = {
    // The open session of Tuesday, asked on Monday at 19:30 in New York: its row has the time of the answer.
    meta: { exchangeTimezoneName: 'America/New_York' },
    timestamp: ['2025-06-13T04:00:00Z', '2025-06-16T04:00:00Z', '2025-06-16T23:30:00Z'].map(
      (at) => Date.parse(at) / 1000,
    ),
    indicators: { quote: [{ close: [3_452.5, 3_417.25, 3_391] }] },
  };
  const at = (received: string) =>
    yahoo.polls.closes
      .parse([{ chart: { result: [evening] } }, undefined], {
        received: Date.parse(received),
        plan: { now, ...plan },
      })
      .rows.map(({ day }) => day);
  t.same(at('2025-06-17T00:30:00Z'), [dayOf('2025-06-13')], 'Monday in New York is not over');
  for (const exchangeTimezoneName of [undefined, 'Nowhere/Else']) {
    const unknown = { chart: { result: [{ ...gold, meta: { exchangeTimezoneName } }] } };
    t.throws(() => yahoo.polls.closes.parse([unknown, undefined], received), {
      name: 'ShapeError',
    });
  }
  const requests = yahoo.polls.closes.requests({ now, ...plan });
  t.same(
    requests.map(({ path }) => path),
    ['/v8/finance/chart/%5EGSPC', '/v8/finance/chart/%5EIXIC'],
  );
  t.equal(yahoo.polls.closes.requests({ now }).length, assetIds.length - 2, 'no dollar index');
  const missing = { chart: { result: null, error: { code: 'Not Found', description: '' } } };
  t.equal(readFault(yahoo.apis.rest, 404, missing)?.code, 'unknown_instrument');
  t.equal(readFault(yahoo.apis.rest, 200, body('yahoo/chart')), null);
  t.throws(() => yahoo.polls.closes.parse([missing], received), { name: 'ShapeError' });
});

t.test('the dollar index out of the fixings', async (t) => {
  const { rows, dropped } = frankfurter.polls.dollar.parse([body('frankfurter/rates')], context());
  t.equal(rows.length, 1);
  t.same(dropped, [{ key: '2025-06-13', code: 'bad_row' }], 'a franc for nothing');
  // Python: 50.14348112*(1/.8649)**-.576*143.5**.136*(1/.7364)**-.119*1.3634**.091*9.48**.042*.8116**.036
  t.ok(near(rows[0]?.value, 98.04788248573543), String(rows[0]?.value));
  const [request] = frankfurter.polls.dollar.requests({ now, from: dayOf('2025-06-01') });
  t.equal(request?.path, '/v1/2025-06-01..2025-06-14');
});
