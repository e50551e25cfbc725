/** The streams of an exchange: rows beside the polls of the same parts, events, and books and trades of tracked markets. */
import { isFollowedKind } from '../../../indicators/market/market-names.ts';
import type { Failure } from '../../failure.ts';
import {
  historySource,
  type Instrument,
  type MarketRows,
  type Reading,
} from '../../topics/index.ts';
import { keptBooks } from '../books/books.ts';
import type { HolderContext } from '../context.ts';
import type { InstrumentMap, LiveTopic } from '../define.ts';
import type { InstrumentBook } from '../instruments.ts';
import type { HolderTopics } from '../lease.ts';
import type { VenueRows } from '../market-rows.ts';
import { topMarkets } from '../polling/plan.ts';
import type { RecordedType } from '../recording/format.ts';
import { typeOf } from '../recording/recorder.ts';
import type { Venue } from '../venue.ts';
import type { MarketChoice, NamedStream } from './actor.ts';
import { eachEvent } from './events.ts';
import { changesOf, newestRows, TopicRows } from './newest.ts';
import type { LatestStream } from './stream.ts';
import { foldedTrades, untilClosed } from './trades.ts';

/** A stream of a part, with the topics whose rows its messages hold; the first names it. */
interface LiveStream {
  /** Of its first topic and its label. */
  name: string;
  part: string;
  label: string;
  topics: LiveTopic[];
  stream: LatestStream<LiveTopic>;
}

type Streams = Readonly<Record<string, LatestStream<LiveTopic>>>;

/** The streams of an exchange. One that is named under several topics of a part is one stream. */
export function streamsOf({
  prices,
  derivatives,
  openInterest,
  funding = {},
  second = {},
}: Partial<NonNullable<Venue['live']>>) {
  const byTopic: Readonly<Record<LiveTopic, Streams | undefined>> = {
    prices,
    derivatives,
    openInterest,
  };
  const found: LiveStream[] = [];
  for (const topic of ['prices', 'derivatives', 'openInterest'] as const) {
    for (const [part, stream] of Object.entries(byTopic[topic] ?? {})) {
      const known = found.find((one) => one.part === part && one.stream === stream);
      if (known) known.topics.push(topic);
      else
        found.push({
          name: `${changesOf[topic]}/${part}`,
          part,
          label: part,
          topics: [topic],
          stream,
        });
    }
  }
  const rates: Streams = funding;
  for (const [part, stream] of Object.entries(rates)) {
    const label = `${part}-funding`;
    const name = `${changesOf.derivatives}/${label}`;
    found.push({ name, part, label, topics: ['derivatives'], stream });
  }
  for (const [part, stream] of Object.entries(second)) {
    const label = `${part}-second`;
    const topics: LiveTopic[] = ['prices', 'derivatives', 'openInterest'];
    found.push({ name: `${changesOf.prices}/${label}`, part, label, topics, stream });
  }
  return found;
}

const perpetualsIn = (listed: InstrumentMap): InstrumentMap =>
  new Map([...listed].filter(([, { kind }]) => kind === 'perpetual'));

/** By topic: looks at a whole reading of a part, received at `received` (Unix ms); true when the part is frozen. */
export type Watches = {
  readonly [T in LiveTopic]: (
    part: string,
    rows: readonly MarketRows[T][],
    received: number,
  ) => boolean;
};

export interface LiveFeedsOptions {
  venue: Pick<Venue, 'id' | 'feeds' | 'live'>;
  context: HolderContext;
  rows: VenueRows;
  /** True while the whole readings of a part show that it stands still. */
  frozen(part: string): boolean;
  watches: Watches;
  /** A stream has ended: its rows must be polled. */
  onLost(part: string): void;
}

/** The streams of the rows of an exchange. */
export const liveFeeds = (options: LiveFeedsOptions): NamedStream[] =>
  streamsOf(options.venue.live ?? {}).map((one) => liveFeed(options, one));

function liveFeed(options: LiveFeedsOptions, { name, part, label, topics, stream }: LiveStream) {
  const { venue, context, onLost } = options;
  const { book, newest } = context;
  const { most = Infinity } = stream;
  const [topic = 'prices', ...others] = topics;
  const choose = (all: InstrumentMap, before: InstrumentMap) => {
    const listed = topic === 'prices' ? all : perpetualsIn(all);
    if (most === Infinity) return listed;
    return topMarkets(listed, newest.part('prices', venue.id, part), { max: most, before });
  };
  const types = topics.flatMap((one) => typeOf[one] ?? []);
  const behaviour = newestRows({
    ...around(venue.id, part, context),
    recording: recordingOf(venue.id, { name, part, types }, context),
    stream,
    markets: listedMarkets({ book, source: venue.id, part }, choose),
    topics: () => [
      topicRows(options, topic, { part, label }),
      ...others.map((other) => topicRows(options, other, { part, label })),
    ],
    onLost: () => onLost(part),
  });
  return { name, behaviour };
}

/** What every stream of a part has. */
const around = (
  source: string,
  part: string,
  { gateway, random, lease, pace, shared }: HolderContext,
) => ({
  source,
  part,
  gateway,
  shared,
  random,
  lease,
  pace,
});

/** What a stream is recorded to; null where it is not. */
const recordingOf = (
  source: string,
  stream: { name: string; part: string; types: readonly RecordedType[] },
  { recorder, lease }: HolderContext,
) => recorder?.stream(source, stream, lease) ?? null;

/** The markets of the newest list of a part; `choose` gives those to subscribe to, out of all and of the last ones. */
export const listedMarkets = (
  { book, source, part }: { book: InstrumentBook; source: string; part: string },
  choose: (all: InstrumentMap, before: InstrumentMap) => InstrumentMap = (all) => all,
): MarketChoice => ({
  listed: () => book.part(source, part),
  choose: (before) => choose(book.part(source, part), before),
  onChange: (wake) => book.onChange(source, part, wake),
});

function topicRows<T extends LiveTopic>(
  { venue: { id, feeds }, context, rows, frozen, watches }: LiveFeedsOptions,
  topic: T,
  { part, label }: Pick<LiveStream, 'part' | 'label'>,
): TopicRows<T> {
  const key = `${id}/${part}`;
  const { every } = feeds[topic] ?? feeds.prices;
  return new TopicRows<T>({
    source: id,
    part,
    topic,
    rows: rows.of(topic, part, every),
    status: context.status.row(changesOf[topic], label),
    frozen: () => frozen(part),
    watch: (all, received) => watches[topic](part, all, received),
    publish: (reading) => publishers[topic](context, key, reading),
    publishWhole: (reading) => context.publish(topic, key, reading),
  });
}

/** Publish the changed rows of a part. */
const publishers: {
  readonly [T in LiveTopic]: (
    to: HolderTopics,
    key: string,
    rows: Reading<MarketRows[T]>,
  ) => Promise<Failure | null>;
} = {
  prices: (to, key, rows) => to.publish('priceChanges', key, rows),
  derivatives: (to, key, rows) => to.publish('derivativeChanges', key, rows),
  openInterest: (to, key, rows) => to.publish('openInterestChanges', key, rows),
};

/** The streams of an exchange's events. An event of an unknown instrument has `onUnknown` called. */
export const eventFeeds = (
  { id: source, events = {} }: Pick<Venue, 'id' | 'events'>,
  context: HolderContext,
  onUnknown: (part: string) => void,
): NamedStream[] =>
  Object.entries(events.liquidations ?? {}).map(([part, stream]) => {
    const key = `${source}/${part}`;
    const name = `liquidations/${part}`;
    const behaviour = eachEvent({
      ...around(source, part, context),
      recording: recordingOf(source, { name, part, types: ['liquidations'] }, context),
      stream,
      markets: listedMarkets({ book: context.book, source, part }),
      status: context.status.row('liquidations', part),
      publish: (entry) => context.publish('liquidations', key, { source, part, ...entry }),
      onUnknown: () => onUnknown(part),
    });
    return { name, behaviour };
  });

/** What the streams of books and trades are made of. */
type TrackedVenue = Pick<Venue, 'id' | 'books' | 'trades'> & Partial<Pick<Venue, 'queries'>>;

/** The streams of the books and trades of an exchange; none where they are switched off. */
export function trackedFeeds(
  { id: source, books = {}, trades = {}, queries }: TrackedVenue,
  context: HolderContext,
): NamedStream[] {
  const { books: keeping, trades: folding, status } = context;
  if (context.live?.on(source) === false) return [];
  const found: NamedStream[] = [];
  for (const [part, stream] of Object.entries(books)) {
    if (!keeping || !stream) continue;
    const name = `books/${part}`;
    const behaviour = keptBooks({
      ...around(source, part, context),
      recording: recordingOf(source, { name, part, types: ['books'] }, context),
      stream,
      keeping,
      client: context.client(source),
      status: status.row('books', part),
      orders: {
        // A reading that was not published is followed by the next one.
        publish: (key, reading) => void context.publish('largeOrders', key, reading),
        last: (key) => context.last('largeOrders', key),
      },
    });
    found.push({ name, behaviour });
  }
  for (const [part, stream] of Object.entries(trades)) {
    if (!folding || !stream) continue;
    const name = `trades/${part}`;
    const behaviour = foldedTrades({
      ...around(source, part, context),
      recording: recordingOf(source, { name, part, types: ['trades'] }, context),
      stream,
      tracked: (now) => folding.tracked(source, part, now),
      live: folding.live,
      ...(queries?.recentTrades && {
        async newest({ market, kind }: Pick<Instrument, 'market' | 'kind'>) {
          const own = isFollowedKind(kind) ? { kind } : {};
          const params = { market, ...own, limit: 1_000 };
          const reply = await context.bus.query({ source, name: 'recentTrades', params });
          return reply.ok ? reply.value.value.trades : null;
        },
      }),
      status: status.row('trades', part),
      async record(params) {
        const reply = await context.bus.query({ source: historySource, name: 'record', params });
        return reply.ok ? null : reply.failure;
      },
    });
    found.push({ name, behaviour, lingers: untilClosed });
  }
  return found;
}
