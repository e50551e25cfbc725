/** What is made of recorded open interest: fundings weighted by it, and its own bars. */
import t from 'tap';
import { interestBarRoutes } from '../../../http/routes/analytics/interest-history.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { FakeClock } from '../../support/clock.ts';
import { perpetualsOf, recordedReplies, seriesReply } from '../../support/http-makers.ts';
import { now } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';
import { sameRows } from '../../support/table.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const registry = ['a', 'b', 'c'].map((id) => ({ id, kinds: ['perpetual'] }));
const perpetuals = perpetualsOf([
  { source: 'a' },
  { source: 'a', market: 'BTC-C', inverse: true },
  { source: 'b' },
  { source: 'c' },
]);
const context = { perpetuals, registry, clock: new FakeClock(now) };

t.test('settled rates weighted by the open interest of their own time', async (t) => {
  const start = now - (now % day);
  const times = [start, start + 8 * hour, start + 16 * hour];
  const rows = (rate: (number | null)[], hours = 8) => ({
    times,
    columns: { rate, hours: rate.map(() => hours) },
  });
  const open = (...usd: (number | null)[]) => ({ times, columns: { usd } });
  const read = rowReader(fundingRoutes(context), {
    reply: recordedReplies(8 * hour, {
      funding: {
        'a/stable/BTC': rows([0.0001, 0.0004, 0.0007]),
        'a/coin/BTC': rows([0.0003, null, null]),
        // Of four hours: 0.0006 and 0.0012 of eight.
        'b/stable/BTC': rows([0.0003, 0.0006, null], 4),
        'c/stable/BTC': rows([0.0009, null, null]),
      },
      'open-interest': {
        'a/stable/BTC': open(500, 300, null),
        'a/coin/BTC': open(200, 200, 200),
        'b/stable/BTC': open(300, 100, 100),
        'c/stable/BTC': open(null, 800, 800),
      },
    }),
  });
  const data = await read('/v1/funding-rates/oi-weighted-history?symbol=btc');
  t.match(data, { symbol: 'BTC', interval: '8h', count: 2 });
  // (1 x 500 + 3 x 200 + 6 x 300) / 1,000 = 2.9; (4 x 300 + 12 x 100) / 400 = 6. The third has no weight: it is left out.
  sameRows(t, data.points)`
    timestamp           funding_rate_8h annualized average_rate_8h   open_interest_usd exchange_count
    ${start}            0.00029         0.31755    0.000333333333333 1000              2
    ${start + 8 * hour} 0.0006          0.657      0.0008            400               2
  `;
  // 20 rows expected of each of four keys in both series; 3 of each there.
  t.match(data.coverage, { expected: 160, present: 24, complete: false });
  const one = await read('/v1/funding-rates/oi-weighted-history?symbol=BTC&exchange=b');
  t.match(one.points, [{ funding_rate_8h: 0.0006 }, { funding_rate_8h: 0.0012 }]);
});

t.test('without recorded open interest there is no weighted rate', async (t) => {
  const read = rowReader(fundingRoutes(context), {
    reply: recordedReplies(8 * hour, { funding: {} }),
  });
  t.match(await read('/v1/funding-rates/oi-weighted-history'), { error: 'store_unavailable' });
});

/** Samples of five minutes. */
const sampled = (from: number, usd: readonly (number | null)[]) => ({
  times: usd.map((_, at) => from + at * 5 * minute),
  columns: { usd, base: usd.map(() => 1) },
});

t.test(
  'bars open with the sample before them, and count whom all their samples have',
  async (t) => {
    const last = now - (now % (15 * minute));
    const from = last - 20 * minute;
    let asked: unknown;
    const rows = recordedReplies(5 * minute, {
      'open-interest': {
        'a/stable/BTC': sampled(from, [100, 110, 90, 120, 130, 125]),
        'a/coin/BTC': sampled(from, [10, 11, 12, 13, 14, 15]),
        // It joins within the first bar: only the second one has it.
        'b/stable/BTC': sampled(from + 10 * minute, [1_000, 1_100, 900, 1_200]),
      },
    });
    const reply: Replies = (question) => {
      asked = question.params;
      return rows(question);
    };
    const read = rowReader(
      interestBarRoutes({ ...context, clock: new FakeClock(last + 9 * minute) }),
      {
        reply,
      },
    );
    const data = await read('/v1/open-interest/ohlc?symbol=btc&interval=15m');
    t.match(asked, { series: 'open-interest', step: '5m', limit: 301 });
    t.match(data, { symbol: 'BTC', interval: '15m', count: 2 });
    // The samples at -20 (opening), -15, -10, -5 minutes: 110, 121, 102, 133; then 133 + 1,100 (opening), 144 + 900, 140 + 1,200.
    sameRows(t, data.points)`
    timestamp              open high low  close samples exchange_count closed
    ${last - 15 * minute}  110  133  102  133   3       1              true
    ${last}                1233 1340 1044 1340  2       2              false
  `;
    t.match(Object.keys(data.coverage_by_exchange), ['a', 'b', 'c']);
    const one = await read('/v1/open-interest/ohlc?symbol=BTC&interval=15m&exchange=b');
    t.match(one.points, [{ timestamp: last, open: 1_100, high: 1_200, low: 900, close: 1_200 }]);
    t.match(await read('/v1/open-interest/ohlc?symbol=NOSUCHCOIN'), {
      error: 'unknown_symbol',
      message: /NOSUCHCOIN/,
    });
  },
);

t.test(
  'a range of bars begins with the sample before it; long bars are made of hours',
  async (t) => {
    const asked: object[] = [];
    const reply: Replies = ({ params }) => {
      asked.push(Object(params));
      return seriesReply('open-interest', hour, Object(params).keys, {});
    };
    const read = rowReader(interestBarRoutes(context), { reply });
    const start = now - (now % day) - 2 * day;
    const data = await read(
      `/v1/open-interest/ohlc?symbol=BTC&interval=4h&limit=3&from=${start - 5}&to=${start + 8 * hour}`,
    );
    t.strictSame(data.points, []);
    t.match(asked, [{ step: '1h', limit: 13, from: start - hour, to: start + 12 * hour - 1 }]);
  },
);
