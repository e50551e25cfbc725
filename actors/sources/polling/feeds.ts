/** The feeds of an exchange: its polls, how their rows are used before they are published, and its streams. */
import {
  feedBodies,
  type MarketRows,
  type MarketTopic,
  marketTopics,
  type Reading,
} from '../../topics/index.ts';
import type { RunContext } from '../context.ts';
import type { ParseContext, RowsOf } from '../define.ts';
import type { Job } from '../job.ts';
import { VenueRows } from '../market-rows.ts';
import { FrozenGuard } from '../quality/frozen.ts';
import { Strays } from '../quality/strays.ts';
import type { NamedStream } from '../streams/actor.ts';
import { eventFeeds, liveFeeds, trackedFeeds, type Watches } from '../streams/venue-streams.ts';
import type { Feed, MarketPoll, Venue } from '../venue.ts';
import { type AnyPublisher, Poller } from './poller.ts';
import { Publisher } from './publisher.ts';

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'>;

/** A poll. */
export interface NamedJob {
  name: string;
  job(): Job;
}

/** Markets that have left their assets that a status names. */
const mostNamed = 20;

/** The reading that is published in place of one. */
type Whole<T extends MarketTopic> = (reading: Reading<MarketRows[T]>) => Reading<MarketRows[T]>;

/** The guard of the parts of an exchange as its topics use it: it looks at prices, and marks all that moves. */
function watchesOf(guard: FrozenGuard, strays: Strays, onStray: (part: string) => void): Watches {
  const frozen = (part: string) => guard.frozen(part);
  // Lists, dated futures and option chains change rarely.
  const never = () => false;
  return {
    ...{ instruments: never, futures: never, options: never },
    ...{ derivatives: frozen, openInterest: frozen },
    prices(part, rows, received) {
      guard.observe(part, rows, received);
      if (strays.observe(rows, received)) onStray(part);
      return guard.frozen(part);
    },
  };
}

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

/** A request group and the topics that use its bodies; the first names it. */
interface Group {
  topic: MarketTopic;
  part: string;
  every: number;
  poll: MarketPoll<never>;
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
  readonly polls: readonly NamedJob[];
  readonly streams: readonly NamedStream[];
  readonly #options: FeedsOptions;
  readonly #rows: VenueRows;
  readonly #guard: FrozenGuard;
  readonly #watches: Watches;
  readonly #strays: Strays;
  readonly #wholes: { readonly [T in MarketTopic]?: Whole<T> } = {
    instruments: (reading) => this.#strays.apart(reading),
  };
  readonly #groups: Group[] = [];

  constructor(options: FeedsOptions) {
    const { markets, context, poll } = options;
    this.#options = options;
    this.#rows = new VenueRows(markets.id, context);
    this.#strays = new Strays(markets.id, context);
    this.#guard = new FrozenGuard(this.#rows.evidence.elsewhere);
    this.#watches = watchesOf(this.#guard, this.#strays, (part) => this.#strayed(part));
    for (const topic of marketTopics) this.#add(topic);
    this.polls = this.#groups.map((group) => this.#poller(group));
    this.streams = [
      ...this.#live(),
      ...eventFeeds(markets, context, (part) => poll('instruments', part)),
      ...trackedFeeds(markets, context),
    ];
  }

  /** A market of the part has left its asset, or come back. */
  #strayed(part: string): void {
    const { context, poll } = this.#options;
    const away = this.#strays.markets().slice(0, mostNamed);
    context.status.row('instruments', part).set({ strays: away.length > 0 ? away : undefined });
    poll('instruments', part);
  }

  #live(): readonly NamedStream[] {
    const { markets, context, poll } = this.#options;
    if (!context.live?.on(markets.id)) return [];
    return liveFeeds({
      venue: markets,
      context,
      every: context.live.every,
      rows: this.#rows,
      frozen: (part) => this.#guard.frozen(part),
      watches: this.#watches,
      onLost: (part) => poll('prices', part),
    });
  }

  /** Adds the polls of a topic. A poll that is named under several topics is one group, whose bodies are read once. */
  #add<T extends MarketTopic>(topic: T): void {
    const feeds: { [T in MarketTopic]?: Feed<T> } = this.#options.markets.feeds;
    const feed = feeds[topic];
    if (feed === undefined) return;
    const { every } = feed;
    for (const [part, poll] of Object.entries(feed.parts)) {
      const known = this.#groups.find((group) => group.poll === poll && group.part === part);
      const group = known ?? { topic, part, every, poll, read: readOnce(poll), publishers: [] };
      if (!known) this.#groups.push(group);
      group.publishers.push(() => this.#publisher(topic, every, group));
    }
  }

  #poller({ topic, part, every, poll, publishers }: Group): NamedJob {
    const { markets, context } = this.#options;
    const { book, newest, clock, client } = context;
    const name = `${topic}/${part}`;
    const job = () =>
      new Poller({
        name,
        source: markets.id,
        part,
        every,
        poll,
        dated: topic === 'futures',
        needsInstruments: topic !== 'instruments' && topic !== 'options',
        book,
        newest,
        clock,
        client: client(markets.id),
        maxBody: feedBodies[topic],
        publishers: publishers.map((open) => open()),
      });
    return { name, job };
  }

  #publisher<T extends MarketTopic>(
    topic: T,
    every: number,
    { part, poll: { rotates }, read }: Group,
  ): AnyPublisher {
    const { markets, context, poll } = this.#options;
    const key = `${markets.id}/${part}`;
    const whole: Whole<T> | undefined = this.#wholes[topic];
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
      rows: this.#rows.of(topic, part, every),
      // Without it only the rows that the first poll cannot read are lost.
      previous: () => context.last(topic, key),
      publish: (reading) => context.publish(topic, key, whole?.(reading) ?? reading),
      status: context.status.row(topic, part),
      watch: (rows, received) => this.#watches[topic](part, rows, received),
      onUnknown: () => poll('instruments', part),
    });
  }
}
