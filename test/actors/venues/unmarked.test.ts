/**
 * What a number that arrives a thousand times too large or too small costs: nothing that is served may jump without a mark. Each
 * number in the lists and candles of all exchanges, as the simulator answers, is damaged by itself.
 */
import t from 'tap';
import type { AnyRow, Parsed } from '../../../actors/sources/define.ts';
import { VenueEvidence } from '../../../actors/sources/evidence.ts';
import { feedUses } from '../../../actors/sources/feed-uses.ts';
import { FrozenGuard } from '../../../actors/sources/frozen.ts';
import { OtherPrices } from '../../../actors/sources/other-prices.ts';
import { Publisher } from '../../../actors/sources/publisher.ts';
import { StatusRow } from '../../../actors/sources/status.ts';
import type { SharedPoll, Venue } from '../../../actors/sources/venue.ts';
import type { PriceRow, Reading } from '../../../actors/topics/index.ts';
import { venues } from '../../../actors/venues/registry.ts';
import { FakeClock } from '../../support/clock.ts';
import { contextOf, type FeedPart, feedParts, fixture } from './fixtures.ts';
import { short, simulation, sortsIn, upstream, worldOf } from './readings.ts';
import { unlessRefused } from './stage.ts';
import { places } from './suite/damage.ts';

const factors = [1_000, 0.001, 10, 0.1, -1, 0];
/** The value damaged in its own form; undefined for one that is no number. */
function damaged(value: unknown, factor: number): unknown {
  if (typeof value === 'number' && value !== 0) return value * factor;
  if (typeof value !== 'string' || !/^-?\d*\.?\d+$/.test(value) || Number(value) === 0) return;
  return String(Number((Number(value) * factor).toPrecision(12)));
}

const at = (body: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => Object(value)[key], body);

const times = /^(stated|next_funding|received)$/;

/** Where a share of the value says little: percentage points, and fractions. */
const absolute: Readonly<Record<string, number>> = {
  change: 30,
  funding_rate: 0.01,
  funding_rate_8h: 0.01,
  predicted_rate: 0.01,
  premium: 0.01,
};

/** The columns of a row that are another number than before, beyond 30 %. */
function jumps(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) => {
    const was: unknown = old.get(name);
    if (typeof value !== 'number' || typeof was !== 'number' || times.test(name)) return [];
    const bound = absolute[name] ?? 0.3 * Math.abs(was);
    return Math.abs(value - was) > bound ? [name] : [];
  });
}

/** What a poll publishes: its rows, and the markets that its status or the reading names. */
interface Published {
  rows: readonly AnyRow[];
  named: ReadonlySet<string>;
}

const nothing: Published = { rows: [], named: new Set() };

interface Case {
  name: string;
  bodies: readonly unknown[];
  publish(bodies: readonly unknown[]): Promise<Published | null>;
}

/** Each number in the bodies by itself damaged, with the name of its place. */
function* damagedBodies(bodies: readonly unknown[]): Generator<[string, readonly unknown[]]> {
  for (const [index, body] of bodies.entries()) {
    for (const [path, put] of places(body)) {
      for (const factor of factors) {
        const value = damaged(at(body, path), factor);
        if (value !== undefined) yield [`${path} ×${factor}`, bodies.with(index, put(value))];
      }
    }
  }
}

/** Bodies damaged in one number, and of those the ones whose rows jump without a mark. */
async function measure({ name, bodies, publish }: Case) {
  const good = await publish(bodies);
  const old = new Map(good?.rows.map((row) => [row.market, row]));
  let all = 0;
  const unmarked: string[] = [];
  for (const [place, body] of damagedBodies(bodies)) {
    all += 1;
    const { rows, named } = (await publish(body)) ?? nothing;
    const moved = rows
      .filter(({ market }) => !named.has(market))
      .flatMap((row) => jumps(old.get(row.market) ?? {}, row));
    if (moved.length > 0) unmarked.push(`${name} ${place}: ${[...new Set(moved)]}`);
  }
  return { all, unmarked };
}

const worlds = Object.values(venues).map((venue) => {
  const answer = upstream(venue);
  const { now } = simulation(venue);
  const parts = new Map(venue.parts.map((part) => [`${part}`, worldOf(venue, part, answer)]));
  return { venue, answer, now, parts };
});
type OneWorld = (typeof worlds)[number];

function bodiesOf({ answer, now, parts }: OneWorld, { feed, part }: FeedPart) {
  const instruments = parts.get(part) ?? new Map();
  const markets = [...instruments.values()]
    .filter(({ kind }) => kind !== 'other')
    .map(({ market }) => market)
    .slice(0, 6);
  return feed.requests({ markets, now }).map(answer).map(short);
}

const others = new OtherPrices();
const clock = new FakeClock(worlds[0]?.now ?? 0);

type Counts = Readonly<Record<string, number>>;

const hasMore = (counts: Counts, usual: Counts): boolean =>
  Object.entries(counts).some(([code, count]) => count > (usual[code] ?? 0));

/** The case of a topic of a part: the whole body is published first, then each damaged one beside it. */
function caseOf(world: OneWorld, feedPart: FeedPart): Case {
  const { venue, now, parts } = world;
  const { topic, part, feed } = feedPart;
  const instruments = parts.get(part) ?? new Map();
  const evidence = new VenueEvidence(venue.id, { clock, others });
  let previous: Reading<AnyRow> | undefined;
  let usual: Counts | undefined;
  const publish = async (bodies: readonly unknown[]): Promise<Published | null> => {
    const uses = feedUses({ guard: new FrozenGuard(), evidence, live: null });
    const check = uses[topic]?.checks?.();
    const named = new Set<string>();
    let found: Reading<AnyRow> | undefined;
    const publisher = new Publisher<AnyRow>({
      source: venue.id,
      topic,
      part,
      parse(all, context) {
        const parsed: Parsed<AnyRow> = feed.parse(all, context);
        for (const { key } of parsed.dropped) named.add(key);
        return parsed;
      },
      partial: false,
      previous: async () => previous,
      publish: async (reading) => {
        found = reading;
        return null;
      },
      status: new StatusRow({ source: venue.id, topic, part }, () => {}),
      watch: () => false,
      onUnknown() {},
      ...(check && { check }),
    });
    await publisher.open();
    const gathered = { bodies, asked: now, received: now, lost: 0, missing: null };
    await publisher.take(gathered, { received: now, instruments });
    if (!found) return null;
    previous ??= found;
    const { dropped } = publisher.status.values;
    usual ??= dropped;
    const isNamed = hasMore(dropped, usual);
    return {
      rows: found.rows,
      named: isNamed ? new Set(found.rows.map(({ market }) => market)) : named,
    };
  };
  return { name: `${venue.id} ${topic} of ${part}`, bodies: bodiesOf(world, feedPart), publish };
}

for (const world of worlds) {
  for (const one of feedParts(world.venue).filter(({ topic }) => topic === 'prices')) {
    const { now, parts, venue } = world;
    const instruments = parts.get(one.part) ?? new Map();
    const prices: Readonly<Record<string, Pick<SharedPoll<PriceRow>, 'parse'>>> =
      venue.feeds.prices.parts;
    const rows = prices[one.part]?.parse(bodiesOf(world, one), { received: now, instruments }).rows;
    others.accept({
      source: venue.id,
      part: one.part,
      asked: now,
      received: now,
      rows: rows ?? [],
    });
  }
}

t.test('less than 1 % of damaged lists serve a number that jumped without a mark', async (t) => {
  let all = 0;
  const unmarked: string[] = [];
  for (const world of worlds) {
    for (const one of feedParts(world.venue)) {
      const found = await measure(caseOf(world, one));
      all += found.all;
      unmarked.push(...found.unmarked);
    }
  }
  t.comment(`${unmarked.length} of ${all} damaged bodies`);
  t.ok(all > 40_000, 'all lists are damaged');
  t.ok(unmarked.length < 0.01 * all, unmarked.slice(0, 20).join('\n'));
  // A leverage is stated once, a 24 h sum of WOO X is made of hours of which one jumped.
  const others = unmarked.filter(
    (one) => !/max_leverage$|^woo prices of spot .*: volume$/.test(one),
  );
  t.strictSame(others, [], 'and what remains is known');
});

/** Paths of the damaged places of which a candle is served that is a hundred times off. */
function farWicks(venue: Venue, part: string): string[] {
  const { candles } = venue.queries;
  const instrument = sortsIn(contextOf(venue, part).instruments)[0];
  if (!candles || !instrument) return [];
  const body = short(fixture(venue, `${part}-candles`));
  const ask = { market: instrument.market, part, instrument };
  const read = (one: unknown) => unlessRefused(() => candles.parse(one, ask)) ?? [];
  const highest = Math.max(...read(body).map(({ high }) => high)) * 100;
  const lowest = Math.min(...read(body).map(({ low }) => low)) / 100;
  return [...places(body)].flatMap(([path, put]) =>
    [1_000, 0.001].flatMap((factor) => {
      const value = damaged(at(body, path), factor);
      const found = value === undefined ? [] : read(put(value));
      const isFar = found.some(({ high, low }) => high > highest || low < lowest);
      return isFar ? [`${venue.id} ${part} ${path} ×${factor}`] : [];
    }),
  );
}

t.test('no candle is served whose high or low is of another unit', async (t) => {
  const found = worlds.flatMap(({ venue }) => venue.parts.flatMap((part) => farWicks(venue, part)));
  t.strictSame(found, []);
});
