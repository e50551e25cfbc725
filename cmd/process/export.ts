/** `npm run export`: writes rows of many columns into files, one a day, that other programs read. What is there already is kept. */
import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, loadEnvFile } from '../../config/config.ts';
import { runCommand } from './command.ts';
import { claim, daysIn, fileOf, isWhole } from './export/days.ts';
import { saveDay } from './export/download.ts';
import { optionsOf, usage } from './export/options.ts';

async function run(args: readonly string[]): Promise<void> {
  loadEnvFile();
  const options = optionsOf(args, loadConfig(), Date.now());
  const { out } = options;
  await claim(out, options);
  for (const day of daysIn(options)) {
    const path = fileOf(out, day, options);
    if (await isWhole(path, day)) {
      console.error(`${day.name}: is there`);
      continue;
    }
    const bytes = await saveDay(path, options, day, sleep);
    console.error(`${day.name}: ${bytes} bytes`);
  }
}

await runCommand(usage, run);
