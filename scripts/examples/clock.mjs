/**
 * Loaded before the processes of a demo: their time of day is ahead of the system's by AHEAD ms, or, of a role that has a file in
 * the folder CLOCKS, by the ms in it at the moment. The monotonic clock stays.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const { env } = process;
const system = Date;
let ahead = Number(env.AHEAD ?? 0);

function look() {
  try {
    ahead = Number(readFileSync(join(env.CLOCKS, basename(process.argv[1] ?? '', '.ts')), 'utf8'));
  } catch {
    ahead = 0;
  }
}
if (env.CLOCKS !== undefined) {
  look();
  setInterval(look, 100).unref();
}

globalThis.Date = class extends system {
  constructor(...given) {
    if (given.length === 0) super(system.now() + ahead);
    else super(...given);
  }
  static now() {
    return system.now() + ahead;
  }
};
