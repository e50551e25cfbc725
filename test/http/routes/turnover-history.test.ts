/** Turnover of exchanges over time. */
import t from 'tap';
import { turnoverHistoryRoutes } from '../../../http/routes/markets/turnover-history.ts';
import { seriesReply } from '../../support/http-makers.ts';
import { now } from '../../support/makers.ts';
import { type Replies, rowReader } from '../../support/row-reader.ts';

const hour = 3_600_000;
const times = [now - (now % hour) - hour, now - (now % hour)];
const registry = [
  { id: 'a', kinds: ['spot', 'perpetual'] },
  { id: 'b', kinds: ['spot'] },
  { id: 'c', kinds: ['perpetual'] },
];

t.test('the turnovers of each exchange and their sum', async (t) => {
  let asked: object = {};
  const reply: Replies = ({ params }) => {
    asked = params;
    return seriesReply('exchange-turnover', hour, Object(params).keys, {
      'a/spot': { times, columns: { usd: [500, 700] } },
      'b/spot': { times: times.slice(1), columns: { usd: [30] } },
    });
  };
  const read = rowReader(turnoverHistoryRoutes({ registry }), { reply });
  const data = await read('/v1/exchanges/volume-history');
  t.match(asked, {
    series: 'exchange-turnover',
    keys: ['a/spot', 'b/spot'],
    step: '1h',
    limit: 100,
  });
  t.match(data, { kind: 'spot', interval: '1h', count: 2, coverage: { expected: 40, present: 3 } });
  t.strictSame(data.points, [
    { timestamp: times[0], volume_24h_usd: 500, exchange_count: 1, exchanges: { a: 500 } },
    { timestamp: times[1], volume_24h_usd: 730, exchange_count: 2, exchanges: { a: 700, b: 30 } },
  ]);
  t.match(await read('/v1/exchanges/volume-history?kind=perpetual&exchange=c'), {
    kind: 'perpetual',
    count: 0,
    note: /recording started at/,
  });
  t.match(asked, { keys: ['c/perpetual'] });
  // It has spot markets alone.
  t.match(await read('/v1/exchanges/volume-history?kind=perpetual&exchange=b'), {
    message: "exchange 'b' is none of a, c",
  });
});
