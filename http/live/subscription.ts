/** A subscription of one client: which messages it gets, and when. */
import type { Cancel, Clock } from '../../actors/kernel/clock.ts';
import type { Audience, Shared } from './audience.ts';
import type { Format, Id, Message } from './message.ts';
import type { Follower, Kind, Mode, Topic } from './topic.ts';
import type { Steps } from './turns.ts';

/** The options of one subscription. */
export interface SubscriptionOptions {
  mode: Mode;
  /** Least milliseconds between a version of an answer and the next message about it. */
  every: number;
  /** The position that the client has already, from an earlier connection. */
  resume?: string | undefined;
  /** That of the connection when absent. */
  format?: Format | undefined;
}

/** Units of planning one message. */
const ofPlan = 0.02;

/** A position in a pattern: it is the version of no answer. */
export const anyVersion = '*';

/** Until when nothing is sent about an answer, monotonic ms, and what is to be sent then: null where it has not changed. */
interface Rest {
  readonly until: number;
  kind: Kind | null;
}

/** The groups in which a connection may be. */
export interface Groups {
  /** Of messages that do not state one. */
  readonly format: Format;
  join(group: string): void;
  leave(group: string): void;
}

/** A connection as its subscriptions see it. */
export interface Receiver {
  readonly clock: Clock;
  /** Whose connection it is. */
  readonly account: string;
  /** Whether the client has not read what was sent before: nothing more may be sent until `flush` is called. */
  readonly full: boolean;
  send(subscription: Subscribed, message: Message, path: string | null): void;
  /** Groups of clients that are sent the same bytes at once; absent where it is sent all by itself. */
  readonly groups?: Groups | undefined;
  /** Does work in the next turns. */
  work(steps: Steps): void;
  /** Ends the connection of a client that has fallen too far behind in a log. */
  lost(): void;
  /** Ends a subscription whose work has thrown. */
  failed(subscription: Subscribed, error: unknown): void;
}

/** A subscription of a connection, whatever it follows. */
export interface Subscribed {
  /** The name that the client has given it. */
  readonly id: Id;
  readonly options: SubscriptionOptions;
  /** Its weight in subscriptions. */
  readonly weight: number;
  /** The client can be sent more. */
  flush(): void;
  stop(): void;
}

/** The work of a subscription; what it throws ends that one alone. */
export function* guarded(
  subscription: Subscribed,
  receiver: Receiver,
  steps: Iterable<number>,
): Generator<number, void> {
  try {
    yield* steps;
  } catch (error) {
    receiver.failed(subscription, error);
  }
}

/** One answer, or all answers that a pattern means. */
export interface Source {
  /** The weight of following it, in subscriptions. */
  readonly weight: number;
  /** Equal for sources of the same answers. */
  readonly name: string;
  /** Those who follow it. */
  readonly audience: Audience<Topic>;
  topics(): Iterable<Topic>;
  /** The path of one of several answers, which each message about it names; null where there is one answer only. */
  pathOf(topic: Topic): string | null;
  follow(follower: Follower): void;
  unfollow(follower: Follower): void;
}

/**
 * Sends the state of answers, then each change. A client that reads slowly, or asks for fewer messages, gets the newest
 * version only: what it missed between is not kept.
 */
export class Subscription implements Follower, Subscribed {
  readonly id: Id;
  readonly options: SubscriptionOptions;
  readonly #source: Source;
  readonly #receiver: Receiver;
  /** Answers with a version that is to be sent; null where there are none. */
  #pending: Map<Topic, Kind> | null = null;
  /** Answers about which nothing is sent for a while, the soonest first; null before there are any. */
  #resting: Map<Topic, Rest> | null = null;
  #waiting: Cancel | null = null;
  /** What waits is being sent. */
  #isSending = true;
  /** Its first messages are planned. Until then a change needs no message of its own. */
  #isPlanned = false;
  #isOver = false;
  /** The group with the same source and form, and whether it is in it; null where it is in none. */
  readonly #group: string | null;
  #isJoined = false;

  constructor(
    source: Source,
    around: { id: Id; options: SubscriptionOptions; receiver: Receiver },
  ) {
    this.#source = source;
    this.id = around.id;
    this.options = around.options;
    this.#receiver = around.receiver;
    const { mode, every } = this.options;
    const { groups } = this.#receiver;
    const form = `${this.#format} ${typeof this.id} ${this.id}`;
    this.#group = groups === undefined || every > 0 ? null : `${mode} ${form} ${source.name}`;
  }

  get #format(): Format {
    return this.options.format ?? this.#receiver.groups?.format ?? 'json';
  }

  get weight(): number {
    return this.#source.weight;
  }

  get account(): string {
    return this.#receiver.account;
  }

  /** Sends the first messages, in the next turns. */
  start(): void {
    this.#source.follow(this);
    this.#work(this.#begin());
  }

  /** Enters its group where it has the present version of all answers. */
  #enter(): void {
    if (this.#group === null || this.#isJoined || this.#isOver || this.#pending !== null) return;
    if (this.#receiver.full) return;
    this.#isJoined = true;
    this.#source.audience.enter(this.#group, this);
    this.#receiver.groups?.join(this.#group);
  }

  #leave(): void {
    if (!this.#isJoined || this.#group === null) return;
    this.#isJoined = false;
    this.#source.audience.leave(this.#group, this);
    this.#receiver.groups?.leave(this.#group);
  }

  checkRead(): void {
    if (this.#receiver.full) this.#leave();
  }

  shared(topic: Topic): Shared | null {
    const message = this.#messageFor(topic, 'step');
    if (message === null) return null;
    const format = this.#format;
    const bytes = message.bytes(this.id, this.#source.pathOf(topic), format);
    return { bytes, isBinary: format === 'msgpack' };
  }

  changed(topic: Topic): void {
    if (!this.#isPlanned || this.#isOver) return;
    this.#wake();
    const rest = this.#resting?.get(topic);
    const known = rest === undefined ? this.#pending?.get(topic) : rest.kind;
    const kind = known == null ? 'step' : known === 'first' ? 'first' : 'jump';
    if (rest !== undefined) rest.kind = kind;
    else if (this.#receiver.full) this.#add(topic, kind);
    else {
      this.#send(topic, kind);
      this.#delete(topic);
      this.#enter();
    }
  }

  failed(error: unknown): void {
    this.#receiver.failed(this, error);
  }

  #work(steps: Iterable<number>): void {
    this.#receiver.work(guarded(this, this.#receiver, steps));
  }

  added(topic: Topic): void {
    if (!this.#isPlanned || this.#isOver) return;
    this.#add(topic, 'first');
    this.flush();
  }

  flush(): void {
    if (this.#pending === null || this.#isSending) return;
    this.#isSending = true;
    this.#work(this.#sendPending());
  }

  stop(): void {
    this.#isOver = true;
    this.#pending = null;
    this.#waiting?.();
    this.#waiting = null;
    this.#leave();
    this.#source.unfollow(this);
  }

  *#begin(): Generator<number, void> {
    if (this.#isOver) return;
    this.#isPlanned = true;
    this.#pending = new Map([...this.#source.topics()].map((topic) => [topic, 'first']));
    yield this.#pending.size * ofPlan;
    yield* this.#sendPending();
  }

  *#sendPending(): Generator<number, void> {
    for (const [topic, kind] of this.#pending ?? []) {
      if (this.#isOver || this.#receiver.full) break;
      if (topic.state === null) {
        yield ofPlan;
        continue;
      }
      this.#delete(topic);
      this.#send(topic, kind);
      topic.told(this);
      yield 1;
    }
    this.#isSending = false;
    this.#enter();
  }

  #delete(topic: Topic): void {
    this.#pending?.delete(topic);
    if (this.#pending?.size === 0) this.#pending = null;
  }

  #add(topic: Topic, kind: Kind): void {
    this.#leave();
    this.#pending ??= new Map();
    this.#pending.set(topic, kind);
  }

  /** Adds what has changed about answers whose time is over to what is to be sent, and waits for the next one. */
  #wake(): void {
    const { clock } = this.#receiver;
    const now = clock.monotonic();
    for (const [topic, { until, kind }] of this.#resting ?? []) {
      if (until > now) {
        this.#waiting ??= clock.after(until - now, () => {
          this.#waiting = null;
          this.#wake();
          this.flush();
        });
        return;
      }
      this.#resting?.delete(topic);
      if (kind !== null) this.#add(topic, kind);
    }
  }

  #messageFor(topic: Topic, kind: Kind): Message | null {
    const path = this.#source.pathOf(topic);
    // A pattern means what there is, and what there was.
    if (path !== null && topic.version === '' && (kind === 'first' || !topic.isLost)) return null;
    const { mode, resume } = this.options;
    // One position cannot say which version of each answer of a pattern the client has.
    const has = path !== null && resume ? anyVersion : resume;
    return topic.message(kind, { mode, resume: has }, this.#receiver.clock.now());
  }

  #send(topic: Topic, kind: Kind): void {
    const message = this.#messageFor(topic, kind);
    if (message === null) return;
    this.#receiver.send(this, message, this.#source.pathOf(topic));
    const { every } = this.options;
    if (every === 0 || topic.version === '') return;
    this.#resting ??= new Map();
    this.#resting.set(topic, { until: this.#receiver.clock.monotonic() + every, kind: null });
    this.#wake();
  }
}
