/** The actor that folds the public trades of tracked markets by minute, and sends the minutes to the history. */
import {
  type FoldedMinute,
  type Trade,
  TradeFold,
} from '../../indicators/derivatives/trade-fold.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { type Failure, failed } from '../failure.ts';
import type { Actor, ActorContext, Behaviour } from '../kernel/actor.ts';
import { footprintValues, type RecordRow, recordedKey } from '../topics/index.ts';
import { type Connections, connectionsOf, type StreamerMessage } from './connections.ts';
import type { InstrumentMap } from './define.ts';
import type { StatusRow } from './status.ts';
import type { TradeStream } from './stream.ts';
import { TrackedMarkets } from './tracked-markets.ts';

export interface TradeStreamerOptions {
  source: string;
  part: string;
  stream: TradeStream;
  /** The markets whose trades are folded; none while they are not known. `now` is Unix ms. */
  tracked(now: number): InstrumentMap;
  /** Null when the rows are stored, else why they are not. */
  record(rows: readonly RecordRow[]): Promise<Failure | null>;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
  gateway: string | null;
  random(): number;
}

const minute = 60_000;
/** Interval of the checks, ms. */
const every = 1_000;
/** How long after its end a minute is closed, ms: trades take a moment to come. */
const grace = 5_000;
/** How far the time of a trade may be ahead of ours, ms. */
const ahead = minute;
/** Rows that wait for the history at most: five hours of thirty markets. Rows of one question. */
const most = { waiting: 10_000, asked: 1_000 };
/** Before the history is asked again, ms. */
const again = 10_000;

class TradeStreamer implements Actor<StreamerMessage> {
  readonly #context: ActorContext<StreamerMessage>;
  readonly #options: TradeStreamerOptions;
  readonly #connections: Connections;
  readonly #folds = new Map<string, TradeFold>();
  readonly #tracked: TrackedMarkets;
  #markets: InstrumentMap = new Map();
  /** Minutes before it are closed, Unix ms. */
  #closed = 0;
  /** Rows that are not stored yet, the oldest first, and when the history is asked again. */
  #waiting: RecordRow[] = [];
  #due = 0;
  #handing: Promise<void> | null = null;
  /** Of the current minute: trades, and the unused messages by reason. */
  #heard = 0;
  #dropped: Record<string, number> = {};
  #missed = 0;

  constructor(context: ActorContext<StreamerMessage>, options: TradeStreamerOptions) {
    this.#context = context;
    this.#options = options;
    this.#tracked = new TrackedMarkets(options.tracked);
    this.#connections = connectionsOf(context, options, {
      onMessage: (message) => this.#take(message),
      onEnd: () => this.#lost(),
      onState: (failure) => {
        if (failure && this.#connections.open !== 'all')
          options.status.fail(failure, context.clock.now());
      },
    });
  }

  started(): void {
    this.#options.status.set({ state: 'waiting', reason: null });
    this.#closed = stepAt(this.#context.clock.now(), minute);
    this.#tick();
  }

  async stopped(): Promise<void> {
    await this.#connections.close();
    // The rows that one under way does not have follow it; each is asked for once more.
    await this.#handing;
    for (let rows = Number.POSITIVE_INFINITY; this.#waiting.length < rows; ) {
      rows = this.#waiting.length;
      await this.#handOver();
    }
  }

  receive(message: StreamerMessage): void {
    if (message === 'tick') this.#tick();
    else if (message !== 'open') throw message.crash;
  }

  #tick(): void {
    const now = this.#context.clock.now();
    this.#subscribe(now);
    const until = stepAt(now - grace, minute);
    if (until > this.#closed) this.#close(until, now);
    if (this.#waiting.length > 0 && now >= this.#due) void this.#handOver();
    this.#context.after(every, 'tick');
  }

  /** Subscribes to the markets that are tracked now. */
  #subscribe(now: number): void {
    const wanted = this.#tracked.next(now);
    if (wanted === null) return;
    this.#markets = wanted;
    for (const market of this.#folds.keys()) {
      if (!wanted.has(market)) this.#folds.delete(market);
    }
    this.#connections.subscribe(wanted);
  }

  #take(message: unknown): void {
    const received = this.#context.clock.now();
    const { stream, status } = this.#options;
    try {
      const parsed = stream.parse(message, { received, instruments: this.#markets });
      if (parsed === null) return;
      for (const trade of parsed.rows) this.#fold(trade, received);
      for (const { code } of parsed.dropped) this.#count(code);
    } catch (error) {
      this.#count('bad_message');
      const why = error instanceof Error ? error.message : 'unreadable message';
      status.set({ last_error: { code: 'shape', message: why, at: received } });
    }
  }

  #fold(trade: Trade, received: number): void {
    if (trade.timestamp > received + ahead) {
      this.#count('out_of_time');
      return;
    }
    const known = this.#folds.get(trade.market);
    const fold = known ?? new TradeFold();
    if (!known) this.#folds.set(trade.market, fold);
    this.#heard += 1;
    const taken = fold.take(trade);
    // A repeat is not counted: only two connections at once bring one.
    if (taken === 'gap' || taken === 'late') this.#count(taken);
  }

  /** The last messages before a connection ended may be missing. */
  #lost(): void {
    for (const fold of this.#folds.values()) fold.lost();
  }

  #close(until: number, now: number): void {
    const { source } = this.#options;
    this.#closed = until;
    let closed = 0;
    for (const [market, fold] of this.#folds) {
      const key = recordedKey(source, market);
      const minutes = fold.close(until);
      if (minutes.length > 0) closed += 1;
      for (const one of minutes) this.#waiting.push(rowOf(key, one));
    }
    const excess = this.#waiting.length - most.waiting;
    if (excess > 0) this.#count('overflow', this.#waiting.splice(0, excess).length);
    this.#report(closed, now);
  }

  /** Sends the oldest rows to the history, unless some are under way. */
  #handOver(): Promise<void> {
    this.#handing ??= this.#send().finally(() => {
      this.#handing = null;
    });
    return this.#handing;
  }

  async #send(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const rows = this.#waiting.slice(0, most.asked);
    const failure = await this.#options.record(rows);
    const now = this.#context.clock.now();
    if (failure) {
      this.#due = now + again;
      const { code, message } = failure;
      this.#options.status.set({ last_error: { code, message, at: now } });
      return;
    }
    const stored = new Set(rows);
    this.#waiting = this.#waiting.filter((row) => !stored.has(row));
  }

  /** `rows` are the markets of which the minute that was closed last is whole. */
  #report(rows: number, now: number): void {
    const { status } = this.#options;
    const { subscriptions, dropped: missed } = this.#connections;
    if (missed > this.#missed) this.#count('message_missed', missed - this.#missed);
    this.#missed = missed;
    const dropped = this.#dropped;
    if (this.#markets.size === 0) status.set({ state: 'standby', reason: null });
    else if (this.#heard > 0) status.succeed({ asked: now, received: now, rows, dropped });
    else if (status.values.state !== 'failing')
      status.fail(failed('timeout', 'no trade in a minute').failure, now);
    // A stream answers no request, so it has no latency.
    status.set({ latency_ms: null, rows, dropped, last_attempt: now });
    status.set({ next_poll: now + minute, ...(subscriptions && { subscriptions }) }).report();
    this.#heard = 0;
    this.#dropped = {};
  }

  #count(reason: string, count = 1): void {
    this.#dropped[reason] = (this.#dropped[reason] ?? 0) + count;
  }
}

const rowOf = (key: string, minute: FoldedMinute): RecordRow => ({
  key,
  time: minute.timestamp,
  values: footprintValues(minute),
});

/** The behaviour of a trade streamer, for a supervisor. */
export const tradeStreamer =
  (options: TradeStreamerOptions): Behaviour<StreamerMessage> =>
  (context) =>
    new TradeStreamer(context, options);
