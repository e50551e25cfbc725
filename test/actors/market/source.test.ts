/** The source as a whole: its jobs, its upstreams, and what its requests need of them. */
import t from 'tap';
import { marketSource } from '../../../actors/market/source.ts';
import { marketStage } from './stage.ts';

t.test('a round with all upstreams down: no crash, nothing published', async (t) => {
  const stage = marketStage();
  const context = stage.begin();
  const jobs = [
    'fear-greed',
    'bitcoin-dominance',
    'altcoin-season',
    'stablecoin-mcap',
    'exchange-transparency',
    'options-futures-oi-ratio',
    'futures-spot-volume-ratio',
    'borrow-rates',
    'network-metrics-btc',
    'network-metrics-eth',
  ];
  t.strictSame(context.names, [...jobs, 'bitfinex-margin-btc', 'bitfinex-margin-eth']);
  const few = marketSource({ tickers: stage.tickers, venues: new Set() });
  const names = few.jobs(context.context).map(({ name }) => name);
  t.strictSame([few.id, names], ['market-wide', jobs]);
  for (const name of context.names) t.ok(await context.run(name), name);
  t.same(stage.published, []);
  stage.deaf = true;
  for (const name of context.names) t.ok(await context.run(name), name);
});
