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

t.test('every source has the jobs of the registry, each at its cadence', async (t) => {
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
  const shown = jobsOf.flatMap(([id, jobs]) =>
    jobs.map(({ name, every, also = [] }) => [id, [name, ...also].join(', '), every / 1_000]),
  );
  t.strictSame(
    shown.slice(0, chainIds.length),
    chainIds.map((id) => [id, 'state', 60]),
  );
  t.strictSame(shown.slice(chainIds.length), [
    ['yields', 'lending', 300],
    ['yields', 'lendingTvl', 300],
    ['yields', 'uniswap', 60],
    ['raydium', 'raydium', 60],
    ['orca', 'orca', 60],
    ['stablecoins', 'stablecoins', 300],
    ['bitcoin-models', 'days', 60],
    ['bitcoin-models', 'issuance', 3_600],
    ['bitcoin-models', 'assets', 21_600],
    ['bitcoin-models', 'models', 5],
    ['market-wide', 'fear-greed', 3_600],
    ['market-wide', 'bitcoin-dominance', 300],
    ['market-wide', 'altcoin-season, coin-universe, stablecoin-symbols, altcoin-closes', 3_600],
    ['market-wide', 'stablecoin-mcap, stablecoin-days', 900],
    ['market-wide', 'exchange-transparency', 3_600],
    ['market-wide', 'options-futures-oi-ratio', 60],
    ['market-wide', 'futures-spot-volume-ratio', 60],
    ['market-wide', 'borrow-rates', 600],
    ['market-wide', 'bitfinex-margin-btc, bitfinex-funding', 60],
    ['market-wide', 'bitfinex-margin-eth, bitfinex-funding', 60],
    ['order-books', 'samples', 60],
    ['reference-rate', 'inputs', 60],
    ['reference-rate', 'fixings', 60],
    ['screener', '5m', 300],
    ['screener', '15m', 900],
    ['screener', '30m', 1_800],
    ['screener', '1h', 3_600],
    ['screener', '4h', 14_400],
    ['screener', '1d', 86_400],
  ]);
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
