/**
 * `npm run load -- attacks …`: what one hostile client or a faulty upstream does to others.
 * `npm run load -- cluster …`: what clients notice while processes of every role are killed.
 * `npm run soak`: whether the service stays what it was over a day.
 */
import { isUsage } from './arguments.ts';
import { attack } from './attacks/main.ts';
import { loadCluster } from './cluster/main.ts';
import { soak } from './soak.ts';

/** Whether nothing was found. */
const loads: Readonly<Record<string, (args: string[]) => Promise<boolean>>> = {
  attacks: attack,
  cluster: loadCluster,
  soak,
};
const help = `npm run load -- attacks|cluster|soak [options]; each has a --help`;

const [name = '', ...args] = process.argv.slice(2);
const load = Object.hasOwn(loads, name) ? loads[name] : undefined;
try {
  if (load) process.exitCode = (await load(args)) ? 0 : 1;
  else {
    console.error(help);
    process.exitCode = 2;
  }
} catch (error) {
  if (!isUsage(error)) throw error;
  console.error(`${error.message}\n\n${help}`);
  process.exitCode = 2;
}
