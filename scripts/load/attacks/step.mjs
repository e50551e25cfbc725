/**
 * Loaded before the processes of a service: the time of day of those whose role has a file in the folder STEPPED is ahead by the
 * milliseconds in it. The monotonic clock stays.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { env } = process;
const role = basename(process.argv[1] ?? '', '.ts');
const file = join(env.STEPPED ?? '', role);
const system = Date;
let ahead = 0;

function look() {
  try {
    ahead = Number(readFileSync(file, 'utf8'));
  } catch {
    ahead = 0;
  }
}
look();
setInterval(look, 100).unref();

globalThis.Date = class extends system {
  constructor(...given) {
    if (given.length === 0) super(system.now() + ahead);
    else super(...given);
  }
  static now() {
    return system.now() + ahead;
  }
};
