/**
 * The desk of Bitcoin's price models and correlations: it keeps the daily series that they are made of, and publishes
 * ahr999, Puell multiple, stock-to-flow, Pi Cycle, rainbow chart and correlations.
 */
import type { Board } from '../../desks/board.ts';
import type { Desk, DeskContext } from '../../desks/desk.ts';
import { binance } from '../../venues/binance.ts';
import { bitfinex } from '../../venues/bitfinex.ts';
import { bitstamp } from '../../venues/bitstamp.ts';
import { assetIds } from '../assets.ts';
import { blockchainInfo } from '../upstreams/blockchain-info.ts';
import { coingecko } from '../upstreams/coingecko.ts';
import { frankfurter } from '../upstreams/frankfurter.ts';
import { fred } from '../upstreams/fred.ts';
import { mempool } from '../upstreams/mempool.ts';
import { yahoo } from '../upstreams/yahoo.ts';
import { assetSources, assetsDuty, keptAssets } from './asset-days.ts';
import { issuanceDuty, issuanceForm, issuanceSources } from './chain-days.ts';
import { closeSources, closesDuty, closesForm } from './closes.ts';
import { Kept } from './kept.ts';
import type { Book, Live } from './model.ts';
import { modelsDuty } from './models.ts';

export type { Live } from './model.ts';

/** Upstreams besides the exchanges whose clients the desk asks for, by their ids. */
export const bitcoinUpstreams = [
  blockchainInfo,
  coingecko,
  mempool,
  fred,
  yahoo,
  frankfurter,
] as const;

/** Exchanges whose clients the desk asks for, whichever are followed otherwise. */
export const bitcoinVenues = [binance, bitstamp, bitfinex] as const;

export interface BitcoinDeskOptions {
  /** The median of the exchanges' dollar prices of Bitcoin; null when none of them is fresh. */
  live(now: number): Live | null;
}

/** What `work` came to the first time. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** Reads the series of an earlier life. What they make needless to ask is in `/v1/status` all the same. */
async function load({ board }: DeskContext, { closes, issuance, assets }: Book): Promise<void> {
  const days = assetIds.map(assets);
  await Promise.all([closes, issuance, ...days].map((kept) => kept.settle()));
  board.standby('days', closeSources);
  board.standby('issuance', issuanceSources);
  board.standby('assets', assetSources);
  resume(board, 'days', [closes]);
  resume(board, 'issuance', [issuance]);
  resume(board, 'assets', days);
}

/** Tells the board which sources gave the newest rows of some series, and how many there are. */
function resume(
  board: Board,
  duty: string,
  series: readonly { rows: readonly { source: string }[]; at: number }[],
): void {
  const found = new Map<string, { received: number; rows: number }>();
  for (const { rows, at } of series) {
    const source = rows.at(-1)?.source;
    if (source === undefined) continue;
    const before = found.get(source) ?? { received: 0, rows: 0 };
    const received = Math.max(before.received, at);
    found.set(source, { received, rows: before.rows + rows.length });
  }
  for (const [source, sum] of found) board.resume(duty, source, sum);
}

/** The desk. Its duties share the kept series: all are read before the first of them begins, each is written by one. */
export const bitcoinDesk = ({ live }: BitcoinDeskOptions): Desk => ({
  id: 'bitcoin-models',
  open(desk) {
    const book: Book = {
      closes: new Kept(desk, closesForm),
      issuance: new Kept(desk, issuanceForm),
      assets: keptAssets(desk),
    };
    const loaded = once(() => load(desk, book));
    const duties = [
      closesDuty({ desk, kept: book.closes, price: (now) => live(now)?.price ?? null }),
      issuanceDuty(desk, book.issuance),
      assetsDuty(desk, book.assets),
      modelsDuty({ desk, book, live }),
    ];
    return duties.map((duty) => ({
      ...duty,
      async wait(now, signal) {
        await loaded();
        return (await duty.wait?.(now, signal)) ?? 0;
      },
    }));
  },
});
