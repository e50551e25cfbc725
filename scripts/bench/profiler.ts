/**
 * Loaded by `--import` (`…/profiler.ts?folder=FOLDER`) into a process that is measured: with the signal SIGUSR2 it begins to sample
 * what runs, with the next one it ends and writes `PID.json` into the folder: the profile, and what the streams of the process have
 * brought meanwhile.
 */
import { writeFileSync } from 'node:fs';
import { type Profiler, Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';
import { isRecord } from '../../actors/read.ts';

/** Between two samples, µs. */
const interval = 1_000;

/** Frames of WebSockets and their characters. */
export interface Heard {
  frames: number;
  characters: number;
}

export interface Profiled {
  profile: Profiler.Profile;
  /** Of the streams of public trades, and of all others. */
  trades: Heard;
  others: Heard;
}

const heard = { trades: { frames: 0, characters: 0 }, others: { frames: 0, characters: 0 } };

/** Counts the frames of the streams in an object, however deep it has them; each stream once. */
function count(value: unknown, into: Heard, seen: Set<object>): void {
  if (!isRecord(value) || seen.has(value)) return;
  seen.add(value);
  const { silence, concerns } = value;
  if (silence === undefined) for (const one of Object.values(value)) count(one, into, seen);
  else
    value.concerns = (text: string) => {
      into.frames += 1;
      into.characters += text.length;
      return typeof concerns === 'function' ? concerns(text) : true;
    };
}

async function countStreams(): Promise<void> {
  const { venues } = await import('../../actors/venues/registry.ts');
  const seen = new Set<object>();
  for (const venue of Object.values(venues)) {
    const { trades, live, books, events }: Record<string, unknown> = { ...venue };
    count(trades, heard.trades, seen);
    count({ live, books, events }, heard.others, seen);
  }
}

async function begin(): Promise<Session> {
  for (const one of Object.values(heard)) Object.assign(one, { frames: 0, characters: 0 });
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval });
  await session.post('Profiler.start');
  return session;
}

async function end(session: Session): Promise<void> {
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const folder = new URL(import.meta.url).searchParams.get('folder') ?? '';
  const found: Profiled = { profile, ...heard };
  writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(found));
}

let running: Session | null = null;

async function toggle(): Promise<void> {
  const session = running;
  running = session === null ? await begin() : null;
  if (session !== null) await end(session);
}

if (isMainThread) {
  if (process.argv[1]?.endsWith('cmd/feed.ts')) await countStreams();
  process.on('SIGUSR2', () => void toggle());
}
