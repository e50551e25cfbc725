/**
 * A SQLite history of some assets with as many rows of each as the default retention keeps, written past the store, which would
 * take far longer.
 */
import { DatabaseSync } from 'node:sqlite';
import { encodeBlock } from '../../actors/history/block-bytes.ts';
import { Block, blockAt, blockRows } from '../../actors/history/blocks.ts';
import { type Series, type TierMs, tableOf } from '../../actors/history/define.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { crcOf, Forms } from '../../actors/history/sqlite-forms.ts';
import { blockId } from '../../actors/history/sqlite-tables.ts';
import type { Write } from '../../actors/history/store.ts';
import { recordedKey } from '../../actors/topics/index.ts';

export const exchanges = Array.from({ length: 23 }, (_, i) => `exchange-${i}`);
/** Perpetuals of each exchange: their assets overlap, and make up 600 together. */
export const perpetuals = 300;
const assets = 600;
const hour = 3_600_000;

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i);
export const assetOf = (exchange: number, i: number) => `A${(i + exchange * 13) % assets}`;
const ofPerpetuals = exchanges.flatMap((exchange, at) =>
  upTo(perpetuals).map((i) => recordedKey(exchange, 'stable', assetOf(at, i))),
);
const kinds = ['spot', 'perpetual'] as const;
const some = (count: number, of: (asset: string) => string[]) =>
  upTo(count).flatMap((i) => of(`A${i}`));

/** The keys of a series, and how many ms lie between its rows where that is more than a step. */
const forms: Readonly<Record<string, { keys: readonly string[]; spacing?: number }>> = {
  'open-interest': { keys: ofPerpetuals },
  funding: { keys: ofPerpetuals, spacing: 8 * hour },
  price: { keys: some(assets, (asset) => kinds.map((kind) => recordedKey(kind, asset))) },
  'taker-flow': {
    keys: some(30, (asset) => kinds.map((kind) => recordedKey('binance', kind, asset))),
  },
  'account-ratio': { keys: some(30, (asset) => [recordedKey('binance', asset)]) },
  'options-open-interest': {
    keys: some(4, (asset) => ['deribit', 'okx'].map((one) => recordedKey(one, asset))),
  },
  liquidations: {
    keys: exchanges
      .slice(0, 10)
      .flatMap((exchange, at) =>
        upTo(perpetuals).map((i) => recordedKey(exchange, assetOf(at, i))),
      ),
    spacing: 6 * hour,
  },
  'liquidation-feeds': { keys: exchanges },
  footprint: { keys: some(30, (asset) => [recordedKey('binance', asset)]) },
  'order-book': {
    keys: some(10, (asset) => upTo(21).map((i) => recordedKey(`book-${i}`, 'spot', asset))),
  },
  'order-book-levels': {
    keys: some(10, (asset) => upTo(21).map((i) => recordedKey(`book-${i}`, 'spot', asset))),
  },
};

/** Series of which the file has rows. */
const filled = allSeries.filter(({ name }) => forms[name]);

/** One of each so many assets is in the file: all of them take 1.7 GB and minutes. */
export const every = 12;

/** What the file has of a series. */
function formOf({ name }: Series, step: number) {
  const { keys = [], spacing = step } = forms[name] ?? {};
  const own = keys.filter((key) => Number(/\/A(\d+)$/.exec(key)?.[1] ?? 0) % every === 0);
  return { keys: own, slots: Math.max(1, Math.round(spacing / step)) };
}

/** The first block of a tier, and the one after the last; `now` is Unix ms. */
const blocksOf = ({ step, keep }: TierMs, now: number) => ({
  first: blockAt(now - Math.min(keep, 400 * 24 * hour), step),
  last: blockAt(now - step, step),
});

/**
 * How far the values of a column go up and down within a block, as the exponent of a factor: what rests in a book and what
 * is traded far, a price and an open interest little, the hours of a funding not at all.
 */
function spreadOf({ name }: Series, column: string): number {
  if (column === 'hours') return 0;
  if (column === 'mid' || /^(price|open-interest|options)/.test(name)) return 0.1;
  return 2;
}

/** A block whose rows lie `spacing` steps apart. */
function blockOf(series: Series, spacing: number) {
  const block = new Block(series.columns);
  for (let slot = 0; slot < blockRows; slot += spacing) {
    block.open(slot, 1);
    for (const [column, { name }] of series.columns.entries()) {
      const size = Math.exp(spreadOf(series, name) * Math.sin(slot * 7 + column));
      block.set(slot, column, 1_000 * (column + 1) * size);
    }
  }
  return encodeBlock(block, series.columns).data;
}

/** The rows of all keys at the end of the newest step before a time. */
function sampleOf(series: Series, step: number, now: number): Write {
  const { keys } = formOf(series, step);
  const columns = series.columns.map((_, column) =>
    keys.map((_, i) => 1_000 * (column + 1) + i / 7),
  );
  const time = Math.floor(now / step) * step - step;
  const rows = { keys, times: keys.map(() => time), columns };
  return { series, step, mode: 'put', backfilled: false, rows };
}

const pageBytes = 8_192;
const pagesOf = (db: DatabaseSync) => Number(db.prepare('PRAGMA page_count').get()?.page_count);

interface TierSize {
  name: string;
  bytes: number;
  rows: number;
}

/** Fills a new file up to `now`, Unix ms; what each tier takes of it, the largest first. */
export async function fillHistory(path: string, now: number): Promise<TierSize[]> {
  const store = new SqliteStore(path, allSeries);
  for (const series of filled) {
    const writes = series.tiers.map(({ step }) => sampleOf(series, step, now));
    await store.write({ writes });
  }
  await store.close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF');
  let pages = pagesOf(db);
  const sizes = filled.flatMap((series) =>
    series.tiers.map((tier): TierSize => {
      const { step } = tier;
      const { keys, slots } = formOf(series, step);
      const table = tableOf(series, step);
      const data = blockOf(series, Math.min(blockRows, slots));
      const apart = Math.max(1, Math.floor(slots / blockRows));
      const insert = db.prepare(
        `INSERT OR REPLACE INTO ${table} (id, data, form, crc) VALUES (?, ?, ?, ?)`,
      );
      const form = new Forms(db).idOf(series.columns);
      const ids = new Map(
        db
          .prepare('SELECT id, key FROM key_names WHERE series = ?')
          .all(series.name)
          .map(({ id, key }) => [String(key), Number(id)]),
      );
      const { first, last } = blocksOf(tier, now);
      db.exec('BEGIN');
      for (let block = first; block < last; block += apart) {
        for (const key of keys) {
          const id = blockId(block, ids.get(key) ?? 0);
          insert.run(id, data, form, crcOf(id, { data, backfilled: null, form }));
        }
      }
      db.exec('COMMIT');
      const before = pages;
      pages = pagesOf(db);
      const rows = Math.ceil((last - first) / apart) * keys.length * Math.ceil(blockRows / slots);
      return { name: table, bytes: (pages - before) * pageBytes, rows };
    }),
  );
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return sizes.toSorted((a, b) => b.bytes - a.bytes);
}
