/**
 * The streams of prices, of mark prices, funding and open interest, and of liquidations on our own fixtures
 * (`test/fixtures/live-prices.json`, `live-rates.json`, `liquidations.json`). A stream without a fixture fails; Aster has Binance's.
 */
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { Parsed } from '../../../../actors/sources/define.ts';
import { streamsOf } from '../../../../actors/sources/feeds.ts';
import type { LatestStream, StreamContext } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { DerivativeRow, LiveTopic, OpenInterestRow } from '../../../../actors/topics/index.ts';
import { streamOf } from '../fixtures.ts';
import {
  context,
  listed,
  rounded,
  type StreamFixture,
  sameForm,
  streamFixtures,
} from '../stream-suite.ts';

export type Row = DerivativeRow | OpenInterestRow;
type AnyStream = LatestStream<LiveTopic>;

/** The streams of prices, each with its name in the fixtures. */
export const pricesOf = ({ id, live = { prices: {} } }: Venue) =>
  streamsOf(live).flatMap(({ label, part, topics, stream: host }) =>
    topics.includes('prices')
      ? [{ id, part, name: `${id}/${label}`, host, stream: streamOf(host, 'prices') }]
      : [],
  );

/** The streams of marks, funding and open interest, with the topic under which each is named first. */
export const ratesOf = ({ id, live = { prices: {} } }: Venue) =>
  streamsOf(live).flatMap(({ label, topics, stream: host }) =>
    (['derivatives', 'openInterest'] as const)
      .filter((topic) => topics.includes(topic))
      .map((topic) => {
        const parse = (message: unknown, at: StreamContext): Parsed<Row> | null =>
          host.parse(message, at)?.[topic] ?? null;
        const of = topics[0] ?? topic;
        return { id, topic, name: `${id}/${label}`, of, stream: { ...host, parse }, host };
      }),
  );

const prices = streamFixtures<object>('live-prices');
const rates = streamFixtures<object>('live-rates');
const forced = streamFixtures<object>('liquidations');

interface Told {
  name: string;
  stream: Pick<AnyStream, 'silence' | 'keepAlive'> & {
    parse(message: unknown, at: StreamContext): Parsed<unknown> | null;
  };
  fixture: Partial<StreamFixture<object>> | undefined;
  /** What its messages say. */
  rows: readonly object[] | undefined;
}

function reads(t: Test, { name, stream, fixture, rows }: Told): void {
  if (!fixture) throw new Error(`no fixture of ${name}`);
  const { instruments = [], other = [], refused = [], messages = [] } = fixture;
  const at = { ...context(instruments), connection: {} };
  for (const message of other) t.equal(stream.parse(message, at), null);
  const parsed = messages.map((message) => stream.parse(message, at));
  t.strictSame(rounded(parsed.flatMap((found) => found?.rows ?? [])), rows, name);
  const dropped = parsed.flatMap((found) => found?.dropped ?? []);
  // Rows of one topic may say nothing of another.
  if (rows?.length !== 0) t.strictSame(dropped, [], 'every row is readable');
  for (const message of [...refused, 7, '<html>', null, true])
    t.throws(() => stream.parse(message, at), ShapeError);
  const unknown = messages.flatMap((one) => stream.parse(one, context([]))?.dropped ?? []);
  t.ok(unknown.every(({ code }) => code === 'unknown_instrument'));
  const { silence, keepAlive } = stream;
  t.ok(
    silence >= 20_000 && silence <= 150_000,
    'longer than a heartbeat, shorter than anyone waits',
  );
  t.ok((keepAlive?.every ?? silence) >= 5_000, 'no flood of pings');
}

/** Whether no number of a row is another one of it: two columns that are mixed up give another row. */
function isTelling(row: object): boolean {
  const numbers = Object.values(row).filter((one) => typeof one === 'number');
  return new Set(numbers).size === numbers.length;
}

export function streams(t: Test, venue: Venue): void {
  const { id, events } = venue;
  for (const { name, stream } of pricesOf(venue)) {
    const fixture = prices[sameForm[name] ?? name];
    t.test(`prices of ${name}`, async (t) => {
      reads(t, { name, stream, fixture, rows: fixture?.events });
      t.ok(fixture?.events.every(isTelling), 'every column has a number of its own');
      if (stream.most !== undefined) t.strictSame(stream.channels(listed([])), []);
    });
  }
  for (const { topic, name, of, stream } of ratesOf(venue)) {
    const form = sameForm[name] ?? name;
    const fixture = of === 'prices' ? prices[form] : rates[`${of} ${form}`];
    const rows = rates[`${topic} ${form}`]?.rows;
    t.test(`${topic} of ${name}`, async (t) => reads(t, { name, stream, fixture, rows }));
  }
  for (const [part, stream] of Object.entries(events?.liquidations ?? {})) {
    const name = `${id}/${part}`;
    const fixture = forced[name];
    t.test(`liquidations of ${part}`, async (t) => {
      reads(t, { name, stream, fixture, rows: fixture?.events });
      const { concerns = () => true } = stream;
      const texts = (fixture?.messages ?? []).map((message) => JSON.stringify(message));
      t.ok(texts.every(concerns), 'none is passed over unparsed');
    });
  }
}
