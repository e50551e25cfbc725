/** The actors that stream rows beside the polls of the same parts, and the newest rows of both. */
import type { Published } from '../bus/bus.ts';
import type { Failure } from '../failure.ts';
import type { Behaviour } from '../kernel/actor.ts';
import type { MarketRows, Reading } from '../topics/index.ts';
import type { StreamerMessage } from './connections.ts';
import type { RunContext } from './context.ts';
import type { InstrumentMap } from './define.ts';
import { changesOf, joined, type LiveTopic, liveForms } from './live-forms.ts';
import { LivePublisher, LiveRows } from './live-rows.ts';
import type { AnyPublisher } from './poller.ts';
import type { Gathered } from './publisher.ts';
import type { LatestStream, SharedStream, StreamContext } from './stream.ts';
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

/** The fold of the stream's own topic, and the folds of the other topics that its messages have data for. */
function together(first: AnyFold, others: readonly AnyFold[]): AnyFold {
  if (others.length === 0) return first;
  return {
    get intake() {
      return first.intake;
    },
    accept(message: unknown, context: StreamContext) {
      first.accept(message, context);
      for (const fold of others) fold.accept(message, context);
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

  constructor(first: AnyPublisher, others: readonly AnyPublisher[]) {
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
    const { live } = options.venue;
    const { prices = {}, derivatives = {}, funding = {}, openInterest = {} } = live ?? {};
    for (const [part, stream] of Object.entries(prices)) this.#add('prices', part, stream);
    for (const [part, stream] of Object.entries(derivatives))
      if ('url' in stream) this.#add('derivatives', part, stream);
    for (const [part, stream] of Object.entries(funding))
      this.#add('derivatives', part, stream, `${part}-funding`);
    for (const [part, stream] of Object.entries(openInterest))
      if ('url' in stream) this.#add('openInterest', part, stream);
  }

  /** A poll as it is published: with the streamed rows since it was asked. */
  polled<T extends LiveTopic>(topic: T, reading: Reading<MarketRows[T]>): Reading<MarketRows[T]> {
    const parts: Parts<T> = this.#rows[topic];
    return parts.get(reading.part)?.polled(reading) ?? reading;
  }

  /** `label` names a stream that is not the first of its topic and part: nothing else is read in its messages. */
  #add<T extends LiveTopic>(
    topic: T,
    part: string,
    stream: LatestStream<MarketRows[T]>,
    label = part,
  ): void {
    const { venue, context, every, onLost } = this.#options;
    const { book, gateway, random, turnovers } = context;
    const source = venue.id;
    const { most = Infinity } = stream;
    const channels = (all: InstrumentMap) => {
      const listed = topic === 'prices' ? all : perpetualsIn(all);
      return stream.channels(most < Infinity ? turnovers.top(source, part, listed, most) : listed);
    };
    const first = this.#opener(topic, part, stream, label);
    const others = label === part ? this.#beside(topic, part) : [];
    const open = () => {
      const [own, more] = [first(), others.map((opener) => opener())];
      const fold = together(
        own.fold,
        more.map((one) => one.fold),
      );
      if (more.length === 0) return { fold, publisher: own.publisher };
      const publishers = more.map(({ publisher }) => publisher);
      return { fold, publisher: new PublishersTogether(own.publisher, publishers) };
    };
    const behaviour = streamer({
      ...{ source, part, every, stream: { ...stream, channels }, open, book, gateway, random },
      onLost: () => onLost(part),
    });
    this.actors.push({ name: `${changesOf[topic]}/${label}`, behaviour });
  }

  /** What else is read in the messages about a topic of a part. */
  #beside(topic: LiveTopic, part: string) {
    const { derivatives = {}, openInterest = {} } = this.#options.venue.live ?? {};
    const [rates, interest] = [derivatives[part], openInterest[part]];
    const isHere = <S extends object, Row>(
      stream: S | SharedStream<Row> | undefined,
    ): stream is SharedStream<Row> =>
      stream !== undefined && 'messagesOf' in stream && stream.messagesOf === topic;
    return [
      ...(isHere(rates) ? [this.#opener('derivatives', part, rates)] : []),
      ...(isHere(interest) ? [this.#opener('openInterest', part, interest)] : []),
    ];
  }

  /** Makes the fold and the publisher of a topic, new ones after every crash. */
  #opener<T extends LiveTopic>(
    topic: T,
    part: string,
    stream: Pick<SharedStream<MarketRows[T]>, 'parse'>,
    label = part,
  ): () => { fold: AnyFold; publisher: AnyPublisher } {
    const { venue, context, frozen } = this.#options;
    const { status } = context;
    const source = venue.id;
    const form = liveForms[topic];
    const parts: Parts<T> = this.#rows[topic];
    const rows = parts.get(part) ?? new LiveRows<MarketRows[T]>(form, this.#options.polled);
    parts.set(part, rows);
    const send = this.#senders[topic];
    return () => {
      const fold = new ChangeFold<MarketRows[T]>(stream, joined(form));
      const publisher = new LivePublisher<MarketRows[T]>({
        ...{ source, part, fold, rows, status: status.row(changesOf[topic], label) },
        frozen: () => frozen(part),
        publish: async (reading) => whyUnpublished(await send(`${source}/${part}`, reading)),
      });
      return { fold, publisher };
    };
  }
}
