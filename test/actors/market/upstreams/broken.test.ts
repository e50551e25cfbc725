/** No figure reads a body that is not its own: an error page, a list without rows, an error inside a 200. */
import t from 'tap';
import { bitfinexBorrow, fundingStats } from '../../../../actors/market/borrow/bitfinex.ts';
import { bybitBorrow } from '../../../../actors/market/borrow/bybit.ts';
import { gateBorrow } from '../../../../actors/market/borrow/gate.ts';
import { okxBorrow, okxLending } from '../../../../actors/market/borrow/okx.ts';
import { deribitOptions } from '../../../../actors/market/options/deribit.ts';
import { okxOptions } from '../../../../actors/market/options/okx.ts';
import {
  defineUpstream,
  type Figure,
  type MarketUpstream,
} from '../../../../actors/market/upstream.ts';
import { alternativeMe } from '../../../../actors/market/upstreams/alternative-me.ts';
import { blockchainInfo } from '../../../../actors/market/upstreams/blockchain-info.ts';
import { coingecko } from '../../../../actors/market/upstreams/coingecko.ts';
import { coinlore } from '../../../../actors/market/upstreams/coinlore.ts';
import { coinmetrics } from '../../../../actors/market/upstreams/coinmetrics.ts';
import { coinpaprika } from '../../../../actors/market/upstreams/coinpaprika.ts';
import { defillama } from '../../../../actors/market/upstreams/defillama.ts';
import { frankfurter } from '../../../../actors/market/upstreams/frankfurter.ts';
import { fred } from '../../../../actors/market/upstreams/fred.ts';
import { mempool } from '../../../../actors/market/upstreams/mempool.ts';
import { yahoo } from '../../../../actors/market/upstreams/yahoo.ts';
import { context, now } from '../fixtures.ts';

const upstreams: MarketUpstream[] = [
  alternativeMe,
  blockchainInfo,
  coingecko,
  coinlore,
  coinmetrics,
  coinpaprika,
  defillama,
  frankfurter,
  fred,
  mempool,
  yahoo,
];
const loans: Record<string, Figure<unknown>> = {
  bitfinexBorrow,
  fundingStats,
  bybitBorrow,
  gateBorrow,
  okxBorrow,
  okxLending,
  deribitOptions,
  okxOptions,
};
const figures: [name: string, figure: Figure<unknown>][] = [
  ...upstreams.flatMap(({ id, figures }) =>
    Object.entries(figures).map(([name, figure]): [string, Figure<unknown>] => [
      `${id} ${name}`,
      figure,
    ]),
  ),
  ...Object.entries(loans),
];

const bodies = [
  null,
  'maintenance',
  '<html></html>',
  0,
  [],
  {},
  [null],
  { data: null },
  { data: [] },
];

t.test('a body of another shape is refused or leaves no row', async (t) => {
  for (const [name, figure] of figures) {
    const { length } = figure.requests({ now, to: now, items: ['BTC'] });
    for (const broken of bodies) {
      const all = Array(Math.max(length, 1)).fill(broken);
      let rows: unknown[] = [];
      try {
        rows = figure.parse(all, context({ to: now, items: ['BTC'] })).rows;
      } catch (error) {
        t.match(error, { name: 'ShapeError' }, `${name} ${JSON.stringify(broken)}`);
      }
      t.same(rows, [], `${name} ${JSON.stringify(broken)}`);
    }
  }
});

t.test('every request goes to an api of its upstream', async (t) => {
  for (const { id, apis, figures } of upstreams) {
    for (const [name, figure] of Object.entries(figures)) {
      const requests = figure.requests({ now, from: 0, to: 0 });
      t.ok(requests.length > 0, `${id} ${name}`);
      for (const request of requests) {
        t.ok(Object.hasOwn(apis, request.api), `${id} ${name}`);
        t.match(request.path, /^\//);
      }
    }
  }
});

t.test('an upstream without hosts or budget is refused at load', async (t) => {
  const api = { hosts: ['https://a.example'], budgets: {}, fault: () => null };
  const upstream = { id: 'x', name: 'X', figures: {} };
  t.throws(() => defineUpstream({ ...upstream, apis: { rest: api } }), { message: /x: .*budget/ });
  t.throws(() => defineUpstream({ ...upstream, apis: { rest: { ...api, hosts: [] } } }), {
    message: /x: .*hosts/,
  });
});
