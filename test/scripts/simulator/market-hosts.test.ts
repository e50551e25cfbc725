/** Several venues on one host, tables of text, and how the market's upstreams refuse. */

import t from 'tap';
import { ShapeError } from '../../../actors/failure.ts';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { tableOf } from '../../../actors/providers/csv.ts';
import { yahoo } from '../../../actors/providers/yahoo.ts';
import { readFault } from '../../../actors/upstream/faults.ts';
import { startSimulator, venues } from '../../../scripts/simulator/main.ts';
import { FakeClock } from '../../support/clock.ts';

const now = Date.UTC(2026, 7, 14, 13, 37, 21);
const simulator = await startSimulator({ clock: new FakeClock(now), symbols: 12 });
t.teardown(() => simulator.close());

const get = async (path: string) => {
  const response = await fetch(`${simulator.url}/${path}`);
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type') ?? '', text };
};
const table = 'fred.stlouisfed.org/graph/fredgraph.csv?id=SP500,DGS10&cosd=2024-01-01';

t.test('ids are unique: answers go by them', async (t) => {
  const ids = venues.map(({ id }) => id);
  t.strictSame(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
  );
});

t.test('the first venue of a host that knows a path answers', async (t) => {
  const paths = {
    'api.llama.fi/cexs': /"cexs"/,
    'api.llama.fi/protocols': /"lido"/,
    'stablecoins.llama.fi/stablecoincharts/all': /"totalCirculatingUSD"/,
    'stablecoins.llama.fi/stablecoins': /"peggedAssets"/,
    'mempool.space/api/blocks/tip/height': /^\d{6}$/,
    'mempool.space/api/v1/mining/blocks/timestamp/1780000000': /^{"height":\d{6},"timestamp":"2026/,
    'api-pub.bitfinex.com/v2/stats1/pos.size:1m:tBTCUSD:long/last': /^\[\d{13},/,
  };
  for (const [path, content] of Object.entries(paths))
    t.match((await get(path)).text, content, path);
  t.match(await get('api.llama.fi/nothing'), { status: 404, text: /unknown path/ });
});

t.test('a fault of a host hits all of its venues, each in its own words', async (t) => {
  simulator.faults.set([{ host: 'mempool.space', kind: 'server_error' }]);
  t.equal((await get('mempool.space/api/blocks/tip/height')).status, 503);
  t.equal((await get('mempool.space/api/v1/mining/blocks/timestamp/1780000000')).status, 502);
  t.equal((await get('mempool.space/api/nothing')).status, 502, "the first venue's");
  simulator.faults.clear();
});

t.test('the truth is about venues with markets', async (t) => {
  const { text } = await get('_control/truth?venue=fred');
  t.match(text, /binance/);
  t.notMatch(text, /fred|chain:|coingecko/);
});

t.test('tables are text, with values missing in both ways', async (t) => {
  const { status, type, text } = await get(table);
  t.equal(status, 200);
  t.match(type, /^text\/csv/);
  const [head, ...rows] = text.trim().split('\n');
  t.equal(head, 'observation_date,SP500,DGS10');
  const values = rows.map((row) => row.split(',')[1]);
  t.ok(values.includes('') && values.includes('.'));
  t.ok(rows.every((row) => /^\d{4}-\d\d-\d\d,(\.|\d+\.\d\d|),(\.|\d\.\d\d|)$/.test(row)));
  t.equal((await get('fred.stlouisfed.org/graph/fredgraph.csv?id=NOPE')).status, 404);
});

t.test('faults of a table', async (t) => {
  for (const kind of ['wrong_shape', 'empty', 'garbage', 'html'] as const) {
    simulator.faults.set([{ host: 'fred.stlouisfed.org', kind }]);
    const { status, text } = await get(table);
    t.equal(status, 200);
    t.throws(() => tableOf(text, ['observation_date', 'SP500', 'DGS10']), ShapeError, kind);
  }
  simulator.faults.clear();
});

t.test('refusals are those that the upstreams document', async (t) => {
  const fault = (status: number, body: unknown) => readFault(coingecko.apis.rest, status, body);
  const far = await get('api.coingecko.com/api/v3/coins/bitcoin/market_chart?days=366');
  t.match(fault(far.status, JSON.parse(far.text)), { code: 'refused', status: 401 });
  const unknown = await get('query1.finance.yahoo.com/v8/finance/chart/NOPE?range=2y&interval=1d');
  const error = readFault(yahoo.apis.rest, unknown.status, JSON.parse(unknown.text));
  t.match(error, { code: 'unknown_instrument', status: 404 });
  const wrong = [
    'api.blockchain.info/charts/nothing',
    'api.bitget.com/api/v3/market/margin-loans?coin=NOPE',
    'api.gateio.ws/api/v4/unified/history_loan_rate?currency=USDT&limit=101',
    'api-pub.bitfinex.com/v2/stats1/pos.size:7m:tBTCUSD:long/last',
    'api.frankfurter.dev/v1/2026-08-10..2026-08-14?base=EUR&symbols=USD',
  ];
  for (const path of wrong) t.ok((await get(path)).status >= 400, path);
});
