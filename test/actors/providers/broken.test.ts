/** No figure reads a body that is not its own: an error page, a list without rows, an error inside a 200. */
import t from 'tap';
import { alternativeMe } from '../../../actors/providers/alternative-me.ts';
import { blockchainInfo } from '../../../actors/providers/blockchain-info.ts';
import { coingecko } from '../../../actors/providers/coingecko.ts';
import { coinlore } from '../../../actors/providers/coinlore.ts';
import { coinmetrics } from '../../../actors/providers/coinmetrics.ts';
import { coinpaprika } from '../../../actors/providers/coinpaprika.ts';
import { defillama } from '../../../actors/providers/defillama/index.ts';
import { frankfurter } from '../../../actors/providers/frankfurter.ts';
import { fred } from '../../../actors/providers/fred.ts';
import { mempool } from '../../../actors/providers/mempool.ts';
import { yahoo } from '../../../actors/providers/yahoo.ts';
import type { Poll } from '../../../actors/sources/define.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { dayOf } from '../../../indicators/market/days.ts';
import { body, context, now } from '../market/fixtures.ts';
import { flawsOf } from '../venues/suite/damage.ts';

interface Upstream {
  id: string;
  polls: Readonly<Record<string, Poll<unknown>>>;
}

const upstreams: Upstream[] = [
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
const polls: [name: string, poll: Poll<unknown>][] = [
  ...upstreams.flatMap(({ id, polls }) =>
    Object.entries(polls).map(([name, poll]): [string, Poll<unknown>] => [`${id} ${name}`, poll]),
  ),
  ...Object.values<Venue>(venues).flatMap(({ id, polls = {} }) =>
    Object.entries(polls).map(([name, poll]): [string, Poll<unknown>] => [`${id} ${name}`, poll]),
  ),
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
  for (const [name, poll] of polls) {
    const { length } = poll.requests({ now, to: now, items: ['BTC'] });
    for (const broken of bodies) {
      const all = Array(Math.max(length, 1)).fill(broken);
      let rows: unknown[] = [];
      try {
        rows = poll.parse(all, context({ to: now, items: ['BTC'] })).rows;
      } catch (error) {
        t.match(error, { name: 'ShapeError' }, `${name} ${JSON.stringify(broken)}`);
      }
      t.same(rows, [], `${name} ${JSON.stringify(broken)}`);
    }
  }
});

/** Polls with the fixtures that they read. */
const read: [poll: Poll<unknown>, ...bodies: string[]][] = [
  [alternativeMe.polls.fearGreed, 'alternative-me/fear-greed'],
  [blockchainInfo.polls.bitcoinDays, 'blockchain-info/market-price'],
  [blockchainInfo.polls.supply, 'blockchain-info/total-bitcoins'],
  [coingecko.polls.global, 'coingecko/global'],
  [coingecko.polls.coins, 'coingecko/coins'],
  [coingecko.polls.exchanges, 'coingecko/exchanges'],
  [coingecko.polls.volumes, 'coingecko/derivatives-exchanges', 'coingecko/exchanges'],
  [coingecko.polls.bitcoinDays, 'coingecko/bitcoin-days'],
  [coinlore.polls.global, 'coinlore/global'],
  [coinmetrics.polls.days, 'coinmetrics/network', 'coinmetrics/exchanges'],
  [coinpaprika.polls.global, 'coinpaprika/global'],
  [coinpaprika.polls.coins, 'coinpaprika/coins'],
  [defillama.polls.stablecoins, 'defillama/stablecoins'],
  [defillama.polls.stablecoinDays, 'defillama/stablecoin-days'],
  [defillama.polls.exchanges, 'defillama/cexs'],
  [frankfurter.polls.dollar, 'frankfurter/rates'],
  [mempool.polls.height, 'mempool/height'],
  [yahoo.polls.closes, 'yahoo/chart'],
];

t.test('a damaged value makes no number that is not finite', async (t) => {
  const plan = { from: dayOf('2025-06-01'), to: dayOf('2025-06-15'), items: ['sp500'] };
  const flaws = read.flatMap(([poll, ...names]) => {
    const parse = (all: readonly unknown[]) => poll.parse(all, context(plan));
    return flawsOf({ name: names.join(), bodies: names.map(body), parse });
  });
  t.strictSame(flaws, []);
});
