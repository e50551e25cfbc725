/** The actors that stream rows beside the polls of the same parts, and the newest rows of both. */
import type { Published } from '../bus/bus.ts';
import type { Failure } from '../failure.ts';
import type { Behaviour } from '../kernel/actor.ts';
import type { MarketRows, Reading } from '../topics/index.ts';
import type { StreamerMessage } from './connections.ts';
import type { RunContext } from './context.ts';
import type { InstrumentMap, LiveTopic, Parsed } from './define.ts';
import { changesOf, joined, liveForms } from './live-forms.ts';
import { LivePublisher, LiveRows } from './live-rows.ts';
import type { AnyPublisher } from './poller.ts';
import type { Gathered } from './publisher.ts';
import type { LatestStream, StreamContext } from './stream.ts';
import { ChangeFold } from './stream-fold.ts';
import { type AnyFold, streamer } from './streamer.ts';
import type { Venue } from './venue.ts';
import { whyUnpublished } from './with-lease.ts';

interface LiveActor {
  name: string;
  behaviour: Behaviour<StreamerMessage>;
}

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

type Read = LatestStream<LiveTopic>['parse'];

/** The same reading for all topics of a message, which their folds ask for one after another. */
function readOnce({ parse }: LatestStream<LiveTopic>): Read {
  let last: { message: unknown; context: StreamContext; found: ReturnType<Read> } | null = null;
  return (message, context) => {
    if (last?.context !== context || last.message !== message)
      last = { message, context, found: parse(message, context) };
    return last.found;
  };
}

/** The folds of the topics of a stream; what came in is that of the first. */
function together(folds: readonly AnyFold[]): AnyFold {
  const [first] = folds;
  if (!first) throw new Error('a stream without a topic');
  return {
    get intake() {
      return first.intake;
    },
    accept(message: unknown, context: StreamContext) {
      for (const fold of folds) fold.accept(message, context);
    },
  };
}
const perpetualsIn = (listed: InstrumentMap): InstrumentMap =>
  new Map([...listed].filter(([, { kind }]) => kind === 'perpetual'));

/** Least time between two reports of the status of what is read beside the prices, ms. */
const calm = 5_000;

/** Publishes the rows of several publishers; its status is that of the first. */
class PublishersTogether implements AnyPublisher {
  readonly #all: readonly AnyPublisher[];
  readonly #others: readonly AnyPublisher[];
  readonly status: AnyPublisher['status'];
  #reported = 0;

  constructor([first, ...others]: readonly AnyPublisher[]) {
    if (!first) throw new Error('a stream without a topic');
    this.#all = [first, ...others];
    this.#others = others;
    this.status = first.status;
  }

  async open(): Promise<void> {
    for (const one of this.#all) await one.open();
  }

  async take(gathered: Gathered, context: Parameters<AnyPublisher['take']>[1]) {
    let refused: Failure | null = null;
    for (const one of this.#all) {
      const failure = await one.take(gathered, context);
      refused ??= failure;
    }
    this.#report(gathered.received);
    return refused;
  }

  fail(failure: Failure, at: number): void {
    for (const one of this.#all) one.fail(failure, at);
    this.#report(at);
  }

  #report(at: number): void {
    if (at - this.#reported < calm) return;
    this.#reported = at;
    for (const { status } of this.#others) status.report();
  }
}

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
  readonly actors: LiveActor[] = [];
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
    const { book, gateway, random, turnovers } = context;
    const source = venue.id;
    const { most = Infinity } = stream;
    const [topic = 'prices'] = topics;
    const channels = (all: InstrumentMap) => {
      const listed = topic === 'prices' ? all : perpetualsIn(all);
      return stream.channels(most < Infinity ? turnovers.top(source, part, listed, most) : listed);
    };
    const read = readOnce(stream);
    const openers = topics.map((each) => this.#opener(each, { part, label, read }));
    const open = () => {
      const opened = openers.map((opener) => opener());
      const fold = together(opened.map((one) => one.fold));
      const publisher = new PublishersTogether(opened.map((one) => one.publisher));
      return { fold, publisher };
    };
    const behaviour = streamer({
      source,
      part,
      every,
      stream: { ...stream, channels },
      open,
      book,
      gateway,
      random,
      onLost: () => onLost(part),
    });
    this.actors.push({ name: `${changesOf[topic]}/${label}`, behaviour });
  }

  /** Makes the fold and the publisher of a topic, new ones after every crash. */
  #opener<T extends LiveTopic>(
    topic: T,
    { part, label, read }: Pick<LiveStream, 'part' | 'label'> & { read: Read },
  ): () => { fold: AnyFold; publisher: AnyPublisher } {
    const { venue, context, frozen } = this.#options;
    const source = venue.id;
    const form = liveForms[topic];
    const parts: Parts<T> = this.#rows[topic];
    const rows = parts.get(part) ?? new LiveRows<MarketRows[T]>(form, this.#options.polled);
    parts.set(part, rows);
    const send = this.#senders[topic];
    const readTopic = (message: unknown, at: StreamContext): Parsed<MarketRows[T]> | null =>
      read(message, at)?.[topic] ?? null;
    return () => {
      const fold = new ChangeFold<MarketRows[T]>(readTopic, joined(form));
      const publisher = new LivePublisher<MarketRows[T]>({
        source,
        part,
        fold,
        rows,
        status: context.status.row(changesOf[topic], label),
        frozen: () => frozen(part),
        publish: async (reading) => whyUnpublished(await send(`${source}/${part}`, reading)),
      });
      return { fold, publisher };
    };
  }
}
