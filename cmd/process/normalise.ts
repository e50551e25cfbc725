/** `npm run normalise`: writes what was recorded into files that backtest engines read, a day at a time. What is there already is kept. */
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { forms } from '../../actors/replay/columns.ts';
import { exchangeName, symbolName } from '../../actors/replay/names.ts';
import { Normaliser } from '../../actors/replay/normaliser.ts';
import { linesIn } from '../../actors/replay/reader.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { Instrument } from '../../actors/topics/index.ts';
import { venues as registry } from '../../actors/venues/registry.ts';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { type Day, daysIn } from './export/days.ts';
import { recordingsFolder } from './folder.ts';
import { DayFiles } from './normalise/day-files.ts';
import { type NormaliseOptions, optionsOf, usage } from './normalise/options.ts';
import { StartError } from './process.ts';
import { runCommand } from './values.ts';

/** Whether a market is asked for, by its id, by its name in files, or by its asset. */
const isAsked = ({ symbols }: NormaliseOptions, { market, symbol }: Instrument): boolean => {
  const names = [market, symbolName(market), symbol].map((name) => name.toLowerCase());
  return symbols.length === 0 || names.some((name) => symbols.includes(name));
};

/** The exchange that a name of ours or of Tardis is about. Throws StartError. */
function venueOf(exchange: string): Venue {
  const venues: readonly Venue[] = Object.values(registry);
  const found =
    venues.find(({ id }) => id === exchange) ??
    venues.find((venue) =>
      venue.parts.some((part) =>
        venue.kinds.some((kind) => exchangeName(venue.id, part, { kind }) === exchange),
      ),
    );
  if (found) return found;
  throw new StartError(
    `--exchange: ${exchange} is none of ${venues.map(({ id }) => id).join(', ')}`,
  );
}

async function writeDay(
  folder: string,
  { venue, day, options }: { venue: Venue; day: Day; options: NormaliseOptions },
): Promise<number> {
  const files = new DayFiles(venue.id, day.name, options);
  const normaliser = new Normaliser({
    venue,
    types: new Set(options.types.map((type) => forms[type].of)),
    wants: (part, instrument) =>
      isAsked(options, instrument) &&
      [venue.id, exchangeName(venue.id, part, instrument)].includes(options.exchange),
    from: day.from,
    emit: (event) => event.type !== 'disconnect' && files.add(event),
  });
  for await (const lines of linesIn(folder, venue.id, day)) {
    for (const line of lines) normaliser.take(line);
    await files.drained();
  }
  await files.close();
  if (normaliser.unreadable > 0)
    console.error(`${day.name}: ${normaliser.unreadable} messages could not be read`);
  return files.count;
}

async function run(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  loadEnvFile();
  const folder = resolve(options.recordings ?? join(loadConfig().dataDir, recordingsFolder));
  const venue = venueOf(options.exchange);
  await mkdir(options.out, { recursive: true });
  const notes = join(options.out, 'normalised.jsonl');
  const done = (await readFile(notes, 'utf8').catch(() => '')).split('\n');
  for (const day of daysIn(options)) {
    const { exchange, symbols, types, format } = options;
    const own = JSON.stringify({ exchange, ...day, symbols, types, format });
    if (done.includes(own)) {
      console.error(`${day.name}: is there`);
      continue;
    }
    const rows = await writeDay(folder, { venue, day, options });
    // What is recorded still is written again the next time.
    if (day.to <= Date.now()) await appendFile(notes, `${own}\n`);
    console.error(`${day.name}: ${rows} rows`);
  }
}

await runCommand(usage, run);
