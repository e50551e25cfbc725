/**
 * Mark prices, funding and open interest by stream on our own fixtures (`test/fixtures/live-rates.json`, or the messages
 * of `live-prices.json`).
 */
import { readFileSync } from 'node:fs';
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { LiveTopic, Parsed } from '../../../../actors/sources/define.ts';
import type { LatestStream, StreamContext } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { DerivativeRow, OpenInterestRow, PriceRow } from '../../../../actors/topics/index.ts';
import { context, rounded, type StreamFixture, sameForm, streamFixtures } from '../stream-suite.ts';

export type Row = DerivativeRow | OpenInterestRow;
type AnyStream = LatestStream<LiveTopic>;

const topics = ['prices', 'derivatives', 'funding', 'openInterest'] as const;

/** The streams of marks, funding and open interest, with the topic under which each is named first. */
export function ratesOf({ id, live = { prices: {} } }: Venue) {
  const byTopic: Readonly<Partial<Record<(typeof topics)[number], Record<string, AnyStream>>>> =
    live;
  return (['derivatives', 'funding', 'openInterest'] as const).flatMap((topic) =>
    Object.entries(byTopic[topic] ?? {}).map(([part, host]) => {
      const of = topics.find((one) => byTopic[one]?.[part] === host) ?? topic;
      const rows = topic === 'funding' ? 'derivatives' : topic;
      const parse = (message: unknown, at: StreamContext): Parsed<Row> | null =>
        host.parse(message, at)?.[rows] ?? null;
      return { id, topic, name: `${id}/${part}`, of, stream: { ...host, parse }, host };
    }),
  );
}

type Fixture = StreamFixture<PriceRow> & { rows: unknown[] };
const prices = streamFixtures<PriceRow>('live-prices');
const rates: Readonly<Record<string, Fixture>> = JSON.parse(
  readFileSync(new URL('../../../fixtures/live-rates.json', import.meta.url), 'utf8'),
);

/** Silence that ends a connection, ms: longer than a heartbeat, shorter than anyone waits. */
const isPatient = (silence: number): boolean => silence >= 20_000 && silence <= 120_000;

export function liveRates(t: Test, venue: Venue): void {
  for (const { topic, name, of, stream, host } of ratesOf(venue)) {
    const form = sameForm[name] ?? name;
    const fixture = of === 'prices' ? prices[form] : rates[`${of} ${form}`];
    if (!fixture) throw new Error(`no fixture of ${of} of ${form}`);
    const { instruments, other, messages } = fixture;
    const at = { ...context(instruments), connection: {} };
    for (const message of other) t.equal(stream.parse(message, at), null);
    const parsed = messages.map((message) => stream.parse(message, at)?.rows ?? []);
    t.strictSame(rounded(parsed.flat()), rates[`${topic} ${form}`]?.rows, `${topic} of ${name}`);
    for (const message of [7, '<html>', null, true])
      t.throws(() => stream.parse(message, at), ShapeError);
    t.ok(isPatient(host.silence));
    t.ok((host.keepAlive?.every ?? host.silence) >= 5_000, 'no flood of pings');
  }
}
