/**
 * A SQLite history of the open interest of some assets with as many rows as the default retention keeps, written past the store,
 * which would take far longer.
 */
import { DatabaseSync } from 'node:sqlite';
import { encodeBlock } from '../../actors/history/block-bytes.ts';
import { Block, blockAt, blockRows } from '../../actors/history/blocks.ts';
import { tableOf } from '../../actors/history/define.ts';
import { openInterest } from '../../actors/history/series/open-interest.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { crcOf, Forms } from '../../actors/history/sqlite-forms.ts';
import { blockId } from '../../actors/history/sqlite-tables.ts';
import type { Write } from '../../actors/history/store.ts';
import { recordedKey } from '../../actors/topics/index.ts';

export const exchanges = Array.from({ length: 23 }, (_, i) => `exchange-${i}`);
/** Perpetuals of each exchange: their assets overlap, and make up 600 together. */
export const perpetuals = 300;
const assets = 600;
/** One of each so many assets is in the file. */
export const every = 12;
const mostKept = 400 * 86_400_000;

export const assetOf = (exchange: number, i: number) => `A${(i + exchange * 13) % assets}`;

const { columns, name, tiers } = openInterest;
const keys = exchanges.flatMap((exchange, at) =>
  Array.from({ length: perpetuals }, (_, i) => assetOf(at, i))
    .filter((asset) => Number(asset.slice(1)) % every === 0)
    .map((asset) => recordedKey(exchange, 'stable', asset)),
);

/** A block whose values go up and down by a tenth. */
function fullBlock() {
  const block = new Block(columns);
  for (let slot = 0; slot < blockRows; slot++) {
    block.open(slot, 1);
    for (const column of columns.keys()) {
      block.set(slot, column, 1_000 * (column + 1) * Math.exp(0.1 * Math.sin(slot * 7 + column)));
    }
  }
  return encodeBlock(block, columns).data;
}

/** The rows of all keys at the end of the newest step before a time, by which the store makes its tables and names the keys. */
function sampleOf(step: number, now: number): Write {
  const time = Math.floor(now / step) * step - step;
  const values = columns.map((_, column) => keys.map((_, i) => 1_000 * (column + 1) + i / 7));
  const rows = { keys, times: keys.map(() => time), columns: values };
  return { series: openInterest, step, mode: 'put', backfilled: false, rows };
}

/** Fills a new file up to `now`, Unix ms; gives the number of its rows. */
export async function fillHistory(path: string, now: number): Promise<number> {
  const store = new SqliteStore(path, [openInterest]);
  await store.write({ writes: tiers.map(({ step }) => sampleOf(step, now)) });
  await store.close();
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = OFF');
  const form = new Forms(db).idOf(columns);
  const ids = db.prepare('SELECT id FROM key_names WHERE series = ?').all(name);
  const data = fullBlock();
  let rows = 0;
  for (const { step, keep } of tiers) {
    const insert = db.prepare(
      `INSERT OR REPLACE INTO ${tableOf(openInterest, step)} (id, data, form, crc) VALUES (?, ?, ?, ?)`,
    );
    const last = blockAt(now - step, step);
    db.exec('BEGIN');
    for (let block = blockAt(now - Math.min(keep, mostKept), step); block < last; block++) {
      for (const key of ids) {
        const id = blockId(block, Number(key.id));
        insert.run(id, data, form, crcOf(id, { data, backfilled: null, form }));
        rows += blockRows;
      }
    }
    db.exec('COMMIT');
  }
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return rows;
}
