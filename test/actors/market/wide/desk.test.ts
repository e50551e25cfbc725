/** The desk as a whole: its duties, its upstreams, and what its requests need of them. */
import t from 'tap';
import { fundingStats, marginSizes } from '../../../../actors/market/borrow/bitfinex.ts';
import { deribitOptions } from '../../../../actors/market/options/deribit.ts';
import { okxOptions } from '../../../../actors/market/options/okx.ts';
import { borrowExchanges } from '../../../../actors/market/wide/borrow.ts';
import { wideUpstreams } from '../../../../actors/market/wide/desk.ts';
import { venues } from '../../../../actors/venues/registry.ts';
import type { Venue } from '../../../../actors/venues/venue.ts';
import { now } from '../fixtures.ts';
import { createStage } from './stage.ts';

t.test('every request goes to an api and a budget that its upstream has', async (t) => {
  const figures = [
    ...borrowExchanges,
    { id: 'deribit', figure: deribitOptions },
    { id: 'okx', figure: okxOptions },
    { id: 'bitfinex', figure: marginSizes('last') },
    { id: 'bitfinex', figure: marginSizes('hist') },
    { id: 'bitfinex', figure: fundingStats },
  ];
  const registry = new Map<string, Venue>(Object.entries(venues));
  for (const { id, figure } of figures) {
    for (const { api, path, budget = 'default' } of figure.requests({ now })) {
      const apis = new Map(Object.entries(registry.get(id)?.apis ?? {}));
      t.ok(Object.hasOwn(apis.get(api)?.budgets ?? {}, budget), `${id} ${path}`);
    }
  }
  t.equal(new Set(wideUpstreams.map((upstream) => upstream.id)).size, wideUpstreams.length);
});

t.test(
  'one round of all against upstreams that are down: no crash, nothing published',
  async (t) => {
    const stage = await createStage(t);
    const desk = stage.begin();
    for (const name of desk.names) t.ok(await desk.run(name), name);
    t.same(stage.published, []);
    stage.deaf = true;
    for (const name of desk.names) t.ok(await desk.run(name), name);
  },
);
