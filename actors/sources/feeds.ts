/** The market feeds of a source as pollers and streamers, with the publishers of their topics. */
import type { Published } from '../bus/bus.ts';
import type { Behaviour } from '../kernel/actor.ts';
import {
  feedBodies,
  type Liquidation,
  type MarketRows,
  type MarketTopic,
  marketTopics,
  type Reading,
  topics,
} from '../topics/index.ts';
import type { RunContext } from './context.ts';
import type { AnyRow } from './define.ts';
import { VenueEvidence } from './evidence.ts';
import { feedUses, type Use, type Uses } from './feed-uses.ts';
import { FrozenGuard } from './frozen.ts';
import type { Job } from './job.ts';
import { Merge, type Origin } from './merge.ts';
import { type AnyPublisher, Poller } from './poller.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';
import type { StreamMessage } from './streams/actor.ts';
import { eachEvent } from './streams/events.ts';
import { LatestFold } from './streams/fold.ts';
import { LiveParts } from './streams/live-parts.ts';
import { newestRows, type Outlets } from './streams/newest.ts';
import type { EachStream, LatestStream } from './streams/stream.ts';
import { trackedFeeds } from './streams/tracked-feeds.ts';
import type { MarketPoll, SharingFeed, Venue } from './venue.ts';
import { whyUnpublished } from './with-lease.ts';

/** A streamed row, which comes all the time, is too old for any topic after this long, ms. */
const streamedAge = 300_000;

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'>;

/** An actor of a feed. */
export type FeedActor = { name: string } & (
  | { job(): Job }
  | { behaviour: Behaviour<StreamMessage> }
);

type MarketFeeds = { [T in MarketTopic]?: SharingFeed<MarketRows[T]> };

/** One topic: its feed, and how it is published. */
interface Outflow<Row extends AnyRow> extends Pick<Use<Row>, 'checks'> {
  topic: MarketTopic;
  feed: SharingFeed<Row>;
  publish(key: string, reading: Reading<Row>): Promise<Published>;
  last(key: string): Promise<Reading<Row> | undefined>;
  watch: NonNullable<Use<Row>['watch']>;
}

/** A request group and the topics that use its bodies. */
interface Group {
  topic: MarketTopic;
  part: string;
  every: number;
  poll: Pick<MarketPoll<never>, 'requests' | 'rotates' | 'most'>;
  publishers: (() => AnyPublisher)[];
}

/** Where a publisher's readings go, and where the last one is found. */
type Way<Row extends AnyRow> = Pick<PublisherOptions<Row>, 'previous' | 'publish'>;

interface Opened<Row extends AnyRow> extends Pick<PublisherOptions<Row>, 'parse' | 'partial'> {
  part: string;
  /** The part as its status names it, where that is not its name. */
  label?: string;
  way: Way<Row>;
}

export interface FeedsOptions {
  markets: Markets;
  context: RunContext;
  /** Polls a part now, as `hurry` does. */
  poll(topic: 'instruments' | 'prices', part: string): void;
}

/** The actors of a source's feeds. */
export class Feeds {
  readonly actors: readonly FeedActor[];
  readonly #options: FeedsOptions;
  readonly #guard: FrozenGuard;
  readonly #evidence: VenueEvidence;
  readonly #groups: Group[] = [];
  readonly #streamers: FeedActor[] = [];
  readonly #live: LiveParts | null;

  constructor(options: FeedsOptions) {
    this.#options = options;
    this.#evidence = new VenueEvidence(options.markets.id, options.context);
    this.#guard = new FrozenGuard(this.#evidence.elsewhere);
    const { markets, context } = options;
    this.#live = context.live?.on(markets.id) ? this.#liveParts(context.live.every) : null;
    this.#streamers.push(...(this.#live?.actors ?? []));
    this.#addAll();
    for (const [part, stream] of Object.entries(markets.events?.liquidations ?? {}))
      this.#streamers.push(this.#liquidations(part, stream));
    this.#streamers.push(...trackedFeeds(markets, context));
    this.actors = [...this.#groups.map((group) => this.#poller(group)), ...this.#streamers];
  }

  #addAll(): void {
    const uses = feedUses({ guard: this.#guard, evidence: this.#evidence, live: this.#live });
    for (const topic of marketTopics) this.#addTopic(topic, uses);
  }

  #addTopic<T extends MarketTopic>(topic: T, uses: Uses): void {
    const { markets, context } = this.#options;
    const { bus, fence } = context;
    const feeds: MarketFeeds = markets.feeds;
    const feed = feeds[topic];
    if (feed === undefined) return;
    const use: Use<MarketRows[T]> = uses[topic] ?? {};
    const { whole = (reading) => reading, watch = (part) => this.#guard.frozen(part) } = use;
    const lease = { name: markets.id, fence };
    this.#add<MarketRows[T]>({
      ...{ topic, feed },
      publish: (key, reading) => bus.publish(topic, key, whole(reading), lease),
      last: (key) => bus.lastOf(topic, key),
      watch,
      ...(use.checks && { checks: use.checks }),
    });
  }

  /** Adds the polls and streams of a topic; a part with both has one merged reading. */
  #add<Row extends AnyRow>(outflow: Outflow<Row>): void {
    const { topic, feed } = outflow;
    const { every, parts, streams = {} } = feed;
    for (const part of new Set([...Object.keys(parts), ...Object.keys(streams)])) {
      const [polled, stream] = [parts[part], streams[part]];
      const way = this.#way(outflow, part);
      const merge = polled && stream && this.#merge(outflow, { part, stream, way });
      if (stream) this.#stream(outflow, { part, stream, way: merge?.('streamed') ?? way });
      if (!polled) continue;
      const partial = 'requests' in polled && polled.rotates === true;
      const opened = { part, parse: polled.parse, partial, way: merge?.('polled') ?? way };
      const open = () => this.#publisher(outflow, opened);
      if ('requests' in polled) {
        this.#groups.push({ topic, part, every, poll: polled, publishers: [open] });
        continue;
      }
      const host = this.#groups.find((one) => one.topic === polled.bodiesOf && one.part === part);
      host?.publishers.push(open);
    }
  }

  #poller({ topic, part, every, poll, publishers }: Group): FeedActor {
    const { markets, context } = this.#options;
    const { book, turnovers, clock, client } = context;
    const name = `${topic}/${part}`;
    const needsInstruments = topic !== 'instruments' && topic !== 'options';
    const job = () =>
      new Poller({
        ...{ name, source: markets.id, part, every, poll, needsInstruments, book, turnovers },
        ...{ clock, client: client(markets.id), maxBody: feedBodies[topic] },
        publishers: publishers.map((open) => open()),
      });
    return { name, job };
  }

  #stream<Row extends AnyRow>(
    outflow: Outflow<Row>,
    { part, stream, way }: { part: string; stream: LatestStream<Row>; way: Way<Row> },
  ): void {
    const { markets, context } = this.#options;
    const { random, book, gateway } = context;
    const label = `${part}-stream`;
    const { every } = outflow.feed;
    const outlets = (): Outlets => {
      const fold = new LatestFold<Row>(stream, ageOf(outflow));
      const parse = () => fold.take();
      const publisher = this.#publisher(outflow, { part, label, parse, partial: true, way });
      return [{ fold, publisher }];
    };
    const options = { source: markets.id, part, every, stream, outlets, book, gateway, random };
    this.#streamers.push({ name: `${outflow.topic}/${label}`, behaviour: newestRows(options) });
  }

  #liveParts(every: number): LiveParts {
    const { markets, context, poll } = this.#options;
    return new LiveParts({
      ...{ venue: markets, context, every, polled: markets.feeds.prices.every },
      frozen: (part) => this.#guard.frozen(part),
      onLost: (part) => poll('prices', part),
    });
  }

  #liquidations(part: string, stream: EachStream<Liquidation>): FeedActor {
    const { markets, context, poll } = this.#options;
    const { bus, fence, book, gateway, random, status, client } = context;
    const key = `${markets.id}/${part}`;
    const lease = { name: markets.id, fence };
    const behaviour = eachEvent({
      ...{ source: markets.id, part, stream, book, gateway, random },
      status: status.row('liquidations', part),
      publish: async (entry) =>
        whyUnpublished(
          await bus.publish('liquidations', key, { source: markets.id, part, ...entry }, lease),
        ),
      lastHeard: async () => {
        const last = await bus.lastOf('liquidations', key).catch(() => undefined);
        return last?.at ?? null;
      },
      client: client(markets.id),
      onUnknown: () => poll('instruments', part),
    });
    return { name: `liquidations/${part}`, behaviour };
  }

  /** The two inputs, polled and streamed, of a part's merged reading. */
  #merge<Row extends AnyRow>(
    outflow: Outflow<Row>,
    { part, stream, way }: { part: string; stream: LatestStream<Row>; way: Way<Row> },
  ): (origin: Origin) => Way<Row> {
    // A row leaves one reading early: one that waited for the next would be too old for its readers until then.
    const maxAge = ageOf(outflow) - outflow.feed.every;
    const { merge = (_, streamed) => streamed } = stream;
    const merged = new Merge<Row>({ part, merge, maxAge, ...way });
    return (origin) => ({ ...way, publish: (reading) => merged.publish(origin, reading) });
  }

  /** How a part's readings are published and read back. */
  #way<Row extends AnyRow>({ publish, last }: Outflow<Row>, part: string): Way<Row> {
    const key = `${this.#options.markets.id}/${part}`;
    return {
      // Without it only the rows that the first poll cannot read are lost.
      previous: () => last(key).catch(() => undefined),
      publish: async (reading) => whyUnpublished(await publish(key, reading)),
    };
  }

  #publisher<Row extends AnyRow>(
    { topic, watch, checks }: Outflow<Row>,
    { part, label = part, parse, partial, way }: Opened<Row>,
  ): AnyPublisher {
    const { markets, context, poll } = this.#options;
    const check = checks?.();
    return new Publisher<Row>({
      ...{ source: markets.id, topic, part: label, parse, partial, ...way },
      status: context.status.row(topic, label),
      watch: (rows, received) => watch(part, rows, received),
      ...(check && { check }),
      onUnknown: () => poll('instruments', part),
    });
  }
}

/** Age at which a streamed row is no longer published, ms. */
const ageOf = ({ topic }: Pick<Outflow<never>, 'topic'>): number =>
  Math.min(streamedAge, topics[topic].maxAge);
