/** Every value of the fixtures of a venue, of its streams and of its simulated histories replaced by others, one at a time. */
import type { Test } from 'tap';
import { messageOf } from '../../../../actors/read.ts';
import type { InstrumentMap } from '../../../../actors/sources/define.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { contextOf, fixture, received, unlessRefused } from '../fixtures.ts';
import {
  histories,
  lists,
  type Reading,
  short,
  simulation,
  snapshots,
  sortsIn,
  upstream,
  worldOf,
} from '../readings.ts';
import { listed, type StreamFixture, sameForm, streamFixtures } from '../stream-suite.ts';
import { allFinite } from './conformance.ts';
import { ownHistories } from './histories.ts';
import { streamedTrades } from './streamed-trades.ts';
import { ratesOf } from './streams.ts';
import { tradeReadings } from './trades.ts';

/** What may end as a number that is not finite; the first is an absent value. */
const values = [undefined, 'x', 0, '1e308', {}];

/** Each value in the body, of lists those of the first two rows and of the last one, and the body with another one there. */
export function* places(
  body: unknown,
  path = '',
): Generator<[string, (value: unknown) => unknown]> {
  if (typeof body !== 'object' || body === null) return;
  const entries = Object.entries(body);
  const isLong = Array.isArray(body) && (entries.length > 30 || typeof body[0] === 'object');
  for (const [at, [key, inner]] of entries.entries()) {
    if (isLong && at > 1 && at < entries.length - 1) continue;
    const put = (value: unknown) =>
      Array.isArray(body) ? body.with(at, value) : { ...body, [key]: value };
    yield [`${path}${key}`, put];
    for (const [deeper, inside] of places(inner, `${path}${key}.`))
      yield [deeper, (value) => put(inside(value))];
  }
}

/**
 * What is wrong with what is read of a body with another value in one of its places: numbers that are not finite. An error
 * that is no refusal ends the test.
 */
export function flawsOf({ name, bodies: whole, parse }: Reading): string[] {
  // Thousands of answers are refused, and a trace costs more than the reading.
  const traced = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const bodies = whole.map(short);
  const flaws: string[] = [];
  for (const [at, body] of bodies.entries()) {
    for (const [path, put] of places(body)) {
      for (const value of values) {
        const found = unlessRefused(() => ({ read: parse(bodies.with(at, put(value))) }));
        if (!allFinite(found)) flaws.push(`${name}: body ${at}: ${path}: ${JSON.stringify(value)}`);
      }
    }
  }
  Error.stackTraceLimit = traced;
  return flaws;
}

/** Books and candles of the last sort of market of each part. */
const pages = (venue: Venue): Reading[] =>
  venue.parts.flatMap((part) =>
    (['orderBook', 'candles'] as const).flatMap((name): Reading[] => {
      const query = venue.queries[name];
      const instrument = sortsIn(contextOf(venue, part).instruments)[0];
      if (!query || !instrument) return [];
      const ask = { market: instrument.market, part, instrument };
      const word = name === 'candles' ? name : 'order-book';
      const bodies = [fixture(venue, `${part}-${word}`)];
      return [{ name: `${name} of ${part}`, bodies, parse: ([body]) => query.parse(body, ask) }];
    }),
  );

const prices = streamFixtures<unknown>('live-prices');
const rates = streamFixtures<unknown>('live-rates');
const events = streamFixtures<unknown>('liquidations');

/** What a stream makes of a message, besides its rows. */
interface Heard {
  reply?(message: unknown): string | null;
  acknowledges?(message: unknown): number;
  ends?(message: unknown): boolean;
  concerns?(text: string): boolean;
}

type Parse = (
  message: unknown,
  context: { received: number; instruments: InstrumentMap; connection: object },
) => unknown;

/** Messages that are read one after another on one connection. */
const told = (
  name: string,
  { bodies, instruments }: { bodies: readonly unknown[]; instruments: InstrumentMap },
  stream: Heard & { parse: Parse },
): Reading => ({
  name: `stream of ${name}`,
  bodies,
  parse(messages) {
    const at = { received, instruments, connection: {} };
    return messages.map((message) => [
      unlessRefused(() => stream.parse(message, at) ?? 'nothing') ?? 'refused',
      stream.reply?.(message),
      stream.acknowledges?.(message),
      stream.ends?.(message),
      stream.concerns?.(`${JSON.stringify(message)}`),
    ]);
  },
});

const inFixture = (
  name: string,
  fixture: StreamFixture<unknown> | undefined,
  stream: Heard & { parse: Parse },
): Reading[] => {
  if (!fixture) return [];
  const { other, refused = [], messages, instruments } = fixture;
  const bodies = [...other, ...messages, ...refused];
  return [told(name, { bodies, instruments: listed(instruments) }, stream)];
};

/** What the simulator says of one book, with its answer to the subscription first. */
function booksOf(venue: Venue): Reading[] {
  const { own, model, now } = simulation(venue);
  return Object.entries(venue.books ?? {}).flatMap(([part, stream]) => {
    const instruments = worldOf(venue, part, upstream(venue));
    const [market] = sortsIn(instruments);
    if (!stream || !market || !own.channels) return [];
    const { hostname: host, pathname: path } = new URL(stream.url);
    const frames = [
      ...(stream.opening ?? []),
      ...stream.channels(new Map([[market.market, market]])),
    ];
    const replies = frames.flatMap((frame) => own.reply?.(frame) ?? []);
    const names = frames.flatMap((frame) => own.channels?.named(frame, { host, path }) ?? []);
    const parsed = [true, false].flatMap(
      (first) => own.channels?.messages(new Set(names), { now, model, first }) ?? [],
    );
    const numbered = parsed.map((one, at) => own.channels?.numbered?.(one, at) ?? one);
    const { other = [], refused = [] } = prices[`${venue.id}/${part}`] ?? {};
    const bodies = [
      ...replies.map(messageOf),
      ...JSON.parse(JSON.stringify(numbered.slice(0, 6))),
      ...other,
      ...refused,
      'pong',
    ];
    return [told(`books of ${part}`, { bodies, instruments }, stream)];
  });
}

const streams = (venue: Venue): Reading[] => [
  ...Object.entries(venue.live?.prices ?? {}).flatMap(([part, stream]) => {
    const name = `${venue.id}/${part}`;
    return inFixture(`prices of ${part}`, prices[sameForm[name] ?? name], stream);
  }),
  ...ratesOf(venue).flatMap(({ topic, name, of, stream }) => {
    const form = sameForm[name] ?? name;
    const fixture = of === 'prices' ? prices[form] : rates[`${of} ${form}`];
    return inFixture(`${topic} of ${name}`, fixture, stream);
  }),
  ...Object.entries(venue.events?.liquidations ?? {}).flatMap(([part, stream]) =>
    inFixture(`liquidations of ${part}`, events[`${venue.id}/${part}`], stream),
  ),
  ...booksOf(venue),
];

export function damage(t: Test, venue: Venue): void {
  const newest = histories(venue).filter(({ name }) => name.endsWith(' 1h'));
  const bodies = [...lists(venue), ...pages(venue), ...tradeReadings(venue), ...snapshots(venue)];
  const all = [
    ...bodies,
    ...streams(venue),
    ...streamedTrades(venue),
    ...newest,
    ...ownHistories(venue),
  ];
  t.strictSame(all.flatMap(flawsOf), []);
}
