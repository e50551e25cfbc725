/** Public archives for tests: tables by path, and a loader that reads them. */
import { createHash } from 'node:crypto';
import { strToU8, zipSync } from 'fflate';
import type { Test } from 'tap';
import { silent } from '../../actors/bus/log.ts';
import { failed, success } from '../../actors/failure.ts';
import { Archives } from '../../actors/history/archives.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { Writer } from '../../actors/history/writer.ts';
import { MarketState } from '../../actors/state/market-state.ts';
import { NewestRows } from '../../actors/state/newest-rows.ts';
import type { PriceRow } from '../../actors/topics/index.ts';
import { FakeClock, settle } from './clock.ts';
import { instrument, priceRow, reading } from './makers.ts';

const day = 86_400_000;
/** 2027-02-03T08:00Z: the file of January is not there yet. */
export const start = Date.UTC(2027, 1, 3, 8);

/** A loader over archives of tables by path; `more` are further markets of Binance, `okx` those of OKX. */
export function stage(
  t: Test,
  tables: Record<string, string>,
  {
    more = [],
    okx = [],
    at = start,
  }: { more?: readonly PriceRow[]; okx?: PriceRow[]; at?: number } = {},
) {
  const clock = new FakeClock(at);
  const newest = new NewestRows();
  const markets = [
    priceRow({ market: 'BTCUSDT', symbol: 'BTC', kind: 'spot', quote: 'USDT' }),
    priceRow({ market: '1000PEPEUSDT', symbol: 'PEPE', kind: 'perpetual', quote: 'USDT' }),
    ...more,
  ];
  newest.accept('prices', reading(markets, { source: 'binance', received: at }));
  newest.accept('prices', reading(okx, { source: 'okx', received: at }));
  const listed = [instrument({ market: '1000PEPEUSDT', symbol: 'PEPE', scale: 1_000 })];
  newest.accept('instruments', reading(listed, { source: 'binance' }));
  const store = new SqliteStore(':memory:', allSeries);
  t.teardown(() => store.close());
  const own = new Writer({ store, clock, log: silent });
  const hooks = { written: () => {} };
  const writer: Pick<Writer, 'add'> = {
    add: (batch) => own.add(batch).then(() => hooks.written()),
  };
  const asked: string[] = [];
  const damaged = new Set<string>();
  const refusing = new Set<string>();
  const bodyOf = (file: string, isFile: boolean) => {
    const zip = Buffer.from(zipSync({ 'x.csv': strToU8(tables[file] ?? '') }));
    const hash = createHash('sha256').update(zip).digest('hex');
    return isFile ? zip : `${damaged.has(file) ? '00' : hash}  x.zip`;
  };
  const client = {
    async send({ api, path }: { api: string; path: string }) {
      const file = path.replace('.CHECKSUM', '');
      const isFile = file === path;
      // OKX has no checksums.
      const isRight = path.startsWith('/cdn/') ? api === 'okx' && isFile : api === 'binance';
      if (!isRight || refusing.has(api)) return failed('refused', 'status 403', { status: 403 });
      if (isFile) asked.push(file);
      return tables[file] === undefined
        ? failed('refused', 'status 404', { status: 404 })
        : success({ body: bodyOf(file, isFile), asked: 0, received: 0 });
    },
  };
  const begin = () => {
    const market = new MarketState(newest);
    const archives = new Archives({
      client,
      series: allSeries,
      store,
      writer,
      market,
      clock,
      log: silent,
    });
    t.teardown(() => archives.stop());
    return archives;
  };
  /** Lets so many files be read. */
  const files = async (count: number) => {
    for (let i = 0; i < count; i++) {
      await clock.advance(30_000);
      for (let turn = 0; turn < 20; turn++) await settle();
    }
  };
  const stored = async (name: string, step: number, key: string) => {
    const series = allSeries.find((one) => one.name === name);
    if (!series) throw new RangeError(name);
    const found = await store.read(series, step, [key], { from: 0, to: at + 90 * day });
    return (found.get(key)?.times ?? []).map((time, row) => [
      new Date(time).toISOString().slice(0, 16),
      ...(found.get(key)?.columns.map((column) => column[row]) ?? []),
      found.get(key)?.backfilled[row],
    ]);
  };
  return { clock, store, asked, damaged, refusing, hooks, begin, files, stored };
}

/** A candle of one minute that ends at a price, of which takers bought 4 of 10. */
export const candle = (time: number, close: number) =>
  `${time},1,2,0.5,${close},5,${time + 59_999},10,7,2,4,0`;
