/** `npm run export`: writes rows of many columns into files, one a day, that other programs read. What is there already is kept. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { claim, daysIn, fileOf, isWhole, writeDay } from './export/days.ts';
import { optionsOf, usage } from './export/options.ts';
import { pagesIn } from './export/pages.ts';
import { runCommand } from './values.ts';

async function run(args: readonly string[]): Promise<void> {
  loadEnvFile();
  const options = optionsOf(args, loadConfig(), Date.now());
  const { out, format } = options;
  await claim(out, options);
  for (const day of daysIn(options)) {
    const path = fileOf(out, day, options);
    if (await isWhole(path, day)) {
      console.error(`${day.name}: is there`);
      continue;
    }
    const count = await writeDay(path, format, pagesIn(options, day, sleep));
    console.error(`${day.name}: ${count} rows`);
  }
}

await runCommand(usage, run);
