/** The market feeds of a source as pollers and streamers, with the publishers of their topics. */
import type { Published } from '../../bus/bus.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import {
  feedBodies,
  type Liquidation,
  type MarketRows,
  type MarketTopic,
  marketTopics,
  type Reading,
  topics,
} from '../../topics/index.ts';
import type { RunContext } from '../context.ts';
import type { AnyRow, ParseContext, RowsOf } from '../define.ts';
import type { Job } from '../job.ts';
import { VenueEvidence } from '../quality/evidence.ts';
import { FrozenGuard } from '../quality/frozen.ts';
import { holdBack } from '../quality/suspects.ts';
import type { StreamMessage } from '../streams/actor.ts';
import { eachEvent } from '../streams/events.ts';
import type { EachStream } from '../streams/stream.ts';
import { LiveParts, trackedFeeds } from '../streams/venue-streams.ts';
import type { Feed, MarketPoll, Venue } from '../venue.ts';
import { whyUnpublished } from '../with-lease.ts';
import { type AnyPublisher, Poller } from './poller.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'>;

/** An actor of a feed. */
export type FeedActor = { name: string } & (
  | { job(): Job }
  | { behaviour: Behaviour<StreamMessage> }
);

type MarketFeeds = { [T in MarketTopic]?: Feed<T> };

/** One topic: its feed, and how it is published. */
interface Outflow<T extends MarketTopic> extends Pick<Use<MarketRows[T]>, 'checks'> {
  topic: T;
  publish(key: string, reading: Reading<MarketRows[T]>): Promise<Published>;
  last(key: string): Promise<Reading<MarketRows[T]> | undefined>;
  watch: NonNullable<Use<MarketRows[T]>['watch']>;
}

type AnyPoll = MarketPoll<never>;
type Read = (bodies: readonly unknown[], context: ParseContext) => Partial<RowsOf<MarketTopic>>;

/** The same reading for all topics of the bodies of a poll, which their publishers ask for one after another. */
function readOnce({ parse }: { parse: Read }): Read {
  const known = new WeakMap<readonly unknown[], ReturnType<Read>>();
  return (bodies, context) => {
    const found = known.get(bodies) ?? parse(bodies, context);
    known.set(bodies, found);
    return found;
  };
}

/** A request group and the topics that use its bodies. */
interface Group {
  topic: MarketTopic;
  part: string;
  every: number;
  poll: AnyPoll;
  read: Read;
  publishers: (() => AnyPublisher)[];
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
    this.#add(feed, {
      topic,
      publish: (key, reading) => bus.publish(topic, key, whole(reading), lease),
      last: (key) => bus.lastOf(topic, key),
      watch,
      ...(use.checks && { checks: use.checks }),
    });
  }

  /** Adds the polls of a topic. A poll that is named under several topics is one group, whose bodies are read once. */
  #add<T extends MarketTopic>(feed: Feed<T>, outflow: Outflow<T>): void {
    const { topic } = outflow;
    for (const [part, poll] of Object.entries(feed.parts)) {
      const known = this.#groups.find((group) => group.poll === poll && group.part === part);
      const group = known ?? {
        topic,
        part,
        every: feed.every,
        poll,
        read: readOnce(poll),
        publishers: [],
      };
      if (!known) this.#groups.push(group);
      group.publishers.push(() => this.#publisher(outflow, group));
    }
  }

  #poller({ topic, part, every, poll, publishers }: Group): FeedActor {
    const { markets, context } = this.#options;
    const { book, newest, clock, client } = context;
    const name = `${topic}/${part}`;
    const needsInstruments = topic !== 'instruments' && topic !== 'options';
    const job = () =>
      new Poller({
        name,
        source: markets.id,
        part,
        every,
        poll,
        needsInstruments,
        book,
        newest,
        clock,
        client: client(markets.id),
        maxBody: feedBodies[topic],
        publishers: publishers.map((open) => open()),
      });
    return { name, job };
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

  #publisher<T extends MarketTopic>(
    { topic, watch, checks, publish, last }: Outflow<T>,
    { part, poll: { rotates }, read }: Group,
  ): AnyPublisher {
    const { markets, context, poll } = this.#options;
    const key = `${markets.id}/${part}`;
    const check = checks?.();
    return new Publisher<MarketRows[T]>({
      source: markets.id,
      topic,
      part,
      parse(bodies, at) {
        const found = read(bodies, at)[topic];
        if (!found) throw new Error(`${key}: the poll of ${topic} gives none`);
        return found;
      },
      partial: rotates === true,
      // Without it only the rows that the first poll cannot read are lost.
      previous: () => last(key).catch(() => undefined),
      publish: async (reading) => whyUnpublished(await publish(key, reading)),
      status: context.status.row(topic, part),
      watch: (rows, received) => watch(part, rows, received),
      ...(check && { check }),
      onUnknown: () => poll('instruments', part),
    });
  }
}

export interface Use<Row extends AnyRow> {
  /** The reading that is published in place of that of a poll. */
  whole?(reading: Reading<Row>): Reading<Row>;
  /**
   * Looks at the rows of a poll, received at `received` (Unix ms); true when the part is frozen. Without it the rows of a
   * frozen part are marked.
   */
  watch?(part: string, rows: readonly Row[], received: number): boolean;
  /** Makes the check of a part's rows; they are published unchecked when absent. */
  checks?(): NonNullable<PublisherOptions<Row>['check']>;
}

/** By topic; a topic that is absent here is published as it is parsed. */
export type Uses = { readonly [T in MarketTopic]?: Use<MarketRows[T]> };

/** Lists and option chains change rarely: they are never frozen. */
const neverFrozen = { watch: () => false };

/** A held back contract size lasts until the second list after it. */
const listAge = 3 * 3_600_000;

/** The uses of the rows of one exchange; `live` has what is streamed, where anything is. */
export const feedUses = ({
  guard,
  evidence,
  live,
}: {
  guard: FrozenGuard;
  evidence: VenueEvidence;
  live: LiveParts | null;
}): Uses => ({
  instruments: { ...neverFrozen, checks: () => holdBack(evidence.instruments, listAge) },
  prices: {
    whole: (reading) => live?.polled('prices', reading) ?? reading,
    watch(part, rows, received) {
      guard.observe(part, rows, received);
      return guard.frozen(part);
    },
    checks: () => holdBack(evidence.prices, topics.prices.maxAge),
  },
  derivatives: {
    whole: (reading) => live?.polled('derivatives', reading) ?? reading,
    watch(part, rows) {
      evidence.observe(rows);
      return guard.frozen(part);
    },
    checks: () => evidence.derivatives,
  },
  openInterest: {
    whole: (reading) => live?.polled('openInterest', reading) ?? reading,
    checks: () => holdBack(evidence.openInterest, topics.openInterest.maxAge),
  },
  options: neverFrozen,
});
