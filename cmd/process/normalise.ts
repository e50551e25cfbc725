/** `npm run normalise`: writes what was recorded into files that backtest engines read, a day at a time. What is there already is kept. */
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { forms } from '../../actors/replay/columns.ts';
import type { EventType } from '../../actors/replay/events.ts';
import { exchangeName, symbolName, venueNamed } from '../../actors/replay/names.ts';
import { Normaliser } from '../../actors/replay/normaliser.ts';
import { linesIn, type Range } from '../../actors/replay/reader.ts';
import type { Venue } from '../../actors/sources/venue.ts';
import type { Instrument } from '../../actors/topics/index.ts';
import { venues as registry } from '../../actors/venues/registry.ts';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { runCommand } from './command.ts';
import { daysIn } from './export/days.ts';
import { recordingsFolder } from './folder.ts';
import { DayFiles, type DayOptions } from './normalise/day-files.ts';
import { FreqtradeFiles } from './normalise/freqtrade.ts';
import { type NormaliseOptions, optionsOf, usage } from './normalise/options.ts';
import { StartError } from './process.ts';

/** Whether a market is asked for, by its id, by its name in files, or by its asset. */
const isAsked = ({ symbols }: NormaliseOptions, { market, symbol }: Instrument): boolean => {
  const names = [market, symbolName(market), symbol].map((name) => name.toLowerCase());
  return symbols.length === 0 || names.some((name) => symbols.includes(name));
};

/** The exchange that a name of ours or of Tardis is about. Throws StartError. */
function venueOf(exchange: string): Venue {
  const venues: readonly Venue[] = Object.values(registry);
  const found = venueNamed(venues, exchange);
  if (found) return found.venue;
  throw new StartError(
    `--exchange: ${exchange} is none of ${venues.map(({ id }) => id).join(', ')}`,
  );
}

/** Writes the events of a range. */
async function write(
  folder: string,
  files: DayFiles | FreqtradeFiles,
  { venue, range, options }: { venue: Venue; range: Range; options: NormaliseOptions },
): Promise<void> {
  const isCandles = files instanceof FreqtradeFiles;
  const own = options.types.map((type) => forms[type].of);
  const normaliser = new Normaliser({
    venue,
    types: new Set<EventType>(isCandles ? ['trade', 'derivative_ticker'] : own),
    wants: (part, instrument) =>
      isAsked(options, instrument) &&
      [venue.id, exchangeName(venue.id, part, instrument)].includes(options.exchange),
    from: range.from,
    emit: (event) => files.add(event),
  });
  for await (const lines of linesIn(folder, venue.id, range)) {
    for (const line of lines) {
      if (isCandles) files.see(line.t);
      normaliser.take(line);
    }
    await files.drained();
  }
  if (normaliser.unreadable > 0)
    console.error(`${normaliser.unreadable} messages could not be read`);
}

/** What was written into a folder: the files of a day, and what was asked for, null where that was not complete. */
interface Note {
  asked: string | null;
  files: readonly string[];
}

/** How long after its end the recorder has written what came before, ms. */
const settling = 10_000;

/** Whether the files of a question are there as it has written them, and no other one has written them since. */
const isThere = (notes: readonly Note[], asked: string): boolean => {
  const at = notes.findLastIndex((one) => one.asked === asked);
  const others = new Set(notes.slice(at + 1).flatMap(({ files }) => files));
  const files = notes[at]?.files;
  return files?.every((file) => !others.has(file) && existsSync(file)) === true;
};

async function writeDays(
  folder: string,
  { venue, options }: { venue: Venue; options: NormaliseOptions & DayOptions },
): Promise<void> {
  const path = join(options.out, 'normalised.jsonl');
  const text = await readFile(path, 'utf8').catch(() => '');
  const notes: Note[] = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  for (const day of daysIn(options)) {
    const { exchange, symbols, types, format } = options;
    const own = JSON.stringify({ exchange, ...day, symbols, types, format });
    if (isThere(notes, own)) {
      console.error(`${day.name}: is there`);
      continue;
    }
    const files = new DayFiles(venue.id, day.name, options);
    await write(folder, files, { venue, range: day, options });
    const note = (asked: string | null) =>
      appendFile(path, `${JSON.stringify({ asked, files: files.paths })}\n`);
    await note(null);
    await files.close();
    // What is recorded still is written again the next time.
    if (day.to + settling <= Date.now()) await note(own);
    console.error(`${day.name}: ${files.count} rows`);
  }
}

async function run(args: readonly string[]): Promise<void> {
  const options = optionsOf(args);
  loadEnvFile();
  const folder = resolve(options.recordings ?? join(loadConfig().dataDir, recordingsFolder));
  const venue = venueOf(options.exchange);
  const { out, format } = options;
  await mkdir(out, { recursive: true });
  if (format !== 'freqtrade') return writeDays(folder, { venue, options: { ...options, format } });
  const files = new FreqtradeFiles(join(out, venue.id), options);
  await write(folder, files, { venue, range: options, options });
  await files.close();
  console.error(`${files.count} trades`);
}

await runCommand(usage, run);
