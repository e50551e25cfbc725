/** The actors that stream rows beside the polls of the same parts, and the newest rows of both. */
import type { Published } from '../../bus/bus.ts';
import type { MarketRows, Reading } from '../../topics/index.ts';
import type { RunContext } from '../context.ts';
import type { InstrumentMap } from '../define.ts';
import { changesOf, joined, type LiveTopic, liveForms } from '../live-forms.ts';
import { LivePublisher, LiveRows } from '../live-rows.ts';
import type { Venue } from '../venue.ts';
import { whyUnpublished } from '../with-lease.ts';
import type { NamedStream } from './actor.ts';
import { ChangeFold } from './fold.ts';
import { newestRows, type Outlet } from './newest.ts';
import type { LatestStream, SharedStream } from './stream.ts';

/** Publish the changed rows of a part. */
type Senders = {
  readonly [T in LiveTopic]: (key: string, rows: Reading<MarketRows[T]>) => Promise<Published>;
};

type Parts<T extends LiveTopic> = Map<string, LiveRows<MarketRows[T]>>;

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
    const select = (all: InstrumentMap) => {
      const listed = topic === 'prices' ? all : perpetualsIn(all);
      return most < Infinity ? turnovers.top(source, part, listed, most) : listed;
    };
    const own = this.#outlet(topic, part, stream, label);
    const others = label === part ? this.#beside(topic, part) : [];
    const behaviour = newestRows({
      source,
      part,
      every,
      stream,
      select,
      book,
      gateway,
      random,
      outlets: () => [own(), ...others.map((one) => one())],
      onLost: () => onLost(part),
    });
    this.actors.push({ name: `${changesOf[topic]}/${label}`, behaviour });
  }

  /** What else is read in the messages about a topic of a part. */
  #beside(topic: LiveTopic, part: string): (() => Outlet)[] {
    const { derivatives = {}, openInterest = {} } = this.#options.venue.live ?? {};
    const [rates, interest] = [derivatives[part], openInterest[part]];
    const isHere = <S extends object, Row>(
      stream: S | SharedStream<Row> | undefined,
    ): stream is SharedStream<Row> =>
      stream !== undefined && 'messagesOf' in stream && stream.messagesOf === topic;
    return [
      ...(isHere(rates) ? [this.#outlet('derivatives', part, rates)] : []),
      ...(isHere(interest) ? [this.#outlet('openInterest', part, interest)] : []),
    ];
  }

  /** Makes the fold and the publisher of a topic, new ones after every crash. */
  #outlet<T extends LiveTopic>(
    topic: T,
    part: string,
    stream: Pick<SharedStream<MarketRows[T]>, 'parse'>,
    label = part,
  ): () => Outlet {
    const { venue, context, frozen, polled } = this.#options;
    const source = venue.id;
    const form = liveForms[topic];
    const parts: Parts<T> = this.#rows[topic];
    const rows = parts.get(part) ?? new LiveRows<MarketRows[T]>(form, polled);
    parts.set(part, rows);
    const send = this.#senders[topic];
    return () => {
      const fold = new ChangeFold<MarketRows[T]>(stream, joined(form));
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
