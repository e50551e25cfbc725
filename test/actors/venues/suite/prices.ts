/** The streams of prices on our own fixtures (`test/fixtures/live-prices.json`). A stream without a fixture fails; Aster has Binance's. */
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { PriceRow } from '../../../../actors/topics/index.ts';
import { streamOf, type TopicStream } from '../fixtures.ts';
import { context, listed, rounded, sameForm, streamFixtures } from '../stream-suite.ts';

const fixtures = streamFixtures<PriceRow>('live-prices');

/** Whether no number of a row is another one of it: two columns that are mixed up give another row. */
function isTelling(row: PriceRow): boolean {
  const numbers = Object.values(row).filter((one) => typeof one === 'number');
  return new Set(numbers).size === numbers.length;
}

function readsPrices(t: Test, name: string, stream: TopicStream<'prices'>): void {
  const form = sameForm[name] ?? name;
  const fixture = fixtures[form];
  if (!fixture) throw new Error(`no fixture of ${name}`);
  const { instruments, other, refused, messages, events } = fixture;
  const at = { ...context(instruments), connection: {} };
  for (const message of other) t.equal(stream.parse(message, at), null);
  const parsed = messages.map((message) => stream.parse(message, at));
  t.strictSame(rounded(parsed.flatMap((found) => found?.rows ?? [])), events);
  t.ok(events.every(isTelling), 'every column has a number of its own');
  const dropped = parsed.flatMap((found) => found?.dropped ?? []);
  t.strictSame(dropped, [], 'every row is readable');
  for (const message of [...refused, 7, '<html>', null, true])
    t.throws(() => stream.parse(message, at), ShapeError);
  const unknown = messages.flatMap((one) => stream.parse(one, context([]))?.dropped ?? []);
  t.ok(unknown.every(({ code }) => code === 'unknown_instrument'));
  if (stream.most !== undefined) t.strictSame(stream.channels(listed([])), []);
  t.ok(stream.silence >= 20_000 && stream.silence <= 120_000);
}

export function livePrices(t: Test, { id, live }: Venue): void {
  for (const [part, stream] of Object.entries(live?.prices ?? {}))
    t.test(part, async (t) => readsPrices(t, `${id}/${part}`, streamOf(stream, 'prices')));
}
