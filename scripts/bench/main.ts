/** `npm run bench [-- front parse books …]`: every figure beside its reference of the same run. */
import { execFileSync } from 'node:child_process';
import { benchBooks } from './books.ts';
import { benchFreshness } from './freshness.ts';
import { benchFront } from './front.ts';
import { benchHistory } from './history.ts';
import { benchIndicators } from './indicators.ts';
import { benchLive } from './live.ts';
import { benchParse } from './parse.ts';
import { benchPush } from './push.ts';
import { benchQueries } from './queries.ts';

const benches = {
  front: benchFront,
  parse: benchParse,
  books: benchBooks,
  indicators: benchIndicators,
  freshness: benchFreshness,
  live: benchLive,
  push: benchPush,
  queries: benchQueries,
  history: benchHistory,
};
const asked = process.argv.slice(2);
if (asked.includes('--help')) {
  console.log(`usage: npm run bench -- [NAME…], of ${Object.keys(benches).join(', ')}`);
  process.exit(0);
}
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
const chosen = Object.entries(benches).filter(
  ([name]) => asked.length === 0 || asked.includes(name),
);
for (const [name, run] of chosen) {
  // Each in a process of its own: what one leaves to the compiler and the garbage collector would count in the next.
  if (chosen.length === 1) await run();
  else execFileSync(process.execPath, [import.meta.filename, name], { stdio: 'inherit' });
}
