/**
 * What each stream of a venue makes of all its messages: its own, those of its other streams, refusals, and answers to
 * subscriptions; held against tables of `test/fixtures/declared/messages`. Rows are held by their fixtures.
 */
import type { Test } from 'tap';
import type { EachStream, LatestStream, StreamContext } from '../../../../actors/sources/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Liquidation } from '../../../../actors/topics/index.ts';
import { sameAsDeclared } from '../../../support/declared.ts';
import { received } from '../fixtures.ts';
import { unlessRefused } from '../stage.ts';
import { listed, type StreamFixture, sameForm, streamFixtures } from '../stream-suite.ts';
import { ratesOf } from './rates.ts';

type Own = Pick<EachStream<Liquidation>, 'acknowledges' | 'refuses' | 'reply' | 'ends'> &
  Pick<EachStream<Liquidation>, 'concerns' | 'channelIn' | 'numberIn'>;

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
  { parse, ...stream }: Pick<LatestStream<Item>, 'parse'> & Partial<Own>,
  sent: readonly string[],
  keyOf?: (item: Item) => unknown,
): Heard => ({
  ...{ name, stream, sent },
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

/** What a stream says of a message, in words. */
function outcome(
  { stream, read, sent }: Heard,
  message: unknown,
  at: Parameters<Heard['read']>[1],
) {
  const text = JSON.stringify(message);
  const found = unlessRefused(() => ({ read: read(message, at) }));
  const refusal = stream.refuses?.(message, sent) ?? null;
  return [
    found === null ? 'refused' : JSON.stringify(found.read),
    ...(stream.acknowledges?.(message) ? [`acknowledges ${stream.acknowledges(message)}`] : []),
    ...(typeof stream.reply?.(message) === 'string' ? [`reply ${stream.reply(message)}`] : []),
    ...(refusal ? [`refuses ${JSON.stringify(refusal)}`] : []),
    ...(stream.ends?.(message) ? ['ends'] : []),
    ...(stream.concerns?.(text) === false ? ['no concern'] : []),
    ...[stream.channelIn, stream.numberIn].flatMap((one) => one?.exec(text)?.[1] ?? []),
  ].join(' ');
}

export function messages(t: Test, venue: Venue): void {
  const own = fixturesOf(venue);
  const instruments = listed(own.flatMap(([, fixture]) => fixture.instruments));
  const channels = (stream: { channels?: LatestStream<never>['channels'] }) =>
    stream.channels?.(instruments) ?? [];
  const { live, events, trades, books } = venue;
  const streams: Heard[] = [
    ...Object.entries(live?.prices ?? {}).map(([part, one]) =>
      heard(`prices of ${part}`, one, channels(one)),
    ),
    ...ratesOf(venue).map(({ topic, name, stream, host }) =>
      heard(`${topic} of ${name}`, stream, channels(host)),
    ),
    ...Object.entries(events?.liquidations ?? {}).map(([part, one]) =>
      heard(`liquidations of ${part}`, one, channels(one), one.keyOf),
    ),
    ...Object.entries(trades ?? {}).flatMap(([part, one]) =>
      one ? heard(`trades of ${part}`, one, channels(one)) : [],
    ),
    ...Object.entries(books ?? {}).flatMap(([part, stream]): Heard[] =>
      stream
        ? [
            {
              ...{ name: `books of ${part}`, stream, sent: [] },
              read: (message, at) => stream.parse(message, at.instruments, at.connection),
            },
          ]
        : [],
    ),
  ];
  const told = [
    ...own.flatMap(([name, { other, refused = [], messages: data }]) =>
      [...other, ...refused, ...data].map((one, at): [string, unknown] => [`${name} ${at}`, one]),
    ),
    ...nothing.map((one): [string, unknown] => [JSON.stringify(one), one]),
  ];
  const found = streams.map((stream) => {
    const at = { received, instruments, connection: {} };
    const outcomes = told.map(([name, one]): [string, string] => [outcome(stream, one, at), name]);
    const names = Map.groupBy(outcomes, ([what]) => what);
    return [
      stream.name,
      Object.fromEntries(
        [...names].map(([what, all]) => [what, all.map(([, name]) => name).join(', ')]),
      ),
    ];
  });
  sameAsDeclared(t, `messages/${venue.id}`, Object.fromEntries(found), 'properties');
}
