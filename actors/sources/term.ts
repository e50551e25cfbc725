/** The time from gaining a source's lease to losing it: its pollers under one supervisor. */
import type { Published } from '../bus/bus.ts';
import { type Failure, failed } from '../failure.ts';
import type { ActorRef } from '../kernel/actor.ts';
import { createSupervisor, type Supervisor, type SupervisorEvent } from '../kernel/supervisor.ts';
import type { FeedStatus, PriceRow, Reading } from '../topics.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Part, SharingFeed, Venue } from '../venues/venue.ts';
import type { SourceContext } from './context.ts';
import { FrozenGuard } from './frozen.ts';
import { type AnyRow, Outlet } from './outlet.ts';
import { type AnyOutlet, type PollerMessage, poller } from './poller.ts';

/** A stop waits twice this at most, well within the ten seconds that a process has. */
const policy = { stopDeadline: 3_000 };

const unpublished: Record<Exclude<Published, 'published'>, Failure> = {
  refused: failed('stopped', 'another process runs this source now').failure,
  unavailable: failed('unavailable', 'Redis did not take the reading').failure,
};

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

export type TermContext = SourceContext & { fence: number };

/** Polls everything that a venue feeds, until stopped. */
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
    this.#supervisor = createSupervisor({ name: venue.id, clock, random, policy, onEvent });
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

  /** Adds a topic's own request groups, and its outlets to those whose bodies it shares. */
  #add<Row extends AnyRow>(groups: Group[], outflow: Outflow<Row>): void {
    const { topic, feed } = outflow;
    if (feed === undefined) return;
    for (const [part, group] of Object.entries(feed.parts)) {
      const partial = 'requests' in group && group.rotates === true;
      const open = () => this.#outlet(outflow, { part, parse: group.parse, partial });
      if ('requests' in group) {
        groups.push({ topic, part, every: feed.every, group, outlets: [open] });
        continue;
      }
      const host = groups.find((one) => one.topic === group.bodiesOf && one.part === part);
      host?.outlets.push(open);
    }
  }

  #outlet<Row extends AnyRow>(
    { topic, publish, last, watch }: Outflow<Row>,
    { part, parse, partial }: Pick<Part<Row>, 'parse'> & { part: string; partial: boolean },
  ): AnyOutlet {
    const key = `${this.#venue.id}/${part}`;
    return new Outlet<Row>({
      source: this.#venue.id,
      topic,
      part,
      parse,
      partial,
      watch: (rows) => watch(part, rows),
      // Without it only the rows that the first poll cannot read are lost.
      previous: () => last(key).catch(() => undefined),
      publish: async (reading) => {
        const outcome = await publish(key, reading);
        return outcome === 'published' ? null : unpublished[outcome];
      },
      report: (status) => this.#report(status),
      resume: () => this.#statuses.get(`${topic}/${part}`),
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
    if (crashed) {
      const message = 'a bug in this program; its log has the stack';
      this.#report({ ...status, last_error: { code: 'crash', message, at: clock.now() } });
    }
    if (event.type === 'down') this.#report({ ...status, state: 'down' });
  }
}
