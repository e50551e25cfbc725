/** The actors that stream rows beside the polls of the same parts, and the newest rows of both. */
import type { Published } from '../../bus/bus.ts';
import { historySource, type MarketRows, type Reading } from '../../topics/index.ts';
import { keptBooks } from '../books/books.ts';
import type { RunContext } from '../context.ts';
import type { InstrumentMap, LiveTopic } from '../define.ts';
import { topMarkets } from '../polling/poller.ts';
import type { Venue } from '../venue.ts';
import { whyUnpublished } from '../with-lease.ts';
import type { NamedStream } from './actor.ts';
import { changesOf, joined, LiveRows, liveForms } from './live-rows.ts';
import { ChangeFold, LivePublisher, newestRows, type Outlet } from './newest.ts';
import type { BookStream, LatestStream, TradeStream } from './stream.ts';
import { foldedTrades } from './trades.ts';

/** Publish the changed rows of a part. */
type Senders = {
  readonly [T in LiveTopic]: (key: string, rows: Reading<MarketRows[T]>) => Promise<Published>;
};

type Parts<T extends LiveTopic> = Map<string, LiveRows<MarketRows[T]>>;

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

export interface LivePartsOptions {
  venue: Pick<Venue, 'id' | 'live'>;
  /** Interval of the polls of prices, ms. */
  polled: number;
  context: RunContext;
  /** Least time between two publications of a part, ms. */
  every: number;
  /** True while the polls of a part show that it stands still. */
  frozen(part: string): boolean;
  /** A stream has ended: its rows must be polled. */
  onLost(part: string): void;
}

/** The streamed rows of one exchange. */
export class LiveParts {
  readonly actors: NamedStream[] = [];
  readonly #options: LivePartsOptions;
  readonly #senders: Senders;
  readonly #rows: { readonly [T in LiveTopic]: Parts<T> } = {
    prices: new Map(),
    derivatives: new Map(),
    openInterest: new Map(),
  };

  constructor(options: LivePartsOptions) {
    this.#options = options;
    const { bus, fence } = options.context;
    const lease = { name: options.venue.id, fence };
    this.#senders = {
      prices: (key, reading) => bus.publish('priceChanges', key, reading, lease),
      derivatives: (key, reading) => bus.publish('derivativeChanges', key, reading, lease),
      openInterest: (key, reading) => bus.publish('openInterestChanges', key, reading, lease),
    };
    for (const one of streamsOf(options.venue.live)) this.#add(one);
  }

  /** A poll as it is published: with the streamed rows since it was asked. */
  polled<T extends LiveTopic>(topic: T, reading: Reading<MarketRows[T]>): Reading<MarketRows[T]> {
    const parts: Parts<T> = this.#rows[topic];
    return parts.get(reading.part)?.polled(reading) ?? reading;
  }

  #add({ part, label, topics, stream }: LiveStream): void {
    const { venue, context, every, onLost } = this.#options;
    const { book, gateway, random, newest } = context;
    const source = venue.id;
    const { most = Infinity } = stream;
    const [topic = 'prices', ...others] = topics;
    const select = (all: InstrumentMap) => {
      const listed = topic === 'prices' ? all : perpetualsIn(all);
      if (most === Infinity) return listed;
      return topMarkets(listed, newest.part('prices', source, part), most);
    };
    const own = this.#outlet(topic, part, label);
    const more = others.map((other) => this.#outlet(other, part, label));
    const behaviour = newestRows({
      source,
      part,
      every,
      stream,
      select,
      book,
      gateway,
      random,
      outlets: () => [own(), ...more.map((one) => one())],
      onLost: () => onLost(part),
    });
    this.actors.push({ name: `${changesOf[topic]}/${label}`, behaviour });
  }

  /** Makes the fold and the publisher of a topic, new ones after every crash. */
  #outlet<T extends LiveTopic>(topic: T, part: string, label: string): () => Outlet {
    const { venue, context, frozen, polled } = this.#options;
    const source = venue.id;
    const form = liveForms[topic];
    const parts: Parts<T> = this.#rows[topic];
    const rows = parts.get(part) ?? new LiveRows<MarketRows[T]>(form, polled);
    parts.set(part, rows);
    const send = this.#senders[topic];
    return () => {
      const fold = new ChangeFold<MarketRows[T]>(joined(form));
      const publisher = new LivePublisher<MarketRows[T]>({
        source,
        part,
        fold,
        rows,
        status: context.status.row(changesOf[topic], label),
        frozen: () => frozen(part),
        publish: async (reading) => whyUnpublished(await send(`${source}/${part}`, reading)),
      });
      return {
        publisher,
        add(found) {
          const own = found[topic];
          if (own) fold.add(own);
        },
        get overflow() {
          return fold.overflow;
        },
      };
    };
  }
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
  { gateway, random, status, client, bus, fence, books: keeping }: RunContext,
): NamedStream[] {
  if (keeping === undefined || stream === undefined) return [];
  const lease = { name: source, fence };
  const behaviour = keptBooks({
    source,
    part,
    stream,
    keeping,
    gateway,
    random,
    client: client(source),
    status: status.row('books', part),
    orders: {
      // A reading that was not published is followed by the next one.
      publish: (key, reading) => void bus.publish('largeOrders', key, reading, lease),
      last: (key) => bus.lastOf('largeOrders', key).catch(() => undefined),
    },
  });
  return [{ name: `books/${part}`, behaviour }];
}

function tradeFeed(
  source: string,
  part: string,
  stream: TradeStream | undefined,
  { gateway, random, status, bus, trades }: RunContext,
): NamedStream[] {
  if (trades === undefined || stream === undefined) return [];
  const behaviour = foldedTrades({
    source,
    stream,
    gateway,
    random,
    tracked: (now) => trades.tracked(source, part, now),
    status: status.row('trades', part),
    async record(rows) {
      const params = { series: 'footprint', rows } as const;
      const reply = await bus.query({ source: historySource, name: 'record', params });
      return reply.ok ? null : reply.failure;
    },
  });
  return [{ name: `trades/${part}`, behaviour }];
}
