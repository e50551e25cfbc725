/** Polls and questions answered by the fixtures of a venue, `test/fixtures/<venue>/<part>-<what>.json`. */
import { readFileSync } from 'node:fs';
import { isRecord } from '../../actors/read.ts';
import type { Instrument } from '../../actors/topics.ts';
import type { MarketAsk, Parsed, SharingFeed, Venue } from '../../actors/venues/venue.ts';

export const received = 1_750_000_001_000;

/** The bodies of one poll: a fixture of several has them in `bodies`. */
export function bodiesOf(venue: Venue, name: string): unknown[] {
  const file = new URL(`../fixtures/${venue.id}/${name}.json`, import.meta.url);
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(content) && Array.isArray(content.bodies) ? content.bodies : [content];
}

/** The only body of a question. */
export const bodyOf = (venue: Venue, name: string): unknown => bodiesOf(venue, name)[0];

/** The instruments of a part, every row of them. */
export function listed(venue: Venue, part: string): Map<string, Instrument> {
  const bodies = bodiesOf(venue, `${part}-instruments`);
  const context = { received, instruments: new Map<string, Instrument>() };
  const rows = venue.feeds.instruments.parts[part]?.parse(bodies, context).rows ?? [];
  return new Map(rows.map((row) => [row.market, row]));
}

/** A feed's rows of a part, from the fixture `what`. */
export function polled<Row>(
  venue: Venue,
  feed: SharingFeed<Row>,
  [part, what]: readonly [part: string, what: string],
  instruments = listed(venue, part),
): Parsed<Row> {
  const found = feed.parts[part];
  if (!found) throw new Error(`no ${part}`);
  return found.parse(bodiesOf(venue, `${part}-${what}`), { received, instruments });
}

/** A question about a market of the list. */
export const askOf = (venue: Venue, part: string, market: string): MarketAsk => ({
  market,
  part,
  instrument: listed(venue, part).get(market) ?? null,
});
