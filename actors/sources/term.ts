/** The time from gaining a source's lease to losing it: its pollers under one supervisor. */
import type { Published } from '../bus/bus.ts';
import type { ActorRef } from '../kernel/actor.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import { type FeedStatus, type PriceRow, type Reading, topics } from '../topics.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { JoinedStream, Part, SharingFeed, Venue } from '../venues/venue.ts';
import type { SourceContext } from './context.ts';
import { FrozenGuard } from './frozen.ts';
import { stopPolicy, whyUnpublished } from './holding.ts';
import { Joint } from './joint.ts';
import { type AnyRow, Outlet, type OutletOptions } from './outlet.ts';
import { type AnyOutlet, type PollerMessage, poller } from './poller.ts';
import { crash } from './status.ts';
import { StreamFold } from './stream-fold.ts';
import { streamer } from './streamer.ts';

/** A stream tells each market all the time, so that what it said this long ago, ms, is too old for any topic. */
const streamedAge = 300_000;

/** One topic of the venue: its feed, and the way to and from the stream. */
interface Outflow<Row extends AnyRow> {
  topic: keyof Venue['feeds'];
  feed: SharingFeed<Row> | undefined;
  publish(key: string, reading: Reading<Row>): Promise<Published>;
  last(key: string): Promise<Reading<Row> | undefined>;
  /** Looks at the rows of a poll; true when the venue seems frozen. */
  watch(part: string, rows: readonly Row[]): boolean;
}

/** A request group and the topics that live on its bodies. */
interface Group {
  topic: keyof Venue['feeds'];
  part: string;
  every: number;
  group: Pick<Part<never>, 'requests' | 'needsInstruments' | 'rotates' | 'most'>;
  outlets: (() => AnyOutlet)[];
}

/** Where an outlet's readings go, and where the last one is found. */
type Way<Row extends AnyRow> = Pick<OutletOptions<Row>, 'previous' | 'publish'>;

interface Opened<Row extends AnyRow> extends Pick<OutletOptions<Row>, 'parse' | 'partial'> {
  part: string;
  /** The part as its status names it, where that is not its name. */
  label?: string;
  way: Way<Row>;
}

interface Streamed<Row extends AnyRow> {
  part: string;
  stream: JoinedStream<Row>;
  every: number;
  bus: Way<Row>;
}

export type TermContext = SourceContext & { fence: number };

/** Polls and hears everything that a venue feeds, until stopped. */
export class Term {
  readonly #venue: Venue;
  readonly #context: TermContext;
  readonly #supervisor: Supervisor;
  readonly #guard = new FrozenGuard();
  readonly #pollers = new Map<string, ActorRef<PollerMessage>>();
  readonly #statuses = new Map<string, FeedStatus>();

  constructor(venue: Venue, client: HttpClient, context: TermContext) {
    this.#venue = venue;
    this.#context = context;
    const { clock, random, book, turnovers } = context;
    const onEvent = (event: SupervisorEvent) => this.#note(event);
    this.#supervisor = createSupervisor({
      name: venue.id,
      clock,
      random,
      policy: stopPolicy,
      onEvent,
    });
    for (const { topic, part, every, group, outlets } of this.#groups()) {
      const name = `${topic}/${part}`;
      const behaviour = poller({
        source: venue.id,
        part,
        every,
        group,
        outlets: () => outlets.map((open) => open()),
        client,
        book,
        turnovers,
        random,
      });
      this.#pollers.set(name, this.#supervisor.spawn({ name, behaviour, mailbox: 16 }));
    }
  }

  stop(): Promise<void> {
    return this.#supervisor.stop();
  }

  #groups(): Group[] {
    const { bus, fence } = this.#context;
    const { instruments, prices, derivatives, openInterest } = this.#venue.feeds;
    const lease = { name: this.#venue.id, fence };
    const idle = () => this.#guard.frozen;
    const groups: Group[] = [];
    this.#add(groups, {
      topic: 'instruments',
      feed: instruments,
      publish: (key, reading) => bus.publish('instruments', key, reading, lease),
      last: (key) => bus.lastOf('instruments', key),
      watch: () => false,
    });
    this.#add(groups, {
      topic: 'prices',
      feed: prices,
      publish: (key, reading) => bus.publish('prices', key, reading, lease),
      last: (key) => bus.lastOf('prices', key),
      watch: (part, rows) => this.#watch(part, rows),
    });
    this.#add(groups, {
      topic: 'derivatives',
      feed: derivatives,
      publish: (key, reading) => bus.publish('derivatives', key, reading, lease),
      last: (key) => bus.lastOf('derivatives', key),
      watch: idle,
    });
    this.#add(groups, {
      topic: 'openInterest',
      feed: openInterest,
      publish: (key, reading) => bus.publish('openInterest', key, reading, lease),
      last: (key) => bus.lastOf('openInterest', key),
      watch: idle,
    });
    return groups;
  }

  /** Adds a topic's own request groups, and its outlets to those whose bodies it shares; starts its streams. */
  #add<Row extends AnyRow>(groups: Group[], outflow: Outflow<Row>): void {
    const { topic, feed } = outflow;
    if (feed === undefined) return;
    const { every } = feed;
    for (const [part, group] of Object.entries(feed.parts)) {
      const partial = 'requests' in group && group.rotates === true;
      const stream = 'requests' in group ? group.stream : undefined;
      const bus = this.#way(outflow, part);
      const way = stream ? this.#stream(outflow, { part, stream, every, bus }) : bus;
      const open = () => this.#outlet(outflow, { part, parse: group.parse, partial, way });
      if ('requests' in group) {
        groups.push({ topic, part, every, group, outlets: [open] });
        continue;
      }
      const host = groups.find((one) => one.topic === group.bodiesOf && one.part === part);
      host?.outlets.push(open);
    }
  }

  /** Starts a stream; the way of what is polled of the same markets, which joins the two. */
  #stream<Row extends AnyRow>(outflow: Outflow<Row>, { part, stream, every, bus }: Streamed<Row>) {
    const { random, book, gateway } = this.#context;
    const source = this.#venue.id;
    const label = `${part}-stream`;
    const maxAge = Math.min(streamedAge, topics[outflow.topic].maxAge);
    // A row leaves one reading early: one that waited for the next would be too old for its readers until then.
    const joint = new Joint<Row>({ part, join: stream.join, maxAge: maxAge - every, ...bus });
    const way = {
      previous: bus.previous,
      publish: (reading: Reading<Row>) => joint.publish('streamed', reading),
    };
    const outlet = () => {
      const fold = new StreamFold<Row>(stream, maxAge);
      const parse = () => fold.take();
      return { fold, outlet: this.#outlet(outflow, { part, label, parse, partial: true, way }) };
    };
    const behaviour = streamer({ source, part, every, stream, outlet, book, gateway, random });
    this.#supervisor.spawn({ name: `${outflow.topic}/${label}`, behaviour, mailbox: 16 });
    return { ...way, publish: (reading: Reading<Row>) => joint.publish('polled', reading) };
  }

  /** The way of a part's readings to and from the bus. */
  #way<Row extends AnyRow>({ publish, last }: Outflow<Row>, part: string): Way<Row> {
    const key = `${this.#venue.id}/${part}`;
    return {
      // Without it only the rows that the first poll cannot read are lost.
      previous: () => last(key).catch(() => undefined),
      publish: async (reading) => {
        const outcome = await publish(key, reading);
        return whyUnpublished(outcome);
      },
    };
  }

  #outlet<Row extends AnyRow>(
    { topic, watch }: Outflow<Row>,
    { part, label = part, parse, partial, way }: Opened<Row>,
  ): AnyOutlet {
    return new Outlet<Row>({
      source: this.#venue.id,
      topic,
      part: label,
      parse,
      partial,
      ...way,
      watch: (rows) => watch(part, rows),
      report: (status) => this.#report(status),
      resume: () => this.#statuses.get(`${topic}/${label}`),
      onUnknown: () => void this.#pollers.get(`instruments/${part}`)?.tell('hurry'),
    });
  }

  #watch(part: string, rows: readonly PriceRow[]): boolean {
    this.#guard.observe(part, rows);
    return this.#guard.frozen;
  }

  /** A status that does not get out is followed by the next one. */
  #report(status: FeedStatus): void {
    this.#statuses.set(`${status.topic}/${status.part}`, status);
    const key = `${status.source}/${status.topic}/${status.part}`;
    const lease = { name: this.#venue.id, fence: this.#context.fence };
    void this.#context.bus.publish('status', key, status, lease);
  }

  /** A crash is a bug: it is logged whole and shown in `/v1/status`. */
  #note(event: SupervisorEvent): void {
    const { log, clock } = this.#context;
    const crashed = event.type === 'crashed';
    log[crashed ? 'error' : 'info']({ event }, `poller ${event.child} ${event.type}`);
    const status = this.#statuses.get(event.child);
    if (!status) return;
    if (crashed) this.#report({ ...status, last_error: crash(clock.now()) });
    if (event.type === 'down') this.#report({ ...status, state: 'down' });
  }
}
