/**
 * What recording costs: `node scripts/record-measure.ts FILE...` records the messages of these files again, at 6,000 a second.
 * A file has JSON lines with `data` for each message (`"t":"recv"`), or is a recording.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { systemClock as clock } from '../actors/kernel/clock.ts';
import { filesOf, recordedDays } from '../actors/sources/recording/folder.ts';
import { readLine } from '../actors/sources/recording/format.ts';
import { Recorder } from '../actors/sources/recording/recorder.ts';

const perSecond = 6_000;

/** The messages of a file. */
async function messagesIn(path: string): Promise<string[]> {
  const bytes = await readFile(path);
  const text = `${path.endsWith('.zst') ? zstdDecompressSync(bytes) : bytes}`;
  return text.split('\n').flatMap((line) => {
    if (line.startsWith('{"t":"recv"')) return JSON.parse(line).data;
    const read = line.startsWith('[') ? readLine(line) : null;
    return read?.kind === 'frame' ? read.text : [];
  });
}

/** Bytes of the files of so many exchanges. */
async function bytesIn(folder: string, exchanges: number): Promise<number> {
  let bytes = 0;
  for (let at = 0; at < exchanges; at++)
    for (const day of await recordedDays(folder, `x${at}`))
      for (const { path } of await filesOf(folder, `x${at}`, day))
        bytes += (await readFile(join(folder, path))).length;
  return bytes;
}

/** Records all messages, `pause` ms after each sixty of them; of each file as an exchange of its own, or nothing. */
async function run(
  files: readonly string[][],
  { pause, records }: { pause: number; records: boolean },
) {
  const folder = await mkdtemp(join(tmpdir(), 'record-measure-'));
  const recorder = new Recorder({
    folder,
    types: new Set(['trades'] as const),
    exchanges: [],
    symbols: [],
    keepDays: 1,
    mostBytes: 1e12,
    process: 'measure',
    clock,
    log: { error: () => {} },
    listed: () => new Map(),
    publish: () => {},
  });
  const connections = files.map((_, at) => {
    const stream = { name: 'trades/all', part: 'all', types: ['trades'] as const };
    const one = recorder.stream(`x${at}`, stream)?.connection('wss://x.example');
    one?.opened();
    return one;
  });
  const [began, before] = [performance.now(), process.cpuUsage()];
  let [count, characters, peak] = [0, 0, 0];
  for (let turn = 0; turn < 60_000 / 60; turn++) {
    for (let i = 0; i < 60; i++) {
      const at = count++ % files.length;
      const own = files[at] ?? [];
      const text = own[Math.floor(count / files.length) % own.length] ?? '';
      characters += text.length;
      if (records) connections[at]?.hear(text, () => true);
    }
    await setTimeout(pause);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  const used = process.cpuUsage(before);
  const seconds = (performance.now() - began) / 1_000;
  await recorder.stop();
  const bytes = await bytesIn(folder, files.length);
  await rm(folder, { recursive: true });
  return { count, characters, bytes, seconds, peak, cpu: (used.user + used.system) / 1e6 };
}

const files = (await Promise.all(process.argv.slice(2).map(messagesIn))).filter(
  (own) => own.length > 0,
);
const pause = 60_000 / perSecond;
const idle = await run(files, { pause, records: false });
const paced = await run(files, { pause, records: true });
const cost = paced.cpu / paced.seconds - idle.cpu / idle.seconds;
const each = (1e6 * cost) / (paced.count / paced.seconds);
const lines = [
  `${paced.count} messages of ${Math.round(paced.characters / paced.count)} characters, of ${files.length} exchanges`,
  `${Math.round(paced.count / paced.seconds)} a second: ${(100 * cost).toFixed(1)} % of a core, ${each.toFixed(1)} microseconds each`,
  `${((perSecond * each) / 1e4).toFixed(1)} % of a core at ${perSecond} a second`,
  `${((paced.peak - idle.peak) / 2 ** 20).toFixed(0)} MiB more at most`,
  `${(paced.characters / paced.bytes).toFixed(1)} : 1, ${(((paced.bytes / paced.count) * perSecond * 86_400) / 1e9).toFixed(1)} GB a day at ${perSecond} a second`,
];
process.stdout.write(`${lines.join('\n')}\n`);
