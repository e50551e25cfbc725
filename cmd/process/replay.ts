/** `npm run replay`: serves what was recorded as if its time was now: the whole service on a gateway of recordings, by their clock. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { ServiceClock } from '../../actors/kernel/clock.ts';
import { replayServer } from '../../actors/replay/gateway/server.ts';
import type { Range } from '../../actors/replay/reader.ts';
import { typesIn } from '../../actors/replay/recorded.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import { venues as registry } from '../../actors/venues/registry.ts';
import { childEnv, loadConfig, loadEnvFile } from '../../config/config.ts';
import { recordedWords } from '../../config/recorded.ts';
import { Given, listOf, runCommand } from './command.ts';
import { recordingsFolder } from './folder.ts';
import { freePort } from './port.ts';
import { StartError } from './process.ts';

const usage = `usage: npm run replay -- --from TIME --to TIME [--speed 1] [--exchanges binance,okx]
Starts the service on what was recorded by RECORD=all. A TIME is a day (2026-01-31) or a time (2026-01-31T12:00), both UTC. --speed
is from 1 to 60, or max. Its data are in the folder \`replay\` of DATA_DIR, which is emptied at the start.`;

/** How long the clock stands at the start, while the processes of the service come up, ms. */
const standing = 30_000;

/** Polls and folds of a second come so many times a second then: at more, processes would fall behind the clock. */
const fastest = 60;

/** The exchanges that have recordings of a range; names on the screen what was not recorded of them. Throws StartError for none. */
async function recordedVenues(
  folder: string,
  range: Range,
  wanted: readonly string[],
): Promise<Venue[]> {
  const found: Venue[] = [];
  for (const venue of Object.values<Venue>(registry)) {
    if (wanted.length > 0 && !wanted.includes(venue.id)) continue;
    const types = await typesIn(folder, venue.id, range);
    if (types === null) continue;
    found.push(venue);
    const missing = recordedWords.filter((word) => !types.includes(word));
    if (missing.length > 0)
      console.error(`  ${venue.id}: ${missing.join(', ')} were not recorded, and will be missing`);
    if (missing.includes('polls'))
      console.error(`  ${venue.id}: without its lists of markets there is nothing to see`);
  }
  if (found.length > 0) return found;
  throw new StartError(`${folder} has no recording of that time`);
}

/** The service, with a folder and a Redis of its own. */
function startService(env: Readonly<Record<string, string>>): ChildProcess {
  const own = { REDIS_URL: '', REDIS_BUS_URL: '', REDIS_READ_URL: '', HISTORY_URL: '', RECORD: '' };
  const script = join(import.meta.dirname, '..', 'local.ts');
  return spawn(process.execPath, [script], {
    env: childEnv({ ...own, SIMULATED_DATA: '1', ...env }),
    stdio: 'inherit',
  });
}

async function run(args: readonly string[]): Promise<void> {
  const values = new Given(args, usage, { values: ['from', 'to', 'speed', 'exchanges'] });
  const range = values.range('from', 'to', Date.now());
  const asked = values.get('speed') ?? 1;
  const speed = asked === 'max' ? fastest : Number(asked);
  if (!(speed >= 1 && speed <= fastest))
    throw values.fault(`--speed must be from 1 to ${fastest}, or max`);
  loadEnvFile();
  const { dataDir } = loadConfig();
  const folder = resolve(dataDir, recordingsFolder);
  const venues = await recordedVenues(folder, range, listOf(values.get('exchanges')));
  const own = resolve(dataDir, 'replay');
  await rm(own, { recursive: true, force: true });
  const clock = new ServiceClock();
  clock.replay({ ...range, began: Number.POSITIVE_INFINITY, speed });
  const { server, ready, stop } = replayServer({ folder, venues, range, clock });
  await ready;
  const port = await freePort('127.0.0.1', 0);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const began = Date.now() + standing;
  clock.replay({ ...range, began, speed });
  console.error(
    `  Replays ${venues.map(({ id }) => id).join(', ')} from ${new Date(range.from).toISOString()} on, ${speed} times as fast.`,
  );
  const service = startService({
    DATA_DIR: own,
    UPSTREAM_GATEWAY: `http://127.0.0.1:${port}`,
    REPLAY_CLOCK: [range.from, range.to, began, speed].join(','),
    // Samples are taken of the books that are followed.
    SOURCES: [...venues.map(({ id }) => id), 'order-books'].join(','),
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => service.kill('SIGTERM'));
  const [code] = await once(service, 'exit');
  await stop();
  process.exitCode = typeof code === 'number' ? code : 1;
}

await runCommand(usage, run);
