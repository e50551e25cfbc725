/** `npm run bench [-- front views parse books venues indicators …]`: every figure beside its reference of the same run. */
import { benchBooks } from './books.ts';
import { benchEvents } from './events.ts';
import { benchFreshness } from './freshness.ts';
import { benchFront } from './front.ts';
import { benchHistory } from './history.ts';
import { benchIndicatorService } from './indicator-service.ts';
import { benchIndicators } from './indicators.ts';
import { benchOnchain } from './onchain.ts';
import { benchOptions } from './options.ts';
import { benchParse } from './parse.ts';
import { benchQueries } from './queries.ts';
import { benchTables } from './tables.ts';
import { benchVenues } from './venues.ts';
import { benchViews } from './views.ts';

const benches = {
  front: benchFront,
  views: benchViews,
  parse: benchParse,
  books: benchBooks,
  venues: benchVenues,
  indicators: benchIndicators,
  'indicator-service': benchIndicatorService,
  freshness: benchFreshness,
  events: benchEvents,
  onchain: benchOnchain,
  queries: benchQueries,
  options: benchOptions,
  tables: benchTables,
  history: benchHistory,
};
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length > 0) {
  console.error(`no benchmark ${unknown.join(', ')}; there are ${Object.keys(benches).join(', ')}`);
  process.exit(2);
}
for (const [name, run] of Object.entries(benches)) {
  if (asked.length === 0 || asked.includes(name)) await run();
}
