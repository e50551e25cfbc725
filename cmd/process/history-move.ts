/** `npm run history:move`: copies the recorded series in DATA_DIR to the database of HISTORY_URL. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copySeries } from '../../actors/history/copy.ts';
import { keptFor } from '../../actors/history/define.ts';
import { PostgresStore } from '../../actors/history/postgres.ts';
import { allSeries } from '../../actors/history/series/index.ts';
import { SqliteStore } from '../../actors/history/sqlite.ts';
import { systemClock as clock } from '../../actors/kernel/clock.ts';
import { Given, runCommand } from './command.ts';
import { historyFolder } from './folder.ts';
import { type ProcessContext, runProcess, StartError } from './process.ts';

async function move({ config, log, end }: ProcessContext): Promise<() => Promise<void>> {
  const { historyUrl, dataDir } = config;
  const path = join(dataDir, historyFolder);
  if (historyUrl === null)
    throw new StartError('HISTORY_URL is not set: where should the series go?');
  if (!existsSync(path)) throw new StartError(`${path} does not exist: there is nothing to move`);
  const series = allSeries.map((one) => keptFor(one, config.historyDays));
  const from = new SqliteStore(path, series);
  const to = new PostgresStore(historyUrl, series, log);
  const onTier = (name: string, rows: number) => console.error(`${name}: ${rows} rows`);
  await copySeries({ from, to, series, now: clock.now(), onTier });
  await from.close();
  end('all series are copied', 0);
  return () => to.close();
}

const usage = `usage: HISTORY_URL=postgres://… npm run history:move
Copies the recorded series in DATA_DIR to the database of HISTORY_URL.
  --help      Prints this.`;

await runCommand(usage, async (args) => {
  // It takes none.
  new Given(args, usage, {});
  await runProcess('history-move', move, { isTask: true });
});
