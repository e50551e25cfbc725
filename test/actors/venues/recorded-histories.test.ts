/** Recorded answers with histories: the points that are in them by the documents of the exchange, oldest first. */
import t from 'tap';
import type { Venue } from '../../../actors/sources/venue.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { instrument } from '../../support/makers.ts';
import { absent, recording } from '../../support/recordings.ts';
import { numberIn, type Row, tableOf, wordIn } from '../../support/table.ts';
import { rounded } from './stream-suite.ts';
import { isHistory } from './suite/ranges.ts';

const now = 1_790_000_000_000;

/** A history, its recording and market, and a point of it; `at` counts the points. */
const recorded = tableOf('recorded/points');
/** Long and short, and what takers bought and sold. */
const shares = tableOf('recorded/shares');

/** The points that a history has in its recording. */
function pointsIn({ venue: id, history, file, part, market, contract, inverse }: Row) {
  const venue: Venue = venues[wordIn(id) as keyof typeof venues];
  const found = Object.entries<object>(venue.queries).filter(isHistory);
  const query = found.find(([name]) => name === history)?.[1];
  // The hours of today, which say nothing of an old row.
  const funding_hours = 4;
  const facts = { contract: numberIn(contract ?? 1), inverse: inverse === true, funding_hours };
  const asked = { market: wordIn(market), part: wordIn(part), now, limit: 100 };
  const series = { ...asked, interval: '1h', of: 'accounts' } as const;
  const body = recording(venue.id, wordIn(file))?.response;
  return query?.parse([body], { ...series, instrument: instrument(facts) }, now).points;
}

t.test('recorded points', { skip: absent }, async (t) => {
  for (const row of [...recorded, ...shares]) {
    const { venue, history, file, part: _, market: __, contract: ___, inverse, at, ...point } = row;
    const found = pointsIn(row)?.at(numberIn(at));
    t.match(rounded(found), rounded(point), `${venue} ${history} ${file} ${at}`);
  }
});
