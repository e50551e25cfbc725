/** What data providers, topics, settings, limits and indicators declare: equal to a table, which changes on purpose only. */
import { availableParallelism } from 'node:os';
import t from 'tap';
import {
  aliveLife,
  beat,
  block,
  mostInFlight,
  queryLength,
  replyLength,
  replyLife,
} from '../../actors/bus/keys.ts';
import { aaveMarkets } from '../../actors/defi/aave.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { assets } from '../../actors/providers/assets.ts';
import { blockscout, blockscoutIndex } from '../../actors/providers/blockscout.ts';
import { lendingProtocols } from '../../actors/providers/lending-protocols.ts';
import { moralis, moralisIndex } from '../../actors/providers/moralis.ts';
import { providers } from '../../actors/providers/registry.ts';
import { maxDroppedShare, type Source } from '../../actors/sources/define.ts';
import type { Poll } from '../../actors/sources/poll.ts';
import { rotation } from '../../actors/sources/rotation.ts';
import { defiStaleAfter, listLimits } from '../../actors/topics/defi-lists.ts';
import { feeTiers } from '../../actors/topics/fee-tiers.ts';
import { tracking } from '../../actors/topics/history.ts';
import { deadlineOf, storeQueries } from '../../actors/topics/queries.ts';
import { feedBodies, topics } from '../../actors/topics/table.ts';
import { bodyCaps, defaultLimits } from '../../actors/upstream/limits.ts';
import { leverageShares } from '../../config/liquidation-model.ts';
import { dollarQuotes } from '../../config/quotes.ts';
import { table } from '../../config/table.ts';
import { jwksTimes } from '../../http/auth/jwks.ts';
import { times as keyTimes } from '../../http/auth/key-cache.ts';
import { creationLife, mostRevoked, ticketLife } from '../../http/auth/scripts.ts';
import { latencyBuckets } from '../../http/counters.ts';
import { defaultBodyCap } from '../../http/endpoint.ts';
import { endings, reconnectWithin } from '../../http/live/endings.ts';
import { reservationDeadline } from '../../http/quota/bucket.ts';
import { windowLength } from '../../http/quota/store.ts';
import { catalogue } from '../../indicators/catalogue.ts';
import { defaultLeastTvl, firstSourceAge } from '../../indicators/defi/pools.ts';
import { windowHours } from '../../indicators/derivatives/liquidation-sums.ts';
import { rankingWindows } from '../../indicators/derivatives/rankings.ts';
import { ahr999Zones } from '../../indicators/market/ahr999.ts';
import { seasonPeriods } from '../../indicators/market/altcoin-season.ts';
import { windows } from '../../indicators/market/correlations.ts';
import { fearGreedClasses } from '../../indicators/market/fear-greed.ts';
import { intervals } from '../../indicators/market/intervals.ts';
import { rules as plausible } from '../../indicators/market/plausible.ts';
import { puellZones } from '../../indicators/market/puell.ts';
import { rainbowBands, rainbowModel } from '../../indicators/market/rainbow.ts';
import { volumeAssets } from '../../indicators/market/ratios.ts';
import { borrowAssets } from '../../indicators/market/rows.ts';
import { stockToFlowSignals } from '../../indicators/market/stock-to-flow.ts';
import { grades } from '../../indicators/market/transparency.ts';
import { bandRanges } from '../../indicators/order-book/bands.ts';
import { bucketForm } from '../../indicators/order-book/buckets.ts';
import type { Indicator, Parameter } from '../../indicators/spec.ts';
import { line, sameAsDeclared } from '../support/declared.ts';

/** The settings whose default depends on the machine. */
const ofMachine = ['WEB_CONCURRENCY', 'COMPUTE_THREADS'];
const rows = Object.values(table);
/** The rule of a setting, as it refuses the empty text. */
function ruleOf(read: (text: string) => unknown): string {
  try {
    return `${JSON.stringify(read(''))} when empty`;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
const settings = Object.fromEntries(
  rows
    .filter(({ env }) => env !== 'PLANS')
    .map(({ env, fallback, read }) => [
      env,
      { fallback: ofMachine.includes(env) ? 'of the machine' : fallback, rule: ruleOf(read) },
    ]),
);

/** A parameter as `14 (1 to 500)`, or `close of open, high, low, close`. */
const shown = (one: Parameter): string =>
  one.type === 'word'
    ? `${one.default} of ${one.allowed.join(', ')}`
    : `${one.default} (${one.minimum} to ${one.maximum})`;

/** An indicator in a few words, with the candles that it takes by default. */
function inWords({ parameters, minimum, settle, ...entry }: Indicator) {
  const named = Object.entries(parameters);
  const chosen = Object.fromEntries(named.map(([name, one]) => [name, one.default]));
  return {
    category: [entry.category, ...(entry.aliases ?? [])].join(', '),
    columns: `${entry.inputs.join(', ')} -> ${entry.outputs.join(', ')}`,
    ...Object.fromEntries(named.map(([name, one]) => [name, shown(one)])),
    candles: `${minimum(chosen)}, ${settle?.(chosen) ?? 'as many'} to settle`,
  };
}
const indicators = Object.fromEntries(
  [...catalogue.values()].map((entry) => [entry.name, inWords(entry)]),
);

t.test('defaults that depend on the machine, and shares that are all', async (t) => {
  const some = Math.min(4, Math.max(1, availableParallelism() - 1));
  t.same([table.webConcurrency.fallback, table.computeThreads.fallback], [some, some]);
  t.ok(Math.abs(leverageShares.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-12);
});

/** Times of which a request has parts: a month of whole days, and the items that jobs name. */
const plan = { now: 1_750_000_000_000, from: 1_746_057_600_000, to: 1_748_649_600_000 };
const wallet = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';

/** A source with the requests of its polls. */
const asking = ({ polls = {}, ...source }: Source & { queries?: object }) => ({
  ...source,
  polls: Object.fromEntries(
    Object.entries(polls).map(([name, poll]: [string, Poll<unknown>]) => [
      name,
      poll.requests(plan).map(line),
    ]),
  ),
});

const indexes = {
  blockscout: [null, 'KEY'].map((key) => blockscoutIndex('base', wallet, key)),
  moralis: [moralisIndex('bsc', wallet)],
};
const sources = {
  ...Object.fromEntries(
    [...providers, blockscout('KEY'), moralis('KEY')].map((one) => [one.id, asking(one)]),
  ),
  indexes: Object.values(indexes)
    .flat()
    .map(({ pages, requests }) => [`${pages} pages`, ...requests({ page: 2 }).map(line)]),
};

/** A series: each stored step with its life, and its columns by how they are combined and kept. */
const series = allSeries.map(({ name, tiers, columns, fresh, backfill }) => {
  const kept = Map.groupBy(columns, ({ combine, digits }) => `${combine}, ${digits} digits`);
  return {
    name,
    tiers: tiers.map((tier) => `${tier.name} (${tier.step} ms) for ${tier.keep / 3_600_000} hours`),
    columns: [...kept].map(([how, all]) => `${how}: ${all.map((one) => one.name).join(' ')}`),
    fresh,
    exact: backfill?.exact,
    every: backfill?.every,
  };
});

const queries = [...storeQueries, 'wallet', 'liquidationState', 'orderBook'] as const;
const deadlines = Object.fromEntries(queries.map((name) => [name, deadlineOf(name)]));
const lists = {
  listLimits,
  defiStaleAfter,
  feeTiers,
  lendingProtocols,
  assets,
  dollarQuotes,
  aaveMarkets,
};
/** Times in ms, sizes in bytes. */
const limits = {
  upstream: { ...defaultLimits, bodyCaps, feedBodies },
  polls: { rotation, maxDroppedShare },
  bus: { mostInFlight, queryLength, replyLength, replyLife, aliveLife, beat, block },
  keys: { ...keyTimes, mostRevoked, creationLife, ticketLife },
  tokens: jwksTimes,
  quota: { windowLength, reservationDeadline },
  http: { defaultBodyCap, latencyBuckets, endings, reconnectWithin },
};
/** Zones, windows and bounds of the indicators of the market, as docs/market-indicators.md and docs/numbers.md give them. */
const rules = {
  plausible,
  intervals,
  rankingWindows,
  windowHours,
  bandRanges,
  bucketForm,
  fearGreedClasses,
  ahr999Zones,
  puellZones,
  stockToFlowSignals,
  rainbowBands,
  rainbowModel,
  grades,
  seasonPeriods,
  correlations: windows,
  volumeAssets,
  borrowAssets,
  defaultLeastTvl,
  firstSourceAge,
};
const stores = { topics, tracking, deadlines, series };
const config = { ...settings, leverageShares };
const declared = { topics: stores, config, indicators, lists, limits, rules };
for (const [name, value] of Object.entries({ ...declared, providers: sources })) {
  const form = name in { config, indicators, rules } ? 'properties' : 'values';
  t.test(name, async (t) => sameAsDeclared(t, name, value, form));
}
