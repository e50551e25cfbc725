/** What each stream of a venue makes of messages that are none, of those of its other streams, and of refusals. */
import type { Test } from 'tap';
import type { Parsed } from '../../../../actors/sources/define.ts';
import type {
  EachStream,
  LatestStream,
  StreamContext,
} from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Liquidation } from '../../../../actors/topics/index.ts';
import { received, streamOf, unlessRefused } from '../fixtures.ts';
import { listed, type StreamFixture, sameForm, streamFixtures } from '../stream-suite.ts';
import { ratesOf } from './streams.ts';

type Own = Pick<EachStream<Liquidation>, 'acknowledges' | 'refuses' | 'reply' | 'ends'> &
  Pick<EachStream<Liquidation>, 'concerns'>;

/** A stream, and a description of an outcome of its parser. */
interface Heard {
  name: string;
  stream: Partial<Own>;
  sent: readonly string[];
  read(message: unknown, at: StreamContext & { connection: object }): unknown;
}

const fixtures = ['live-prices', 'live-rates', 'liquidations'].map((file) =>
  streamFixtures<unknown>(file),
);
const nothing = [null, 7, '', 'pong', true, [], {}, { result: null }, { event: 'error' }];

const heard = <Item>(
  name: string,
  {
    parse,
    ...stream
  }: Partial<Own> & {
    parse(message: unknown, at: StreamContext): Parsed<Item> | null;
  },
  sent: readonly string[],
  keyOf?: (item: Item) => unknown,
): Heard => ({
  name,
  stream,
  sent,
  read(message, at) {
    const found = parse(message, at);
    return found && [found.rows.length, ...found.dropped, ...(keyOf ? found.rows.map(keyOf) : [])];
  },
});

type Fixture = StreamFixture<unknown>;

/** The fixtures of the streams of a venue. */
const fixturesOf = ({ id }: Venue): [string, Fixture][] =>
  fixtures.flatMap((all) =>
    Object.entries(all).filter(([name, fixture]) => {
      const [form = ''] = name.split(' ').slice(-1);
      const same = Object.entries(sameForm).flatMap(([own, of]) => (of === form ? own : []));
      return 'other' in fixture && [form, ...same].some((one) => one.startsWith(`${id}/`));
    }),
  );

/** Whether a stream has rows out of a message; an error that is no refusal ends the test. */
const hasRows = ({ read }: Heard, message: unknown, at: Parameters<Heard['read']>[1]): boolean =>
  (unlessRefused(() => read(message, at)) ?? null) !== null;

/** Whether a stream takes a message for what it is: a refusal. */
const isRefused = (
  { stream, read, sent }: Heard,
  message: unknown,
  at: Parameters<Heard['read']>[1],
) =>
  stream.refuses?.(message, sent) != null ||
  unlessRefused(() => ({ read: read(message, at) })) === null;

export function messages(t: Test, venue: Venue): void {
  const own = fixturesOf(venue);
  const instruments = listed(own.flatMap(([, fixture]) => fixture.instruments));
  const channels = (stream: { channels?: LatestStream<never>['channels'] }) =>
    stream.channels?.(instruments) ?? [];
  const { live, events, trades, books } = venue;
  const streams: Heard[] = [
    ...Object.entries(live?.prices ?? {}).map(([part, one]) =>
      heard(`prices of ${part}`, streamOf(one, 'prices'), channels(one)),
    ),
    ...ratesOf(venue).map(({ topic, name, stream, host }) =>
      heard(`${topic} of ${name}`, stream, channels(host)),
    ),
    ...Object.entries(events?.liquidations ?? {}).map(([part, one]) =>
      heard(`liquidations of ${part}`, one, channels(one), one.keyOf),
    ),
    ...Object.entries(events?.optionTrades ?? {}).map(([part, one]) =>
      heard(`trades of options of ${part}`, one, channels(one), one.keyOf),
    ),
    ...Object.entries(trades ?? {}).flatMap(([part, one]) =>
      one ? heard(`trades of ${part}`, one, channels(one)) : [],
    ),
    ...Object.entries(books ?? {}).flatMap(([part, stream]): Heard[] =>
      stream
        ? [
            {
              name: `books of ${part}`,
              stream,
              sent: [],
              read: (message, at) => stream.parse(message, at),
            },
          ]
        : [],
    ),
  ];
  const at = () => ({ received, instruments, connection: {} });
  const rows = streams.flatMap((stream) =>
    nothing.flatMap((one) =>
      hasRows(stream, one, at()) ? [`${stream.name}: ${JSON.stringify(one)}`] : [],
    ),
  );
  t.strictSame(rows, [], 'no rows out of what is no message');
  const foreign = own.flatMap(([, { other, refused = [], messages: data }]) => [
    ...other,
    ...refused,
    ...data,
  ]);
  for (const stream of streams) for (const one of foreign) hasRows(stream, one, at());
  const refusals = own.flatMap(([, { refused = [] }]) => refused);
  const missed = refusals.filter((one) => !streams.some((stream) => isRefused(stream, one, at())));
  t.strictSame(missed, [], 'every refusal is taken for one');
}
