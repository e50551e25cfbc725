/**
 * What holds for every stream beside the polls of a feed, proven on its fixture,
 * `test/fixtures/<venue>/<part>-<topic>-stream.json`: `{ "messages": [...] }` as they come after the subscription, one
 * that is not about data among them. A stream without one fails here, and so does one that the simulator does not serve.
 */
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import { isRecord } from '../../../../actors/read.ts';
import type { LatestStream } from '../../../../actors/sources/stream.ts';
import { LatestFold } from '../../../../actors/sources/stream-fold.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import { createHttpClient } from '../../../../actors/upstream/client.ts';
import { messageOf } from '../../../../actors/upstream/frames.ts';
import { createSocket } from '../../../../actors/upstream/socket.ts';
import { startSimulator } from '../../../../scripts/simulator/main.ts';
import { FakeClock } from '../../../support/clock.ts';
import { until } from '../../../support/until.ts';
import { contextOf, feedTopics, fixture, received } from '../fixtures.ts';

interface Row {
  market: string;
}

interface Streamed {
  venue: Venue;
  part: string;
  name: string;
  stream: LatestStream<Row>;
}

/** Every stream of the venue; the rows of one topic go into no other. */
const streamsOf = (venue: Venue): Streamed[] =>
  venue.parts.flatMap((part) =>
    feedTopics.flatMap((topic) => {
      const stream: LatestStream<Row> | undefined = venue.feeds[topic]?.streams?.[part];
      return stream ? [{ venue, part, name: `${part}-${topic}-stream`, stream }] : [];
    }),
  );

function messagesOf({ venue, name }: Streamed): readonly unknown[] {
  const content = fixture(venue, name);
  if (!isRecord(content) || !Array.isArray(content.messages)) throw new Error(`${name}: messages`);
  return content.messages;
}

/** The message once for every place in it, with `garbage` there. */
function* broken(message: unknown, garbage: unknown): Generator<unknown> {
  if (!isRecord(message)) return;
  for (const [key, inner] of Object.entries(message)) {
    yield { ...message, [key]: garbage };
    for (const deeper of broken(inner, garbage)) yield { ...message, [key]: deeper };
  }
}

/** Paths of every number in `value` that is not finite. */
function notFinite(value: unknown, path = ''): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => notFinite(inner, `${path}.${key}`));
}

/** What the parser makes of it; null where it refuses it. Any error but a ShapeError is a bug. */
function attempt({ stream, venue, part }: Streamed, message: unknown) {
  try {
    return stream.parse(message, contextOf(venue, part));
  } catch (error) {
    if (error instanceof ShapeError) return null;
    throw error;
  }
}

async function sound(t: Test, one: Streamed) {
  const { url, silence, keepAlive } = one.stream;
  t.ok(url.startsWith('wss://'), url);
  t.ok(silence >= 1_000 && silence <= 300_000, 'dead before its rows are too old');
  t.ok((keepAlive?.every ?? Infinity) >= 1_000, 'the venue is not flooded');
  const { instruments } = contextOf(one.venue, one.part);
  t.not(one.stream.channels(instruments).length, 0, 'it asks for something');
}

async function fixtures(t: Test, one: Streamed) {
  const { stream, venue, part } = one;
  const context = contextOf(venue, part);
  const parsed = messagesOf(one).map((message) => stream.parse(message, context));
  t.ok(parsed.includes(null), 'what is not about data is passed over');
  const rows = parsed.flatMap((found) => found?.rows ?? []);
  t.not(rows.length, 0, 'there are rows');
  for (const { market } of rows) t.equal(context.instruments.get(market)?.kind, 'perpetual');
  t.strictSame(notFinite(parsed), []);
  const [row] = rows;
  if (!row) return;
  const merged = stream.merge?.(row, row) ?? row;
  t.equal(merged.market, row.market, 'a merged row is of the same market');
  t.strictSame(notFinite(merged), []);
}

async function anything(t: Test, one: Streamed) {
  const { stream, venue, part } = one;
  for (const message of ['', 'hello', '<html>', null, 7, true, [], {}, { data: [] }]) {
    t.throws(() => stream.parse(message, contextOf(venue, part)), ShapeError, `no ${message}`);
    t.equal(stream.reply?.(message) ?? null, null, 'and it gets no reply');
  }
  const bad: unknown[] = [];
  let tried = 0;
  for (const garbage of [null, '', 'NaN', 'Infinity', '-1', '1e308', 0, true, {}, [], '<html>']) {
    for (const message of messagesOf(one)) {
      for (const changed of broken(message, garbage)) {
        tried++;
        bad.push(...notFinite(attempt(one, changed)).map((path) => [garbage, path]));
      }
    }
  }
  t.ok(tried > 50, 'there was something to break');
  t.strictSame(bad, [], 'never a number that is none');
}

/** The simulator knows the host and tells rows of every perpetual to whoever subscribes. */
async function simulated(t: Test, { stream, venue, part }: Streamed) {
  const clock = new FakeClock(received);
  const simulator = await startSimulator({ symbols: 16, clock });
  t.teardown(() => simulator.close());
  const instruments = await listed(venue, part, simulator.url);
  const fold = new LatestFold<Row>(stream, 300_000);
  const socket = createSocket({
    ...{ url: stream.url, gateway: simulator.url, silence: stream.silence, clock },
    subscribe: () => stream.channels(instruments),
    onMessage: (text) => fold.accept(messageOf(text), { received, instruments }),
  });
  t.teardown(() => socket.close());
  await until(() => fold.intake.received !== null, 'there is data');
  t.same(fold.intake.unused, {});
  const { rows, dropped } = fold.take();
  t.strictSame(dropped, []);
  const perpetuals = [...instruments.values()].filter(({ kind }) => kind === 'perpetual');
  t.strictSame(
    rows.map(({ market }) => market).sort(),
    perpetuals.map(({ market }) => market).sort(),
    'every perpetual',
  );
}

/** The venue's instruments, as the simulator lists them. */
async function listed(venue: Venue, part: string, gateway: string) {
  const listing = venue.feeds.instruments.parts[part];
  const client = createHttpClient({ source: venue.id, apis: venue.apis, gateway });
  const bodies: unknown[] = [];
  for (const request of listing?.requests({ markets: [], now: received }) ?? []) {
    const answer = await client.send(request, { deadline: 10_000 });
    bodies.push(answer.ok ? answer.value.body : undefined);
  }
  await client.close();
  const { rows } = listing?.parse(bodies, { received, instruments: new Map() }) ?? { rows: [] };
  return new Map(rows.map((row) => [row.market, row]));
}

export function feedStreams(t: Test, venue: Venue): void {
  for (const one of streamsOf(venue)) {
    t.test(one.name, async (t) => {
      await sound(t, one);
      await t.test('its fixture', (t) => fixtures(t, one));
      await t.test('any message', (t) => anything(t, one));
      await t.test('the simulator serves it', (t) => simulated(t, one));
    });
  }
}
