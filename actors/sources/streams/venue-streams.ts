/** The streams of an exchange: rows beside the polls of the same parts, events, and books and trades of tracked markets. */
import type { Failure } from '../../failure.ts';
import { historySource, type MarketRows, type Reading } from '../../topics/index.ts';
import { keptBooks } from '../books/books.ts';
import type { RunContext } from '../context.ts';
import type { InstrumentMap, LiveTopic } from '../define.ts';
import type { LeasedTopics } from '../leased-topics.ts';
import type { VenueRows } from '../market-rows.ts';
import { topMarkets } from '../polling/plan.ts';
import type { Venue } from '../venue.ts';
import type { NamedStream } from './actor.ts';
import { eachEvent } from './events.ts';
import { changesOf, LivePublisher } from './live-publisher.ts';
import { newestRows } from './newest.ts';
import type { BookStream, LatestStream, TradeStream } from './stream.ts';
import { foldedTrades, untilClosed } from './trades.ts';

/** A stream of a part, with the topics whose rows its messages hold; the first names it. */
interface LiveStream {
  part: string;
  label: string;
  topics: readonly LiveTopic[];
  stream: LatestStream<LiveTopic>;
}

type ByTopic = Readonly<
  Partial<Record<LiveTopic, Readonly<Record<string, LatestStream<LiveTopic>>>>>
>;
const liveTopics = ['prices', 'derivatives', 'openInterest'] as const;

/** The streams of an exchange. One that is named under several topics of a part is one stream. */
function streamsOf(live: Venue['live']): LiveStream[] {
  const { funding = {}, ...topics } = live ?? {};
  const byTopic: ByTopic = topics;
  const found: (LiveStream & { topics: LiveTopic[] })[] = [];
  for (const topic of liveTopics) {
    for (const [part, stream] of Object.entries(byTopic[topic] ?? {})) {
      const known = found.find((one) => one.part === part && one.stream === stream);
      if (known) known.topics.push(topic);
      else found.push({ part, label: part, topics: [topic], stream });
    }
  }
  for (const [part, stream] of Object.entries(funding))
    found.push({ part, label: `${part}-funding`, topics: ['derivatives'], stream });
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
  context: RunContext;
  /** Least time between two publications of a part, ms. */
  every: number;
  rows: VenueRows;
  /** True while the whole readings of a part show that it stands still. */
  frozen(part: string): boolean;
  watches: Watches;
  /** A stream has ended: its rows must be polled. */
  onLost(part: string): void;
}

/** The streams of the rows of an exchange. */
export const liveFeeds = (options: LiveFeedsOptions): NamedStream[] =>
  streamsOf(options.venue.live).map((one) => liveFeed(options, one));

function liveFeed(options: LiveFeedsOptions, { part, label, topics, stream }: LiveStream) {
  const { venue, context, every, onLost } = options;
  const { book, gateway, random, newest, lease } = context;
  const source = venue.id;
  const { most = Infinity } = stream;
  const [topic = 'prices', ...others] = topics;
  const select = (all: InstrumentMap, before: InstrumentMap) => {
    const listed = topic === 'prices' ? all : perpetualsIn(all);
    if (most === Infinity) return listed;
    const prices = newest.part('prices', source, part);
    return topMarkets(listed, prices, { max: most, before });
  };
  const behaviour = newestRows({
    ...{ source, part, every, stream, select, book, gateway, random, lease },
    outlets: () => [
      livePublisher(options, topic, { part, label }),
      ...others.map((other) => livePublisher(options, other, { part, label })),
    ],
    onLost: () => onLost(part),
  });
  return { name: `${changesOf[topic]}/${label}`, behaviour };
}

function livePublisher<T extends LiveTopic>(
  { venue: { id, feeds }, context, rows, frozen, watches }: LiveFeedsOptions,
  topic: T,
  { part, label }: Pick<LiveStream, 'part' | 'label'>,
): LivePublisher<T> {
  const key = `${id}/${part}`;
  const { every } = feeds[topic] ?? feeds.prices;
  return new LivePublisher<T>({
    ...{ source: id, part, topic, rows: rows.of(topic, part, every) },
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
    to: LeasedTopics,
    key: string,
    rows: Reading<MarketRows[T]>,
  ) => Promise<Failure | null>;
} = {
  prices: (to, key, rows) => to.publish('priceChanges', key, rows),
  derivatives: (to, key, rows) => to.publish('derivativeChanges', key, rows),
  openInterest: (to, key, rows) => to.publish('openInterestChanges', key, rows),
};

/** The streams of an exchange's events. An event of an unknown instrument has `onUnknown` called. */
export function eventFeeds(
  { id: source, events = {} }: Pick<Venue, 'id' | 'events'>,
  context: RunContext,
  onUnknown: (part: string) => void,
): NamedStream[] {
  const { book, gateway, random, status, lease } = context;
  return Object.entries(events.liquidations ?? {}).map(([part, stream]) => {
    const key = `${source}/${part}`;
    const behaviour = eachEvent({
      source,
      part,
      stream,
      book,
      gateway,
      random,
      lease,
      status: status.row('liquidations', part),
      publish: (entry) => context.publish('liquidations', key, { source, part, ...entry }),
      onUnknown: () => onUnknown(part),
    });
    return { name: `liquidations/${part}`, behaviour };
  });
}

/** The streams of an exchange; none where they are switched off. */
export function trackedFeeds(
  { id, books = {}, trades = {} }: Pick<Venue, 'id' | 'books' | 'trades'>,
  context: RunContext,
): NamedStream[] {
  if (context.live?.on(id) === false) return [];
  return [
    ...Object.entries(books).flatMap(([part, stream]) => bookFeed(id, part, stream, context)),
    ...Object.entries(trades).flatMap(([part, stream]) => tradeFeed(id, part, stream, context)),
  ];
}

function bookFeed(
  source: string,
  part: string,
  stream: BookStream | undefined,
  context: RunContext,
): NamedStream[] {
  const { gateway, random, status, client, lease, books: keeping } = context;
  if (keeping === undefined || stream === undefined) return [];
  const behaviour = keptBooks({
    source,
    part,
    stream,
    keeping,
    gateway,
    random,
    lease,
    client: client(source),
    status: status.row('books', part),
    orders: {
      // A reading that was not published is followed by the next one.
      publish: (key, reading) => void context.publish('largeOrders', key, reading),
      last: (key) => context.last('largeOrders', key),
    },
  });
  return [{ name: `books/${part}`, behaviour }];
}

function tradeFeed(
  source: string,
  part: string,
  stream: TradeStream | undefined,
  { gateway, random, status, bus, lease, trades }: RunContext,
): NamedStream[] {
  if (trades === undefined || stream === undefined) return [];
  const behaviour = foldedTrades({
    source,
    part,
    stream,
    gateway,
    random,
    lease,
    tracked: (now) => trades.tracked(source, part, now),
    live: trades.live,
    status: status.row('trades', part),
    async record(params) {
      const reply = await bus.query({ source: historySource, name: 'record', params });
      return reply.ok ? null : reply.failure;
    },
  });
  return [{ name: `trades/${part}`, behaviour, lingers: untilClosed }];
}
