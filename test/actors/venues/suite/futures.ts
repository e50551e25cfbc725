/** Dated futures of an exchange that is followed for them, against the simulated world. */
import type { Test } from 'tap';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import { datedMarkets } from '../../../../actors/sources/polling/plan.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { FutureRow, Instrument, MarketTopic } from '../../../../actors/topics/index.ts';
import type { Market } from '../../../../scripts/simulator/market.ts';
import { feedTopics, ownPoll, pollOf } from '../fixtures.ts';
import { simulation, upstream, worldOf } from '../readings.ts';

/** An exchange in the world of the simulator: its dated futures, and what it answers. */
function entered(venue: Venue) {
  const { model, now } = simulation(venue);
  const answer = upstream(venue);
  const dated = model.markets(venue.id, now).filter(({ expires }) => expires !== undefined);
  const listOf = (part: string) => worldOf(venue, part, answer);
  /** What a poll of a topic of a part brings. */
  const bodiesOf = (topic: MarketTopic, part: string, instruments: InstrumentMap) => {
    const feed = ownPoll(venue, topic, part);
    const kinds = topic === 'futures' ? datedMarkets(instruments, now) : [];
    const markets =
      feed.rotates && topic !== 'futures' ? [...instruments.keys()].slice(0, 9) : kinds;
    return feed.requests({ markets, now }).map(answer);
  };
  return { venue, model, now, dated, listOf, bodiesOf };
}
type Entered = ReturnType<typeof entered>;

/** Values that are not within `share` of the truth, in words. */
const wrong = (
  row: object | undefined,
  wanted: Readonly<Record<string, number>>,
  share: number,
): string[] =>
  Object.entries(wanted).flatMap(([name, truth]) => {
    const found: unknown = Object(row)[name];
    const isNear = typeof found === 'number' && Math.abs(found / truth - 1) <= share;
    return isNear ? [] : [`${name} is ${found}, not ${truth}`];
  });

/** What is listed and polled of all parts. */
function everything({ venue, now, listOf, bodiesOf }: Entered) {
  const rows: FutureRow[] = [];
  const listed: Instrument[] = [];
  for (const part of venue.parts) {
    const instruments = listOf(part);
    listed.push(...[...instruments.values()].filter(({ kind }) => kind === 'future'));
    if (!pollOf(venue, 'futures', part)) continue;
    const bodies = bodiesOf('futures', part, instruments);
    const context = { received: now, instruments };
    rows.push(...ownPoll(venue, 'futures', part).parse(bodies, context).rows);
  }
  return { listed, rows };
}

/** The prices and amounts that the simulated world has. */
function truthOf({ model, now }: Entered, market: Market) {
  const { scale, venue } = market;
  const [exact, index] = [market.exact(now), market.index(now)];
  const base = market.openInterest(now);
  const { turnover, base: traded, close } = model.last24h(market, now);
  // OKX states base, valued at the last price.
  const volume = venue === 'okx' ? traded * close : turnover;
  return {
    prices: { mark: exact / scale, index: index / scale },
    amounts: { units: base * scale, value: base * exact, volume },
  };
}

export function futures(t: Test, venue: Venue): void {
  if (!venue.feeds.futures) return;
  t.test('lists and rows of dated futures are what the simulated world says', async (t) => {
    const world = entered(venue);
    const { dated } = world;
    const expiries = new Set(dated.map(({ expires }) => expires));
    t.ok(expiries.size >= 2, 'the next two quarters are listed');
    const { listed, rows } = everything(world);
    const names = dated.map((market) => market.id).sort();
    t.strictSame(listed.map(({ market }) => market).sort(), names, 'all are listed, and no other');
    t.strictSame(rows.map(({ market }) => market).sort(), names, 'each has one row');
    for (const market of dated) {
      const { scale, contract, inverse, symbol, quote, expires = 0 } = market;
      const facts = listed.find((one) => one.market === market.id);
      t.match(facts, { scale, contract, inverse, symbol, quote, expiry: expires, kind: 'future' });
      const row = rows.find((one) => one.market === market.id);
      t.match(row, { symbol, quote, inverse, expiry: expires });
      const { prices, amounts } = truthOf(world, market);
      t.strictSame(wrong(row, prices, 1e-5), [], market.id);
      // Contracts are whole, and of 100 US dollars each where they are inverse.
      t.strictSame(wrong(row, amounts, 1e-3), [], market.id);
    }
  });

  t.test('no other topic has a row of a dated future', async (t) => {
    const { now: received, listOf, bodiesOf, ...world } = entered(venue);
    const dated = new Set(world.dated.map((market) => market.id));
    for (const topic of feedTopics.filter((name) => name !== 'instruments')) {
      for (const part of venue.parts) {
        const feed = pollOf(venue, topic, part);
        const instruments = listOf(part);
        const kinds = [...instruments.values()].map(({ kind }) => kind);
        if (!feed || !kinds.some((kind) => kind === 'spot' || kind === 'perpetual')) continue;
        const bodies = bodiesOf(topic, part, instruments);
        const now = feed.parse(bodies, { received, instruments });
        t.strictSame(
          now.rows.filter(({ market }) => dated.has(market)),
          [],
          `${topic} of ${part}`,
        );
        const without = new Map(
          [...instruments].map(([name, { expiry: _, ...one }]) => [
            name,
            one.kind === 'future' ? { ...one, kind: 'other' as const } : one,
          ]),
        );
        const before = feed.parse(bodies, { received, instruments: without });
        t.strictSame(now, before, 'the rows are those of a list that does not know them');
      }
    }
  });
}
