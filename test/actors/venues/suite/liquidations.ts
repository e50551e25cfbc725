/** The streams of liquidations on our own fixtures (`test/fixtures/liquidations.json`). A stream without a fixture fails. */
import type { Test } from 'tap';
import { ShapeError } from '../../../../actors/failure.ts';
import type { EachStream } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Liquidation } from '../../../../actors/topics/index.ts';
import { context, rounded, streamFixtures } from '../stream-suite.ts';

const fixtures = streamFixtures<Liquidation>('liquidations');

function readsLiquidations(t: Test, name: string, stream: EachStream<Liquidation>): void {
  const fixture = fixtures[name];
  if (!fixture) throw new Error(`no fixture of ${name}`);
  const { instruments, other, refused, messages, events } = fixture;
  const parsed = messages.map((message) => stream.parse(message, context(instruments)));
  t.strictSame(rounded(parsed.flatMap((found) => found?.rows ?? [])), events);
  t.strictSame(
    parsed.flatMap((found) => found?.dropped ?? []),
    [],
    'every row is readable',
  );
  const { concerns = () => true } = stream;
  const texts = messages.map((message) => JSON.stringify(message));
  t.ok(texts.every(concerns), 'none is passed over unparsed');
  for (const message of other) t.equal(stream.parse(message, context(instruments)), null);
  for (const message of [...refused, 7, 'hello', '<html>', null, true])
    t.throws(() => stream.parse(message, context(instruments)), ShapeError);
  const unknown = messages.flatMap((one) => stream.parse(one, context([]))?.dropped ?? []);
  t.ok(unknown.every(({ code }) => code === 'unknown_instrument'));
  t.ok(stream.silence >= 30_000 && stream.silence <= 150_000);
}

export function liquidations(t: Test, { id, events }: Venue): void {
  for (const [part, stream] of Object.entries(events?.liquidations ?? {}))
    t.test(part, async (t) => readsLiquidations(t, `${id}/${part}`, stream));
}
