/**
 * Every source with jobs: the names of its jobs, and how it is loaded. The names are known without loading a source,
 * since the libraries of the chains take their time.
 */
import { type ChainId, chainIds } from '../config/chains.ts';
import type { BooksInputs } from './books/books.ts';
import type { ChainReader } from './chains/reader.ts';
import type { ReferenceOptions } from './market/reference-inputs.ts';
import type { ScreenerOptions } from './market/screener.ts';
import type { Tickers } from './market/tickers.ts';
import type { JobSource } from './sources/context.ts';
import { screenerIntervals } from './topics/index.ts';

/** The inputs of the sources besides their upstreams. */
export interface SourceInputs {
  readers: ReadonlyMap<ChainId, Pick<ChainReader, 'read'>>;
  tickers: Tickers;
  /** Ids of the exchanges that there are clients of. */
  venues: ReadonlySet<string>;
  books: BooksInputs;
  reference: ReferenceOptions;
  screener: ScreenerOptions;
}

/** Sources that are loaded together. */
interface Group {
  /** Names of the jobs, by the id of the source. */
  jobs: Readonly<Record<string, readonly string[]>>;
  open(inputs: SourceInputs): Promise<readonly JobSource[]>;
}

const groups: readonly Group[] = [
  {
    jobs: Object.fromEntries(chainIds.map((id) => [id, ['state']])),
    async open({ readers }) {
      const { chainSource } = await import('./chains/source.ts');
      return [...readers].map(([id, reader]) => chainSource(id, reader));
    },
  },
  {
    jobs: {
      yields: ['lending', 'lendingTvl', 'uniswap'],
      raydium: ['raydium'],
      orca: ['orca'],
      stablecoins: ['stablecoins'],
    },
    async open() {
      const { defiSources } = await import('./defi/sources.ts');
      return defiSources();
    },
  },
  {
    jobs: { 'bitcoin-models': ['days', 'issuance', 'assets', 'models'] },
    async open({ tickers }) {
      const { bitcoinSource } = await import('./market/bitcoin/source.ts');
      return [bitcoinSource({ live: (now) => tickers.price('BTC', now) })];
    },
  },
  {
    jobs: {
      'market-wide': [
        ...['fear-greed', 'bitcoin-dominance', 'altcoin-season', 'stablecoin-mcap'],
        ...['exchange-transparency', 'options-futures-oi-ratio', 'futures-spot-volume-ratio'],
        ...['borrow-rates', 'network-metrics-btc', 'network-metrics-eth'],
        ...['bitfinex-margin-btc', 'bitfinex-margin-eth'],
      ],
    },
    async open({ tickers, venues }) {
      const { marketSource } = await import('./market/source.ts');
      return [marketSource({ tickers, venues })];
    },
  },
  {
    jobs: { 'order-books': ['samples'] },
    async open({ books }) {
      const { booksSource } = await import('./books/books.ts');
      return [booksSource(books)];
    },
  },
  {
    jobs: { 'reference-rate': ['inputs', 'fixings'] },
    async open({ reference }) {
      const { referenceSource } = await import('./market/reference-inputs.ts');
      return [referenceSource(reference)];
    },
  },
  {
    jobs: { 'hyperliquid-wallets': ['leaderboard', 'trades', 'positions', 'keep'] },
    async open({ books, venues }) {
      const { walletSource } = await import('./market/hyperliquid-wallets.ts');
      return venues.has('hyperliquid') ? [walletSource(books.market)] : [];
    },
  },
  {
    jobs: { screener: screenerIntervals },
    async open({ screener }) {
      const { screenerSource } = await import('./market/screener.ts');
      return [screenerSource(screener)];
    },
  },
];

/** The names of the jobs of every source, by its id. */
export const jobNames: ReadonlyMap<string, readonly string[]> = new Map(
  groups.flatMap(({ jobs }) => Object.entries(jobs)),
);

/** The sources of these ids. */
export async function openSources(
  ids: ReadonlySet<string>,
  inputs: SourceInputs,
): Promise<JobSource[]> {
  const wanted = groups.filter(({ jobs }) => Object.keys(jobs).some((id) => ids.has(id)));
  const opened = await Promise.all(wanted.map((group) => group.open(inputs)));
  return opened.flat().filter(({ id }) => ids.has(id));
}

/** On-demand queries that belong to no exchange: wallets, and pairs of decentralized exchanges. */
export const onDemand = ['wallets', 'dex'] as const;
