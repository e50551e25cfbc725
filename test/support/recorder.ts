/** A recorder in a folder of its own, and what its files hold. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createZstdDecompress } from 'node:zlib';
import type { Test } from 'tap';
import { Recorder } from '../../actors/sources/recording/recorder.ts';
import type { RecorderOptions } from '../../actors/sources/recording/venue-recording.ts';
import type { FeedStatus } from '../../actors/topics/index.ts';
import { listed } from '../actors/venues/stream-suite.ts';
import type { FakeClock } from './clock.ts';

/** A new folder that goes with the test. */
export async function folderOf(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'recordings-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What the whole blocks of a compressed file hold, however it ends. */
async function textOf(path: string): Promise<string> {
  const zstd = createZstdDecompress();
  const chunks: Buffer[] = [];
  zstd.on('data', (chunk) => chunks.push(chunk)).on('error', () => {});
  zstd.end(await readFile(path));
  await new Promise((resolve) => zstd.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

/** The files below a folder in their order. */
export const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.zst')).sort();

/** The lines of a file, read by JSON alone. */
export async function linesIn(folder: string, file: string): Promise<unknown[]> {
  const lines = (await textOf(join(folder, file))).split('\n');
  return lines.slice(0, -1).map((line) => JSON.parse(line));
}

/** A recorder of all types; the markets of its lists are A and B of the assets of these names. */
export async function recording(
  t: Test,
  clock: FakeClock,
  more: Partial<RecorderOptions> = {},
): Promise<{ recorder: Recorder; folder: string; statuses: FeedStatus[] }> {
  const folder = await folderOf(t);
  const statuses: FeedStatus[] = [];
  const markets = listed(['A', 'B'].map((market) => ({ market, symbol: market })));
  const recorder = new Recorder({
    folder,
    types: new Set(['trades', 'books', 'quotes', 'derivatives', 'liquidations']),
    exchanges: [],
    symbols: [],
    keepDays: 30,
    mostBytes: 1e12,
    process: 'test',
    clock,
    log: { error: () => {} },
    listed: () => markets,
    publish: (row) => statuses.push(row),
    free: async () => 1e12,
    ...more,
  });
  t.teardown(() => recorder.stop());
  return { recorder, folder, statuses };
}
