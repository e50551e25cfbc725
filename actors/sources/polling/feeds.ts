/** The feeds of an exchange: its polls, how their rows are used before they are published, and its streams. */
import { hour } from '../../../config/time.ts';
import {
  feedBodies,
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
import { Strays } from '../quality/strays.ts';
import { holdBack } from '../quality/suspects.ts';
import type { NamedStream } from '../streams/actor.ts';
import { eventFeeds, LiveParts, trackedFeeds } from '../streams/venue-streams.ts';
import type { Feed, MarketPoll, Venue } from '../venue.ts';
import { type AnyPublisher, Poller } from './poller.ts';
import { Publisher, type PublisherOptions } from './publisher.ts';

/** The part of a source that has markets. */
export type Markets = Pick<Venue, 'id' | 'feeds' | 'events' | 'live' | 'books' | 'trades'>;

/** A poll. */
export interface NamedJob {
  name: string;
  job(): Job;
}

/** How the rows of a topic are used before they are published. */
interface Use<Row extends AnyRow> {
  /** The reading that is published in place of that of a poll. */
  whole?(reading: Reading<Row>): Reading<Row>;
  /**
   * Looks at the rows of a poll, received at `received` (Unix ms); true when the part is frozen. Without it the rows of a
   * frozen part are marked.
   */
  watch?(part: string, rows: readonly Row[], received: number): boolean;
  /** Makes the check of a part's rows; they are published unchecked when absent. */
  checks?(): PublisherOptions<Row>['check'];
}

/** By topic; a topic that is absent here is published as it is parsed. */
type Uses = { readonly [T in MarketTopic]?: Use<MarketRows[T]> };

/** Lists, dated futures and option chains change rarely: they are never frozen. */
const neverFrozen = { watch: () => false };

/** Markets that have left their assets that a status names. */
const mostNamed = 20;

/** A held back contract size lasts until the second list after it. */
const listAge = 3 * hour;

/** The uses of the rows of one exchange; `live` has what is streamed, where anything is. */
export const feedUses = ({
  guard,
  evidence,
  live,
  strays,
  onStray,
}: {
  guard: FrozenGuard;
  evidence: VenueEvidence;
  live: LiveParts | null;
  strays: Strays;
  /** A market of the part has left its asset, or come back. */
  onStray(part: string): void;
}): Uses => ({
  instruments: {
    ...neverFrozen,
    whole: (reading) => strays.apart(reading),
    checks: () => holdBack(evidence.instruments, listAge),
  },
  prices: {
    whole: (reading) => live?.polled('prices', reading) ?? reading,
    watch(part, rows, received) {
      guard.observe(part, rows, received);
      if (strays.observe(rows, received)) onStray(part);
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
  futures: neverFrozen,
  options: neverFrozen,
});

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
  readonly #live: LiveParts | null;
  readonly #options: FeedsOptions;
  readonly #guard: FrozenGuard;
  readonly #groups: Group[] = [];

  constructor(options: FeedsOptions) {
    const { markets, context, poll } = options;
    this.#options = options;
    const evidence = new VenueEvidence(markets.id, context);
    this.#guard = new FrozenGuard(evidence.elsewhere);
    const live = this.#liveParts();
    this.#live = live;
    const strays = new Strays(markets.id, context);
    const onStray = (part: string) => {
      const away = strays.markets().slice(0, mostNamed);
      context.status.row('instruments', part).set({ strays: away.length > 0 ? away : undefined });
      poll('instruments', part);
    };
    const uses = feedUses({ guard: this.#guard, evidence, live, strays, onStray });
    for (const topic of marketTopics) this.#add(topic, uses);
    this.polls = this.#groups.map((group) => this.#poller(group));
    this.streams = [
      ...(live?.actors ?? []),
      ...eventFeeds(markets, context, (part) => poll('instruments', part)),
      ...trackedFeeds(markets, context),
    ];
  }

  /** Goes on from what another process has published: streamed prices need not wait for the first poll. */
  takeOver(): void {
    for (const part of Object.keys(this.#options.markets.feeds.prices.parts))
      this.#live?.seed(part);
  }

  #liveParts(): LiveParts | null {
    const { markets, context, poll } = this.#options;
    if (!context.live?.on(markets.id)) return null;
    return new LiveParts({
      venue: markets,
      context,
      every: context.live.every,
      polled: markets.feeds.prices.every,
      frozen: (part) => this.#guard.frozen(part),
      onLost: (part) => poll('prices', part),
    });
  }

  /** Adds the polls of a topic. A poll that is named under several topics is one group, whose bodies are read once. */
  #add<T extends MarketTopic>(topic: T, uses: Uses): void {
    const feeds: { [T in MarketTopic]?: Feed<T> } = this.#options.markets.feeds;
    const feed = feeds[topic];
    if (feed === undefined) return;
    const { every } = feed;
    for (const [part, poll] of Object.entries(feed.parts)) {
      const known = this.#groups.find((group) => group.poll === poll && group.part === part);
      const group = known ?? { topic, part, every, poll, read: readOnce(poll), publishers: [] };
      if (!known) this.#groups.push(group);
      group.publishers.push(() => this.#publisher(topic, uses[topic] ?? {}, group));
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
    { whole = (reading) => reading, watch, checks }: Use<MarketRows[T]>,
    { part, poll: { rotates }, read }: Group,
  ): AnyPublisher {
    const { markets, context, poll } = this.#options;
    const key = `${markets.id}/${part}`;
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
      previous: () => context.last(topic, key),
      publish: (reading) => context.publish(topic, key, whole(reading)),
      status: context.status.row(topic, part),
      watch: (rows, received) => (watch ? watch(part, rows, received) : this.#guard.frozen(part)),
      check: checks?.(),
      onUnknown: () => poll('instruments', part),
    });
  }
}
