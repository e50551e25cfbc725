/** The feeds of an exchange: its polls and its streams, with the rows that both publish. */
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import type { Failure } from '../failure.ts';
import {
  changesOf,
  historySource,
  type Instrument,
  type LiveTopic,
  type MarketRows,
  type MarketTopic,
  marketTopics,
  type StreamEvents,
} from '../topics/index.ts';
import { keptBooks } from './books/books.ts';
import type { HolderContext } from './context.ts';
import type { InstrumentMap, MarketPoll } from './define.ts';
import type { Job } from './job.ts';
import { VenueRows } from './market-rows.ts';
import { plannedAge, topMarkets } from './polling/plan.ts';
import { Poller } from './polling/poller.ts';
import { PriceWatch } from './quality/watch.ts';
import type { NamedStream } from './streams/actor.ts';
import { around, listedMarkets } from './streams/around.ts';
import { eachEvent } from './streams/events.ts';
import { newestRows, TopicRows } from './streams/newest.ts';
import { relayedFrames } from './streams/relay.ts';
import type { AnyEvent, EachStream, LatestStream } from './streams/stream.ts';
import { foldedTrades, untilClosed } from './streams/trades.ts';
import type { Venue } from './venue.ts';

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'> &
  Partial<Pick<Venue, 'queries' | 'relay'>>;

/** A poll. */
export interface NamedJob {
  name: string;
  job(): Job;
}

/** Markets that have left their assets that a status names. */
const mostNamed = 20;

export interface FeedsOptions {
  markets: Markets;
  context: HolderContext;
  /** Polls a part now, as `hurry` does. */
  poll(topic: 'instruments' | 'prices', part: string): void;
}

/** The actors of a source's feeds. */
export function feedsOf({ markets, context, poll }: FeedsOptions): {
  polls: readonly NamedJob[];
  streams: readonly NamedStream[];
} {
  const { id: source, feeds } = markets;
  const rows = new VenueRows(source, context, (topic, part) => {
    const { every, poll } = pollOf(feeds, topic, part);
    return feeds[topic] && poll && plannedAge({ topic, part, every, poll });
  });
  const watch = new PriceWatch(source, {
    newest: context.newest,
    elsewhere: rows.evidence.elsewhere,
    onStray(part, away) {
      const strays = away.length > 0 ? away.slice(0, mostNamed) : undefined;
      context.status.row('instruments', part).set({ strays });
      poll('instruments', part);
    },
  });
  const polls = groupsOf(feeds).map(({ topics, part, one }) => {
    const { every } = pollOf(feeds, topics[0], part);
    const onUnknown = () => poll('instruments', part);
    const group = { source, topics, part, every, poll: one };
    const job = () => new Poller({ ...group, context, rows, watch, onUnknown });
    return { name: `${topics[0]}/${part}`, job };
  });
  const onLost = (part: string) => poll('prices', part);
  const isLive = context.live?.on(source) === true;
  return {
    polls,
    streams: [
      ...(isLive ? liveFeeds({ venue: markets, context, rows, watch, onLost }) : []),
      ...eventFeeds(markets, context, (part) => poll('instruments', part)),
      ...trackedFeeds(markets, context),
    ],
  };
}

/** What an exchange has of some topics, by part. */
interface Group<Topic, One> {
  topics: [Topic, ...Topic[]];
  part: string;
  one: One;
}

/** What is named under several topics of a part comes once, by the first of them. */
function grouped<Topic, One>(
  named: readonly (readonly [Topic, Readonly<Record<string, One>> | undefined])[],
): Group<Topic, One>[] {
  const groups: Group<Topic, One>[] = [];
  for (const [topic, parts = {}] of named) {
    for (const [part, one] of Object.entries(parts)) {
      const known = groups.find((group) => group.one === one && group.part === part);
      if (known) known.topics.push(topic);
      else groups.push({ topics: [topic], part, one });
    }
  }
  return groups;
}

/** The poll of a part, and the ms between two; those of prices where a topic has none. */
function pollOf(feeds: Venue['feeds'], topic: MarketTopic, part: string) {
  const { every, parts } = feeds[topic] ?? feeds.prices;
  const poll: MarketPoll<never> | undefined = parts[part];
  return { poll, every: poll?.every ?? every };
}

const groupsOf = (feeds: Venue['feeds']) =>
  grouped<MarketTopic, MarketPoll<never>>(
    marketTopics.map((topic) => [topic, feeds[topic]?.parts] as const),
  );

type Streams = Readonly<Record<string, LatestStream<LiveTopic>>>;

/** The streams of an exchange, named by their first topic and their part: by `PART-funding` and `PART-second` where a part has several. */
export function streamsOf({
  prices,
  derivatives,
  openInterest,
  funding,
  second,
}: Partial<NonNullable<Venue['live']>>) {
  const named = (streams: readonly [LiveTopic, Streams | undefined][], more = '') =>
    grouped(streams).map(({ one: stream, ...group }) => {
      const label = `${group.part}${more}`;
      return { ...group, stream, label, name: `${changesOf[group.topics[0]]}/${label}` };
    });
  return [
    ...named([
      ['prices', prices],
      ['derivatives', derivatives],
      ['openInterest', openInterest],
    ]),
    ...named([['derivatives', funding]], '-funding'),
    ...named(
      [
        ['prices', second],
        ['derivatives', second],
        ['openInterest', second],
      ],
      '-second',
    ),
  ];
}

const perpetualsIn = (listed: InstrumentMap): InstrumentMap =>
  new Map([...listed].filter(([, { kind }]) => kind === 'perpetual'));

export interface LiveFeedsOptions {
  venue: Pick<Venue, 'id' | 'feeds' | 'live'>;
  context: HolderContext;
  rows: VenueRows;
  watch: Pick<PriceWatch, 'observe' | 'frozen'>;
  /** A stream has ended: its rows must be polled. */
  onLost(part: string): void;
}

/** The streams of the rows of an exchange. */
export function liveFeeds({ venue, context, rows, watch, onLost }: LiveFeedsOptions) {
  const { id: source, feeds, live = {} } = venue;
  const observers: {
    [T in LiveTopic]?: (part: string, all: readonly MarketRows[T][], received: number) => void;
  } = { prices: (...seen) => watch.observe(...seen) };
  return streamsOf(live).map(({ name, part, label, topics, stream }): NamedStream => {
    const [topic] = topics;
    const topicRows = <T extends LiveTopic>(own: T) =>
      new TopicRows<T>({
        source,
        part,
        topic: own,
        rows: rows.of(own, part, pollOf(feeds, own, part).every),
        status: context.status.row(changesOf[own], label),
        watch,
        observe: (all, received) => observers[own]?.(part, all, received),
        publish: context.publish,
      });
    const { most = Infinity } = stream;
    const choose = (all: InstrumentMap, before: InstrumentMap) => {
      const listed = topic === 'prices' ? all : perpetualsIn(all);
      if (most === Infinity) return listed;
      const prices = context.newest.part('prices', source, part);
      return topMarkets(listed, prices, { max: most, before });
    };
    const behaviour = newestRows({
      ...around(context, { source, part, name, topics }),
      stream,
      markets: listedMarkets({ book: context.book, source, part }, choose),
      topics: () => topics.map((one) => topicRows(one)),
      status: context.status.row(changesOf[topic], label),
      onLost: () => onLost(part),
    });
    return { name, behaviour };
  });
}

/** The streams of an exchange's events. An event of an unknown instrument has `onUnknown` called. */
export function eventFeeds(
  { id: source, events = {} }: Pick<Venue, 'id' | 'events'>,
  context: HolderContext,
  onUnknown: (part: string) => void,
): NamedStream[] {
  const feedsFor = <Event extends AnyEvent>(
    topic: keyof typeof events,
    streams: Readonly<Record<string, EachStream<Event>>> = {},
    publish: (key: string, entry: StreamEvents<Event>) => Promise<Failure | null>,
  ) =>
    Object.entries(streams).map(([part, stream]): NamedStream => {
      const name = `${topic}/${part}`;
      const behaviour = eachEvent({
        ...around(context, { source, part, name, topics: [topic] }),
        stream,
        markets: listedMarkets({ book: context.book, source, part }),
        status: context.status.row(topic, part),
        publish: (entry) => publish(`${source}/${part}`, entry),
        onUnknown: () => onUnknown(part),
      });
      return { name, behaviour };
    });
  return [
    ...feedsFor('liquidations', events.liquidations, (key, entry) =>
      context.publish('liquidations', key, entry),
    ),
    ...feedsFor('optionTrades', events.optionTrades, (key, entry) =>
      context.publish('optionTrades', key, entry),
    ),
  ];
}

/** The streams of the books and trades of an exchange, and of what is passed on; none where they are switched off. */
export function trackedFeeds(
  { id: source, books = {}, trades = {}, queries, relay }: Omit<Markets, 'feeds'>,
  context: HolderContext,
): NamedStream[] {
  const { books: keeping, trades: folding, relays, status, bus } = context;
  if (context.live?.on(source) === false) return [];
  const found: NamedStream[] = [];
  for (const [part, stream] of Object.entries(books)) {
    if (!keeping || !stream) continue;
    const name = `books/${part}`;
    const behaviour = keptBooks({
      ...around(context, { source, part, name, topics: ['books'] }),
      stream,
      keeping,
      client: context.client(source),
      status: status.row('books', part),
      topics: context,
    });
    found.push({ name, behaviour });
  }
  const newest = async ({ market, kind }: Pick<Instrument, 'market' | 'kind'>) => {
    const params = { market, ...(isFollowedKind(kind) && { kind }), limit: 1_000 };
    const reply = await bus.query({ source, name: 'recentTrades', params });
    return reply.ok ? reply.value.value.trades : null;
  };
  for (const [part, stream] of Object.entries(trades)) {
    if (!folding || !stream) continue;
    const name = `trades/${part}`;
    const behaviour = foldedTrades({
      ...around(context, { source, part, name, topics: ['trades'] }),
      stream,
      tracked: (now) => folding.tracked(source, part, now),
      live: folding.live,
      ...(queries?.recentTrades && !stream.isForgetful && { newest }),
      status: status.row('trades', part),
      async record(params) {
        const reply = await bus.query({ source: historySource, name: 'record', params });
        return reply.ok ? null : reply.failure;
      },
    });
    found.push({ name, behaviour, lingers: untilClosed });
  }
  if (relay && relays) {
    const name = 'relay';
    const behaviour = relayedFrames({
      // It is recorded under no type.
      ...around(context, { source, part: 'all', name, topics: [] }),
      stream: relay,
      relay: relays.of(source),
      status: status.row(name, 'all'),
    });
    found.push({ name, behaviour });
  }
  return found;
}
