/** The actor that keeps a stream open: it subscribes to the markets, hands every message to the sink, and flushes that. */
import { type Failure, failed } from '../../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../../kernel/actor.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import type { FeedStatus } from '../../topics/index.ts';
import type { InstrumentMap } from '../define.ts';
import type { StreamLease } from '../lease.ts';
import { Counter, type StatusRow } from '../status/status.ts';
import type { Connection, ConnectionOptions } from './connection.ts';
import { Connections } from './connections.ts';
import type { Readable, StreamContext } from './stream.ts';

/** The context of a message, with the connection that brought it. */
export type SinkContext = StreamContext & { connection: Connection };

/** What the messages of a stream go into, for one life of the actor. Times are Unix ms. */
export interface Sink<Found> extends Pick<ConnectionOptions, 'expects'> {
  /** These markets, and no others, are subscribed to from now on. */
  follow?(markets: InstrumentMap, now: number): void;
  /** Takes what a message has. True where that is data. */
  take(found: Found, context: SinkContext): boolean;
  /** A message could not be read. */
  unreadable?(): void;
  /** Publishes what is due; the milliseconds until the next call. */
  flush(now: number): number | Promise<number>;
  /**
   * Whether it has what it needs besides the subscriptions in order to go on for another process; of what the upstream may not
   * bring at all nothing is needed once it `isLate`. So it is when absent.
   */
  isReady?(isLate: boolean): boolean;
  /** A connection has all of its subscriptions. */
  ready?(now: number): void;
  /** This connection brings no message any more: it was lost or did not open, or, without a failure, another one has taken over. */
  ended?(by: Connection, failure: Failure | null, now: number): void;
  /** Ends it after the last message, at the time of the stop. */
  close?(at: number): void | Promise<void>;
}

/** Which markets a stream subscribes to. */
export interface MarketChoice {
  /** The markets to subscribe to, of which `before` were the last ones; none while they are not known. `now` is Unix ms. */
  choose(before: InstrumentMap, now: number): InstrumentMap;
  /** The markets that a message may be about, until `onChange`; those that are subscribed to when absent. */
  listed?(): InstrumentMap;
  /** None is a choice as well; else the last ones stay, since they may be unknown for a moment. */
  mayBeNone?: true;
  /** Calls `wake` when others may have to be chosen. */
  onChange?(wake: () => void): Cancel;
}

/** What every stream needs besides what its sink does. */
export interface StreamOf<Stream>
  extends Pick<ConnectionOptions, 'gateway' | 'random' | 'shared' | 'recording'> {
  source: string;
  part: string;
  stream: Stream;
  /** The lease of its source, which is held when absent. */
  lease?: StreamLease | undefined;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
}

export interface StreamOptions<Found> extends Omit<StreamOf<unknown>, 'source' | 'part'> {
  stream: Readable<Found>;
  markets: MarketChoice;
  /** Made again after every crash. */
  sink(stream: StreamActor<Found>): Sink<Found>;
}

/** `subscribe`: other markets may have to be chosen. `flush`: it is time to. `crash`: a bug outside of a message's parser. */
export type StreamMessage = 'subscribe' | 'flush' | { crash: unknown };

/** What an upstream may not bring at all is waited for so long before a hand-over, ms; of a process that ends after six seconds. */
const late = 3_000;
/** Between two choices, ms: turnovers change; before there are any markets, they are known any moment. */
const choiceMs = { usual: 60_000, without: 1_000 };

export class StreamActor<Found> implements Actor<StreamMessage> {
  readonly connections: Connections;
  /** Counts messages and items that were not used, by reason. */
  readonly counter = new Counter();
  /** Why the last unreadable message is that; null without one since the last report. */
  failure: Failure | null = null;
  /** The markets that are subscribed to, and those that a message may be about. */
  #followed: InstrumentMap = new Map();
  #listed: InstrumentMap = new Map();
  readonly #context: ActorContext<StreamMessage>;
  readonly #options: StreamOptions<Found>;
  readonly #sink: Sink<Found>;
  /** When the next flush is due, by the monotonic clock. */
  #due = Number.POSITIVE_INFINITY;
  #flushing: Cancel = () => {};
  #choosing: Cancel = () => {};
  readonly #watches: Cancel[] = [];
  #hasCrashed = false;

  constructor(context: ActorContext<StreamMessage>, options: StreamOptions<Found>) {
    this.#context = context;
    this.#options = options;
    const sink = options.sink(this);
    this.#sink = sink;
    this.connections = new Connections({
      ...options,
      clock: context.clock,
      expects: sink.expects,
      // After a crash, and after its end, it gets no message.
      onMessage: (message, by) =>
        !this.signal.aborted && !this.#hasCrashed && this.#take(message, by),
      onEnd: (by, failure) => this.#ended(by, failure),
      onReady: () => sink.ready?.(this.clock.now()),
      onError: (error) => this.crash(error),
    });
  }

  get clock(): Clock {
    return this.#context.clock;
  }

  /** Aborts when the actor ends. */
  get signal(): AbortSignal {
    return this.#context.signal;
  }

  /**
   * A part of its status; empty where the upstream acknowledges nothing. As many markets as there are acknowledgements should bring
   * data: upstreams acknowledge names that they do not know.
   */
  get subscriptions(): Pick<FeedStatus, 'subscriptions'> {
    if (!this.#options.stream.acknowledges) return {};
    const acknowledged = this.#sum(({ subscriptions }) => subscriptions.acknowledged);
    const heard = this.#sum(({ beats }) => beats.markets);
    const silent = Math.max(0, Math.min(acknowledged, this.#followed.size) - heard);
    return { subscriptions: { acknowledged, silent } };
  }

  /** What was not used since the last call of `renew`, by reason, and subscriptions that the upstream refuses. */
  get unused(): Readonly<Record<string, number>> {
    const refused = this.#sum(({ subscriptions: on }) => on.refused + on.leftOut);
    const { counts } = this.counter;
    return refused > 0 ? { ...counts, subscription_refused: refused } : counts;
  }

  /** A message could not be read, or refuses something of ours. */
  reject(why: string): void {
    this.failure = failed('shape', why).failure;
    this.counter.add('bad_message');
  }

  /** A report has told what was not used. */
  renew(): void {
    this.failure = null;
    this.counter.take();
  }

  /** Flushes the sink in `delay` ms at the latest. */
  flushWithin(delay: number): void {
    const due = this.clock.monotonic() + delay;
    if (due >= this.#due) return;
    this.#due = due;
    this.#flushing();
    this.#flushing = this.#context.after(delay, 'flush');
  }

  /** Reports its row in `/v1/status`; a state of null leaves it as it is. `next`: milliseconds until the next report. */
  report(state: 'up' | 'standby' | Failure | null, rows: number, next: number): void {
    const dropped = this.unused;
    const { status } = this.#options;
    const now = this.clock.now();
    if (this.failure) status.note(this.failure, now);
    if (state === 'up') status.succeed({ asked: now, received: now, rows, dropped });
    else if (state === 'standby') status.set({ state, reason: null });
    else if (state !== null) status.fail(state, now);
    // A stream answers no request, so it has no latency.
    const of = { latency_ms: null, rows, dropped, last_attempt: now, next_poll: now + next };
    status.set({ ...of, ...this.subscriptions }).report();
  }

  /** Told once: messages in the mailbox survive the crash. */
  crash(error: unknown): void {
    if (!this.#hasCrashed) this.#context.self.tell({ crash: error });
    this.#hasCrashed = true;
  }

  async started(): Promise<void> {
    const { lease, markets, status } = this.#options;
    status.set({ state: 'waiting', reason: null });
    const changed = markets.onChange?.(() => {
      this.#list();
      this.#context.self.tell('subscribe');
    });
    if (changed) this.#watches.push(changed);
    this.#subscribe();
    await this.#flush();
    const began = this.clock.monotonic();
    const isReady = () => this.#isReady(this.clock.monotonic() - began >= late);
    if (lease) this.#watches.push(lease.watch(isReady));
  }

  async stopped(): Promise<void> {
    for (const cancel of this.#watches) cancel();
    this.connections.close();
    await this.#sink.close?.(this.clock.now());
  }

  async receive(message: StreamMessage): Promise<void> {
    if (message === 'subscribe') this.#subscribe();
    else if (message === 'flush') await this.#flush();
    else throw message.crash;
  }

  #ended(by: Connection, failure: Failure | null): void {
    const now = this.clock.now();
    if (failure && !this.connections.subscribed) this.#options.status.fail(failure, now).report();
    this.#sink.ended?.(by, failure, now);
  }

  /** Without markets there is nothing to wait for. Some upstreams acknowledge fewer names than they are asked for. */
  #isReady(isLate: boolean): boolean {
    if (this.#followed.size === 0) return true;
    const { subscribed, open, size } = this.connections;
    const isEnough = isLate && this.#sink.expects !== 'nothing' && open.length === size;
    return (subscribed || isEnough) && this.#sink.isReady?.(isLate) !== false;
  }

  #list(): void {
    this.#listed = this.#options.markets.listed?.() ?? this.#followed;
  }

  /** Where no markets are known any more, the last ones stay: prices may be absent for a moment. */
  #subscribe(): void {
    this.#list();
    const now = this.clock.now();
    const before = this.#followed;
    const markets = this.#options.markets.choose(before, now);
    this.#choosing();
    const pause = markets.size > 0 ? choiceMs.usual : choiceMs.without;
    this.#choosing = this.#context.after(pause, 'subscribe');
    const isKnown = [...markets].every(([market, one]) => before.get(market) === one);
    const isUnknown = markets.size === 0 && !this.#options.markets.mayBeNone;
    if (isUnknown || (isKnown && markets.size === before.size)) return;
    this.#followed = markets;
    this.#list();
    this.#sink.follow?.(markets, now);
    this.connections.subscribe(markets);
  }

  /** True for a message with data. */
  #take(message: unknown, connection: Connection): boolean {
    const { stream } = this.#options;
    const received = this.clock.now();
    const context = { received, instruments: this.#listed, connection };
    let found: Found | null;
    try {
      const { parse } = (connection.isBehind && stream.behind) || stream;
      found = parse(message, context);
    } catch (error) {
      this.reject(error instanceof Error ? error.message : 'unreadable message');
      this.#sink.unreadable?.();
      return false;
    }
    if (found === null) return false;
    return this.#sink.take(found, context);
  }

  async #flush(): Promise<void> {
    this.#due = Number.POSITIVE_INFINITY;
    const delay = await this.#sink.flush(this.clock.now());
    if (!this.signal.aborted) this.flushWithin(delay);
  }

  #sum(of: (one: Connection) => number): number {
    return this.connections.open.reduce((sum, one) => sum + of(one), 0);
  }
}

/** A stream as a supervisor takes it. */
export interface NamedStream {
  name: string;
  /** How long it goes on after another process has taken over, ms from a time (Unix ms); it ends at once when absent. */
  lingers?(now: number): number;
  behaviour: Behaviour<StreamMessage>;
}

/** The behaviour of a stream, for a supervisor. */
export const streamActor =
  <Found>(options: StreamOptions<Found>): Behaviour<StreamMessage> =>
  (context) =>
    new StreamActor(context, options);
