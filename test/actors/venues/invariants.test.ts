/**
 * Invariants on every row that leaves a parser: of all fixtures, of all recordings and of the bodies of the simulator, by poll and
 * on demand. What streams say is stated whole beside their fixtures.
 */
import t, { type Test } from 'tap';
import { type InstrumentMap, type Parsed, validRows } from '../../../actors/sources/define.ts';
import type { MarketAsk } from '../../../actors/sources/queries/forms.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { tidy } from '../../../indicators/market/candles.ts';
import { guardedAny } from '../../support/guarded.ts';
import { absent } from '../../support/recordings.ts';
import { bodiesOf, contextOf, feedPart, feedParts, fixture, received } from './fixtures.ts';
import { broken, repeated } from './invariants.ts';
import {
  bodyOf,
  contextOf as contextOfRecorded,
  handMade,
  type Recorded,
  reader,
  type Stage,
} from './probes/recorded.ts';
import { histories, simulation, sortsIn, upstream, worldOf } from './readings.ts';
import { subjectsOf } from './subjects/index.ts';

const hour = 3_600_000;

interface Bodies {
  topic: string;
  bodies: readonly unknown[];
  parse(bodies: readonly unknown[]): Parsed<{ market: string }>;
  /** Unix ms. */
  now: number;
}

/** Counts the rows that were looked at. */
class Looked {
  rows = 0;
  readonly wrong: string[] = [];

  rowsOf(kind: string, rows: readonly unknown[], now: number): void {
    this.rows += rows.length;
    this.wrong.push(...broken(kind, rows, now).map((what) => `${kind}: ${what}`));
  }

  /** A topic as the service publishes it. */
  feed({ topic, bodies, parse, now }: Bodies): void {
    const found = validRows(() => parse(bodies));
    if (!found.ok) return;
    const { rows } = guardedAny(topic, found.value, now);
    this.rowsOf(topic, rows, now);
    this.wrong.push(...repeated(rows, 'market').map((one) => `${one} stands twice`));
  }

  candles(venue: Venue, body: unknown, ask: MarketAsk, now: number): void {
    const bars = venue.queries.candles?.parse(body, ask) ?? [];
    // Every opening of an interval is one of a minute; that of a documented sample may be none.
    const { candles: found } = tidy(bars, { interval: '1m', now });
    this.rowsOf('candles', found, now);
    this.wrong.push(...repeated(found, 'timestamp').map((one) => `two candles of ${one}`));
  }

  book(venue: Venue, body: unknown, ask: MarketAsk, now: number): void {
    const found = venue.queries.orderBook?.parse(body, ask);
    this.rowsOf('books', [...(found?.bids ?? []), ...(found?.asks ?? [])], now);
  }

  report(t: Test, name: string): void {
    t.strictSame(this.wrong, [], 'every row can be true');
    t.not(this.rows, 0, 'there are rows');
    t.comment(`${name}: ${this.rows} rows`);
  }
}

function lookAtFixtures(venue: Venue): Looked {
  const looked = new Looked();
  for (const { topic, part, feed, fixture: name } of feedParts(venue)) {
    const at = contextOf(venue, part);
    const parse: Bodies['parse'] = (bodies) => feed.parse(bodies, at);
    looked.feed({ topic, bodies: bodiesOf(venue, name), parse, now: received });
  }
  for (const { parse } of Object.values(venue.feeds.options?.parts ?? {}).slice(0, 1))
    looked.feed({
      topic: 'options',
      bodies: bodiesOf(venue, 'options'),
      parse: (bodies) => parse(bodies, { received, instruments: new Map() }).options,
      now: received,
    });
  for (const part of venue.parts) {
    const [instrument] = contextOf(venue, part).instruments.values();
    if (!instrument) continue;
    const ask = { market: instrument.market, part, instrument };
    looked.candles(venue, fixture(venue, `${part}-candles`), ask, received + hour);
    looked.book(venue, fixture(venue, `${part}-order-book`), ask, received);
  }
  return looked;
}

/** Recordings have times of all years. */
const today = Date.UTC(2027, 0);

function lookAtSubject(looked: Looked, stage: Stage, { topic, part, ...about }: Recorded): void {
  const { venue, row } = stage;
  const { instruments } = contextOfRecorded(stage, part, about.known);
  const bodies = about.bodies.map((body) => bodyOf(stage, body));
  const { market = '' } = about;
  const ask = {
    market,
    part,
    instrument: about.instrument ?? instruments.get(market) ?? handMade(market),
  };
  const now = row.received ?? today;
  if (topic === 'candles') looked.candles(venue, bodies[0], ask, today);
  else if (topic === 'books') looked.book(venue, bodies[0], ask, today);
  else {
    const parse: Bodies['parse'] = (all) => {
      const found = feedPart(venue, topic, part)?.feed.parse(all, { received: now, instruments });
      return found ?? { rows: [], dropped: [] };
    };
    looked.feed({ topic, bodies, parse, now });
  }
}

async function lookAtRecordings(venue: Venue): Promise<Looked> {
  const looked = new Looked();
  const { recorded: row } = await subjectsOf(venue.id);
  const read = reader(venue.id);
  const stage = { venue, row, read, exchange: await row.load(read) };
  for (const about of row.bodies) lookAtSubject(looked, stage, about);
  return looked;
}

/** A book and candles of a market of each sort. */
function lookAtMarkets(looked: Looked, venue: Venue, [part, instruments]: [string, InstrumentMap]) {
  const { now } = simulation(venue);
  const answer = upstream(venue);
  const { candles, orderBook } = venue.queries;
  const interval = candles?.intervals['1h'];
  for (const instrument of sortsIn(instruments)) {
    const ask = { market: instrument.market, part, instrument };
    if (candles && interval)
      looked.candles(
        venue,
        answer(candles.request({ ...ask, interval, limit: 20, now })),
        ask,
        now,
      );
    if (orderBook)
      looked.book(venue, answer(orderBook.request({ ...ask, depth: 20, now })), ask, now);
  }
}

function lookAtSimulator(venue: Venue): Looked {
  const looked = new Looked();
  const { now } = simulation(venue);
  const answer = upstream(venue);
  const worlds = new Map<string, InstrumentMap>();
  for (const part of venue.parts) worlds.set(part, worldOf(venue, part, answer));
  for (const { topic, part, feed } of feedParts(venue)) {
    const instruments = worlds.get(part) ?? new Map<string, Instrument>();
    const markets = feed.names?.(instruments) ?? sortsIn(instruments).map(({ market }) => market);
    const bodies = feed.requests({ markets, now }).map(answer);
    const parse: Bodies['parse'] = (all) => feed.parse(all, { received: now, instruments });
    looked.feed({ topic, bodies, parse, now });
  }
  for (const world of worlds) lookAtMarkets(looked, venue, world);
  for (const { bodies, parse } of histories(venue)) {
    const points = parse(bodies);
    if (!Array.isArray(points)) throw new Error('a history without points');
    looked.rowsOf('points', points, now);
    looked.wrong.push(...repeated(points, 'timestamp').map((one) => `two points of ${one}`));
  }
  return looked;
}

for (const venue of Object.values<Venue>(venues)) {
  t.test(`${venue.id}: fixtures`, async (t) =>
    lookAtFixtures(venue).report(t, `${venue.id}: fixtures`),
  );
  t.test(`${venue.id}: simulator`, async (t) =>
    lookAtSimulator(venue).report(t, `${venue.id}: simulator`),
  );
  t.test(`${venue.id}: recordings`, { skip: absent }, async (t) =>
    (await lookAtRecordings(venue)).report(t, `${venue.id}: recordings`),
  );
}
