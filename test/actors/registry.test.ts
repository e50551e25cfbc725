import t from 'tap';
import type { ChainReader } from '../../actors/chains/reader.ts';
import { failed } from '../../actors/failure.ts';
import { Tickers } from '../../actors/market/tickers.ts';
import { jobNames, onDemand, openSources } from '../../actors/registry.ts';
import type { JobContext } from '../../actors/sources/context.ts';
import { SourceStatus } from '../../actors/sources/status/status.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import { venues } from '../../actors/venues/registry.ts';
import { chainIds } from '../../config/chains.ts';
import { createLogger } from '../../config/log.ts';
import { FakeClock } from '../support/clock.ts';
import { silentBus } from '../support/queries.ts';

const clock = new FakeClock();
const books = {
  market: new MarketState(new NewestRows()),
  query: async () => failed('network', 'no source is asked'),
  exchanges: [],
  assets: 1,
};
const screener = { market: books.market, clock, candles: new Map() };
const nothing: JobContext = {
  clock,
  log: createLogger({ logLevel: 'silent' }, 'test'),
  status: new SourceStatus({ source: 'test', clock, publish: () => {} }),
  publish: async () => null,
  last: async () => undefined,
  query: silentBus.query,
  client: () => ({
    send: async () => failed('network', 'no source is asked'),
    state: () => ({ breaker: 'closed', pausedUntil: null, host: '' }),
  }),
};

t.test('every source has the jobs of the registry, none of which runs in a flood', async (t) => {
  const read = async () => failed('stopped', 'not read');
  const reader: Pick<ChainReader, 'read'> = { read };
  const opened = await openSources(new Set(jobNames.keys()), {
    readers: new Map(chainIds.map((id) => [id, reader])),
    tickers: new Tickers(new NewestRows()),
    venues: new Set(Object.keys(venues)),
    books,
    reference: books,
    screener,
  });
  const jobsOf = opened.map(({ id, jobs }) => [id, jobs(nothing)] as const);
  const names = jobsOf.map(([id, jobs]) => [id, jobs.map(({ name }) => name)] as const);
  const sorted = (entries: Iterable<readonly [string, readonly string[]]>) =>
    [...entries].map(([id, jobs]) => [id, [...jobs].sort()]).sort();
  t.strictSame(sorted(names), sorted(jobNames));
  const pauses = jobsOf.flatMap(([, jobs]) => jobs.map(({ every }) => every));
  t.ok(pauses.every((every) => every >= 5_000));
});

t.test('only the sources that are asked for are opened', async (t) => {
  const inputs = {
    readers: new Map(),
    tickers: new Tickers(new NewestRows()),
    venues: new Set<string>(),
    books,
    reference: books,
    screener,
  };
  const opened = await openSources(new Set(['orca', 'market-wide', 'nothing']), inputs);
  t.strictSame(opened.map(({ id }) => id).sort(), ['market-wide', 'orca']);
});

t.test('no two of the ids that SOURCES may name are the same', async (t) => {
  const ids = [...Object.keys(venues), ...jobNames.keys(), ...onDemand];
  t.equal(new Set(ids).size, ids.length);
});
