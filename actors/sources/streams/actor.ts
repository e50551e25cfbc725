/** The actor that keeps a stream open: it subscribes to the markets, hands every message to the sink, and flushes that. */

import { type Failure, failed } from '../../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../../kernel/actor.ts';
import type { Cancel, Clock } from '../../kernel/clock.ts';
import type { InstrumentMap } from '../define.ts';
import type { StreamLease } from '../leased-topics.ts';
import { Counter, type StatusRow } from '../status/status.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import type { Intake, Sink, SinkContext, SinkReport, StreamMarkets, StreamView } from './sink.ts';
import type { Wiring } from './stream.ts';

export interface StreamOptions<Found> {
  /** `parse` gives what a message has, or null for one that is not about data; it throws for one that cannot be read. */
  stream: Wiring & { parse(message: unknown, context: SinkContext): Found | null };
  /** Made again after every crash, and so is the sink. */
  markets(): StreamMarkets;
  sink(view: StreamView): Sink<Found>;
  /** Base URL that every connection goes through, or null. */
  gateway: string | null;
  /** Uniform in [0, 1). */
  random(): number;
  /** The lease of its source, which is held when absent. */
  lease?: StreamLease | undefined;
}

/** `subscribe`: the markets may have changed. `flush`: it is time to. `crash`: a bug outside of a message's parser. */
export type StreamMessage = 'subscribe' | 'flush' | { crash: unknown };

class StreamActor<Found> implements Actor<StreamMessage>, StreamView {
  readonly connections: Connections;
  readonly counter = new Counter();
  readonly #context: ActorContext<StreamMessage>;
  readonly #stream: StreamOptions<Found>['stream'];
  readonly #markets: StreamMarkets;
  readonly #sink: Sink<Found>;
  /** When the newest message about data came since the last call of `takeIntake`, and why one cannot be read. */
  #received: number | null = null;
  #failure: Failure | null = null;
  /** The markets that are subscribed to. */
  #followed: InstrumentMap = new Map();
  /** The connection whose message is taken. */
  #by: Connection | null = null;
  /** When the next flush is due, Unix ms. */
  #due = Infinity;
  #hasCrashed = false;
  #hasStarted = false;
  readonly #lease: StreamLease | undefined;
  #cancel: Cancel = () => {};
  #unwatch: Cancel | undefined;
  #leave: Cancel | undefined;

  constructor(context: ActorContext<StreamMessage>, options: StreamOptions<Found>) {
    this.#context = context;
    this.#lease = options.lease;
    this.#stream = options.stream;
    this.#markets = options.markets();
    this.#sink = options.sink(this);
    this.connections = this.#connect(options);
  }

  get clock(): Clock {
    return this.#context.clock;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get known(): InstrumentMap {
    return this.#markets.known;
  }

  /** As many markets as there are acknowledgements should bring data: upstreams acknowledge names that they do not know. */
  get subscriptions(): StreamView['subscriptions'] {
    const { acknowledged, heard } = this.connections;
    if (acknowledged === null) return {};
    const silent = Math.max(0, Math.min(acknowledged, this.#followed.size) - heard);
    return { subscriptions: { acknowledged, silent } };
  }

  get refusals(): StreamView['refusals'] {
    const { refused } = this.connections;
    return refused > 0 ? { subscription_refused: refused } : {};
  }

  get intake(): Intake {
    return { received: this.#received, failure: this.#failure, unused: this.counter.counts };
  }

  takeIntake(): Intake {
    const intake = { ...this.intake, unused: this.counter.take() };
    this.#received = null;
    this.#failure = null;
    return intake;
  }

  noteData(market: string, topic = 'data'): void {
    this.#by?.note(market, topic);
  }

  flushWithin(delay: number): void {
    const due = this.clock.monotonic() + delay;
    if (due >= this.#due) return;
    this.#due = due;
    this.#cancel();
    this.#cancel = this.#context.after(delay, 'flush');
  }

  report(status: StatusRow, { state, rows, dropped: own, next }: SinkReport): void {
    const now = this.clock.now();
    const dropped = { ...own, ...this.refusals };
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
    const began = this.clock.monotonic();
    this.#leave = this.#lease?.watch(() => this.#isReady(this.clock.monotonic() - began >= late));
    await this.#sink.open?.(this.clock.now());
    this.#unwatch = this.#markets.onChange?.(() => this.#context.self.tell('subscribe'));
    await this.#flush();
    this.#hasStarted = true;
  }

  async stopped(): Promise<void> {
    const at = this.clock.now();
    this.#unwatch?.();
    this.#leave?.();
    await this.connections.close();
    await this.#sink.close?.(at);
  }

  async receive(message: StreamMessage): Promise<void> {
    if (message === 'subscribe') this.#subscribe(this.clock.now());
    else if (message === 'flush') await this.#flush();
    else throw message.crash;
  }

  /** An exception in a callback crashes the actor; after that, and after its end, it gets no message. */
  #connect({ stream, gateway, random }: StreamOptions<Found>): Connections {
    const { clock, signal } = this;
    const sink = this.#sink;
    return new Connections({
      stream,
      gateway,
      clock,
      random,
      onMessage: (message, by) => !signal.aborted && !this.#hasCrashed && this.#take(message, by),
      onMissed: (count) => {
        this.counter.add('message_missed', count);
        sink.missed?.(count, clock.now());
      },
      onEnd: (by) => sink.ended?.(by, clock.now()),
      onLost: (failure) => sink.lost?.(failure, clock.now()),
      onReady: () => sink.ready?.(clock.now()),
      ...(sink.starved && { onStarved: (quiet) => sink.starved?.(quiet, clock.now()) }),
      onError: (error) => this.crash(error),
    });
  }

  /** Without markets there is nothing to wait for. Some upstreams acknowledge fewer names than they are asked for. */
  #isReady(isLate: boolean): boolean {
    if (!this.#hasStarted) return false;
    if (this.#followed.size === 0) return true;
    const { subscribed, open } = this.connections;
    const isReceived = subscribed || (isLate && open === 'all');
    return isReceived && this.#sink.isReady?.(isLate) !== false;
  }

  #subscribe(now: number): void {
    const markets = this.#markets.next(now);
    if (markets === null) return;
    this.#followed = markets;
    this.#sink.follow?.(markets, now);
    this.connections.subscribe(markets);
  }

  /** True for a message with data. */
  #take(message: unknown, connection: Connection): boolean {
    const received = this.clock.now();
    const context = { received, instruments: this.known, connection };
    const found = this.#read(message, context);
    if (found === null) return false;
    this.#received = received;
    this.#by = connection;
    const hasData = this.#sink.take(found, context);
    return hasData;
  }

  /** What a message has; null for one that is not about data, or cannot be read. */
  #read(message: unknown, context: SinkContext): Found | null {
    try {
      return this.#stream.parse(message, context);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable message';
      this.#failure = failed('shape', why).failure;
      this.counter.add('bad_message');
      return null;
    }
  }

  async #flush(): Promise<void> {
    this.#due = Infinity;
    const now = this.clock.now();
    this.#subscribe(now);
    const delay = await this.#sink.flush(now);
    if (!this.signal.aborted) this.flushWithin(delay);
  }
}

/** What an upstream may not bring at all is waited for so long before a hand-over, ms; of a process that ends after six seconds. */
const late = 3_000;

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
