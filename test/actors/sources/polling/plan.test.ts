/** The polls of every exchange against its budgets and the longest ages of its rows, with late answers and as many markets as there may be. */
import t from 'tap';
import type { MarketPoll, Plan } from '../../../../actors/sources/define.ts';
import {
  excessesOf,
  nextMarkets,
  plannedAge,
  reservedOf,
  timeOf,
} from '../../../../actors/sources/polling/plan.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { marketTopics, topics } from '../../../../actors/topics/index.ts';
import type { Budget } from '../../../../actors/upstream/request.ts';
import { venues } from '../../../../actors/venues/registry.ts';

const all: readonly Venue[] = Object.values(venues);

/** More than any exchange lists of perpetuals, of coin-margined contracts, and of dated futures. */
const listed = (topic: string, part: string) =>
  topic === 'futures' ? 20 : part === 'inverse' ? 100 : 600;
const ids = (count: number) => Array.from({ length: count }, (_, at) => `M${at}`);

const polls = all.flatMap(({ id, feeds, apis }) =>
  marketTopics.flatMap((topic) => {
    const { every = 0, parts = {} } = feeds[topic] ?? {};
    return Object.entries<MarketPoll<never>>(parts).map(([part, poll]) => {
      const name = `${id} ${topic}/${part}`;
      return { name, id, apis, topic, part, every, poll, markets: ids(listed(topic, part)) };
    });
  }),
);

/** How many polls ask each of the markets once, when each takes as long as it may. */
function pollsOfRound({ poll, every, markets }: (typeof polls)[number]): number {
  if (!poll.rotates) return 1;
  const left = new Set(markets);
  let count = 0;
  for (let cursor = 0; left.size > 0 && count < 1_000; count++) {
    const next = nextMarkets(markets, cursor, { ...poll, every: every + timeOf(poll, every) });
    cursor = next.cursor;
    for (const market of next.markets) left.delete(market);
  }
  return count;
}

t.test('every market is asked again before its row is too old', async (t) => {
  for (const one of polls) {
    const { topic, poll, every } = one;
    const round = pollsOfRound(one) * (every + timeOf(poll, every));
    const age = plannedAge(one) ?? topics[topic].maxAge;
    t.ok(round <= age, `${one.name}: ${round / 1_000} s of ${age / 1_000}`);
  }
});

/** 600 markets, one a second: 600 s at least; with the spread and an answer in 200 ms each takes 1.45 s. */
t.test(
  'a round of open interest of BingX takes 21 minutes, its rows may be half as old again',
  async (t) => {
    const [round] = polls.filter(({ name }) => name === 'bingx openInterest/linear');
    if (!round) throw new Error('no such poll');
    t.ok(pollsOfRound(round) * 12 * 1_450 < 18 * 60_000, 'with answers in 200 ms');
    t.equal(pollsOfRound(round) * 21_000, 21 * 60_000);
    t.equal(plannedAge(round), 31.5 * 60_000);
  },
);

/** Requests that are sent within the poll's time, where each counts until 250 ms after its window has ended, and is answered in 200 ms. */
function sentInTime(count: number, { weight, per }: Budget, time: number): number {
  const atOnce = Math.floor(weight);
  const turns = Math.floor((time - 2_000) / (per + 250 + 200)) + 1;
  return Math.min(count, atOnce * turns);
}

t.test('every poll is sent within its time, all polls of an exchange together', async (t) => {
  const byBudget = Map.groupBy(
    polls.flatMap((one) => {
      const { markets } = one.poll.rotates
        ? nextMarkets(one.markets, 0, {
            ...one.poll,
            every: one.every + timeOf(one.poll, one.every),
          })
        : { markets: [] };
      return one.poll
        .requests({ markets, now: 0 })
        .map(({ api, budget = 'default', weight = 1 }) => ({
          key: `${one.id}/${one.apis[api]?.countedBy ?? api}/${budget}`,
          weight,
          time: timeOf(one.poll, one.every),
          budget: one.apis[api]?.budgets[budget],
        }));
    }),
    ({ key }) => key,
  );
  for (const [key, requests] of byBudget) {
    const [{ budget } = {}] = requests;
    if (!budget) throw new Error(`${key} is no budget`);
    const weight = requests.reduce((sum, one) => sum + one.weight, 0);
    const time = Math.min(...requests.map((one) => one.time));
    t.equal(sentInTime(weight, budget, time), weight, key);
  }
});

/** What is read of the answers is no part of a plan. */
const parse = () => ({});

t.test('a plan that does not fit names the budget and what it needs', async (t) => {
  const hosts = ['https://a.example'] as const;
  const requests = ({ markets }: Plan) =>
    markets.map((market) => ({ api: 'rest', path: '/interest', query: { market } }));
  const slow = (most: number) => ({
    id: 'slow',
    apis: { rest: { hosts, budgets: { default: { weight: 1, per: 1_000 } } } },
    feeds: {
      openInterest: { every: 30_000, parts: { linear: { rotates: true, most, requests, parse } } },
    },
  });
  t.same(excessesOf(slow(12)), [], 'twelve of 1.45 s in 18 s');
  t.same(excessesOf(slow(18)), ['slow rest/default: the polls need 1.5 of 1 in each window']);
});

t.test('polls of an API need what another one counts', async (t) => {
  const hosts = ['https://a.example'] as const;
  const budgets = { default: { weight: 10, per: 1_000 } };
  const poll = (api: string, weight: number) => ({
    requests: () => [{ api, path: '/', weight }],
    parse,
  });
  const source = {
    id: 'two',
    apis: { one: { hosts, budgets }, other: { hosts, budgets, countedBy: 'one' } },
    feeds: { prices: { every: 30_000, parts: { one: poll('one', 2), other: poll('other', 3) } } },
  };
  const both = Object.entries(reservedOf(source));
  t.strictSame(
    both.map(([key]) => key),
    ['one/default'],
  );
  const [[, need = 0] = []] = both;
  const alone = { ...source, feeds: { prices: { every: 30_000, parts: { one: poll('one', 5) } } } };
  // Of a window of 10 three requests of 3 leave one unused.
  t.equal(need / (reservedOf(alone)['one/default'] ?? 0), (2 + 10 / 3) / 5);
});

/** What an address may send of these requests, a second, as the exchange documents it. */
const documented = [
  // Market endpoints of BingX: each one request a second. https://bingx-api.github.io/docs-v3
  { venue: 'bingx', api: 'rest', most: 1, budgets: (name: string) => [name] },
  // v5 of HTX: 80; other paths of contracts: 240 in one to three seconds. https://www.htx.com/en-us/opend/newApiPages
  { venue: 'htx', api: 'contracts', most: 80, budgets: (name: string) => [name] },
  // For all paths together nothing is stated: half of the least of them.
  { venue: 'htx', api: 'contracts', most: 40, budgets: () => ['default', 'v5', 'marks'] },
];

t.test('declared budgets are not larger than documented limits', async (t) => {
  for (const { venue, api, most, budgets } of documented) {
    const declared: Readonly<Record<string, Budget>> =
      all.find(({ id }) => id === venue)?.apis[api]?.budgets ?? {};
    for (const name of Object.keys(declared)) {
      const sum = budgets(name).reduce((all, one) => {
        const { weight = Infinity, per = 1 } = declared[one] ?? {};
        return all + (weight * 1_000) / per;
      }, 0);
      t.ok(sum <= most, `${venue} ${budgets(name)}: ${sum} a second of ${most}`);
    }
  }
});
