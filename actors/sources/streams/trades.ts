/** The sink of public trades: it folds those of tracked markets by minute, and sends the minutes and their sums to the history. */
import { minute } from '../../../config/time.ts';
import { FlowSums } from '../../../indicators/derivatives/taker-sums.ts';
import {
  type FoldedMinute,
  type Trade,
  TradeFold,
} from '../../../indicators/derivatives/trade-fold.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { type Failure, failed } from '../../failure.ts';
import type { Behaviour } from '../../kernel/actor.ts';
import {
  footprintKey,
  footprintValues,
  type Instrument,
  type RecordParams,
  type RecordRow,
  recordedKey,
} from '../../topics/index.ts';
import type { InstrumentMap, Parsed } from '../define.ts';
import type { StatusRow } from '../status/status.ts';
import { type StreamMessage, streamActor } from './actor.ts';
import type { Peer } from './connection.ts';
import {
  type Sink,
  type SinkContext,
  type SinkReport,
  type StreamOf,
  type StreamView,
  TrackedMarkets,
} from './sink.ts';
import type { TradeStream } from './stream.ts';
import { type LiveTrades, TradeTape } from './trade-tape.ts';

export interface TradeOptions extends StreamOf<TradeStream> {
  /** The markets whose trades are folded; none while they are not known. `now` is Unix ms. */
  tracked(now: number): InstrumentMap;
  /** Null when the rows are stored, else why they are not. */
  record(rows: RecordParams): Promise<Failure | null>;
  /** Where the newest trades are offered to queries; nowhere when absent. */
  live?: LiveTrades | undefined;
  /** Its row in `/v1/status`, which outlives it. */
  status: StatusRow;
}

/** Interval of the checks, ms. */
const every = 1_000;
/** How long after its end a minute is closed, ms: trades take a moment to come. */
const grace = 5_000;
/** How far the time of a trade may be ahead of ours, ms. */
const maxAhead = minute;
/** Rows that wait for the history: four hours of thirty markets. */
const maxWaiting = 10_000;
/** Rows that the history is asked to store at a time. */
const maxAsked = 1_000;
/** Before the history is asked again. */
const retryDelayMs = 10_000;

/** A row of a series. */
type Waiting = Pick<RecordParams, 'series'> & { row: RecordRow };

class TradeSink implements Sink<Parsed<Trade>> {
  readonly #view: StreamView;
  readonly #options: TradeOptions;
  readonly #folds = new Map<string, TradeFold>();
  readonly #sums = new Map<string, FlowSums>();
  readonly #tapes = new Map<string, TradeTape>();
  /** The connection that brings the trades of a market, where they have no numbers by which repeats are known. */
  readonly #by = new Map<string, Peer>();
  /** Messages that could not be read since the last report, until the last flush. */
  #unread = 0;
  #followed: InstrumentMap = new Map();
  /** Minutes before it are reported, Unix ms. */
  #closed = 0;
  /** Rows that are not stored yet, the oldest first, and when the history is asked again. */
  #waiting: Waiting[] = [];
  #due = 0;
  #handing: Promise<void> | null = null;
  /** Trades of the current minute. */
  #count = 0;

  constructor(view: StreamView, options: TradeOptions) {
    this.#view = view;
    this.#options = options;
  }

  open(now: number): void {
    this.#options.status.set({ state: 'waiting', reason: null });
    this.#closed = stepAt(now, minute);
  }

  follow(markets: InstrumentMap, now: number): void {
    this.#followed = markets;
    this.#offer(markets, now);
    for (const market of this.#folds.keys()) {
      if (markets.has(market)) continue;
      this.#folds.delete(market);
      this.#sums.delete(market);
      this.#by.delete(market);
    }
  }

  take({ rows, dropped }: Parsed<Trade>, { received, connection }: SinkContext): boolean {
    for (const trade of rows) if (this.#isFrom(trade, connection)) this.#fold(trade, received);
    for (const { key, code } of dropped) {
      this.#view.counter.add(code);
      this.#missed(key);
    }
    return true;
  }

  flush(now: number): number {
    this.#look();
    const until = stepAt(now - grace, minute);
    const closed = this.#close(until, now);
    if (until > this.#closed) this.#report(closed, now);
    this.#closed = Math.max(this.#closed, until);
    if (this.#waiting.length > 0 && this.#view.clock.monotonic() >= this.#due)
      void this.#handOver();
    return every;
  }

  lost(failure: Failure, now: number): void {
    if (this.#view.connections.open !== 'all') this.#options.status.fail(failure, now);
  }

  starved(quiet: number, now: number): void {
    const { failure } = failed('timeout', `no data for ${quiet} ms`);
    this.#options.status.fail(failure, now).report();
  }

  /** The last messages before a connection ended may be missing. */
  ended(by: Peer): void {
    for (const [market, fold] of this.#folds) {
      if ((this.#by.get(market) ?? by) !== by) continue;
      this.#by.delete(market);
      this.#lose(market, fold);
    }
  }

  /** The rows that one under way does not have follow it; each is asked for once more. */
  async close(): Promise<void> {
    this.#offer(new Map(), 0);
    await this.#handing;
    for (let rows = Number.POSITIVE_INFINITY; this.#waiting.length < rows; ) {
      rows = this.#waiting.length;
      await this.#handOver();
    }
  }

  /** Trades without numbers count from one connection only: another one that takes over brings some of them again. */
  #isFrom({ id, market }: Trade, connection: Peer): boolean {
    if (id !== null) return true;
    const by = this.#by.get(market) ?? connection;
    this.#by.set(market, by);
    return by === connection;
  }

  /** A trade is not in the fold of its market, which may be any one where the name is empty: numbers would show it. */
  #missed(name: string): void {
    const markets = name === '' ? this.#by.keys() : this.#by.has(name) ? [name] : [];
    for (const market of markets) {
      const fold = this.#folds.get(market);
      if (fold) this.#lose(market, fold);
    }
  }

  /** A message that cannot be read may have been about any market. */
  #look(): void {
    const { bad_message = 0 } = this.#view.intake.unused;
    if (bad_message > this.#unread) this.#missed('');
    this.#unread = bad_message;
  }

  #fold(trade: Trade, received: number): void {
    const { market, timestamp } = trade;
    this.#view.noteData(market);
    if (timestamp > received + maxAhead) {
      this.#view.counter.add('out_of_time');
      this.#missed(market);
      return;
    }
    const known = this.#folds.get(market);
    const fold = known ?? new TradeFold();
    if (!known) this.#folds.set(market, fold);
    this.#count += 1;
    const taken = fold.take(trade);
    // A repeat is not counted: only two connections at once bring one.
    if (taken === 'gap' || taken === 'late') this.#view.counter.add(taken);
    if (taken !== 'repeated')
      this.#tapes.get(market)?.add(trade, { follows: taken === 'taken', received });
  }

  #lose(market: string, fold: TradeFold): void {
    fold.lost();
    this.#tapes.get(market)?.lost();
  }

  /** Offers the tapes of these markets, and withdraws all others. */
  #offer(markets: InstrumentMap, now: number): void {
    const { source, part, live } = this.#options;
    for (const [market, tape] of this.#tapes) {
      if (markets.has(market)) continue;
      this.#tapes.delete(market);
      live?.remove(source, { part, market, tape });
    }
    if (!live) return;
    for (const market of markets.keys()) {
      if (this.#tapes.has(market)) continue;
      const tape = new TradeTape(now);
      this.#tapes.set(market, tape);
      live.put(source, { part, market, tape });
    }
  }

  /** Keeps the minutes before `until` that are whole; of how many markets there are any. */
  #close(until: number, now: number): number {
    let closed = 0;
    for (const [market, fold] of this.#folds) {
      const instrument = this.#followed.get(market);
      if (!instrument) continue;
      const minutes = fold.close(until, now);
      if (minutes.length > 0) closed += 1;
      for (const one of minutes) this.#keep(instrument, one);
    }
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) this.#view.counter.add('overflow', this.#waiting.splice(0, excess).length);
    return closed;
  }

  /** The row of a minute waits for the history, and with the last one of five that of their sum. */
  #keep(instrument: Instrument, minute: FoldedMinute): void {
    const { source } = this.#options;
    const { kind, market, symbol } = instrument;
    const values = footprintValues(minute);
    const row = { key: footprintKey(source, instrument), time: minute.timestamp, values };
    this.#waiting.push({ series: 'footprint', row });
    const sums = this.#sums.get(market) ?? new FlowSums();
    this.#sums.set(market, sums);
    const sum = sums.add(minute);
    if (sum === null) return;
    const { time, ...flow } = sum;
    const key = recordedKey(source, kind, symbol);
    this.#waiting.push({ series: 'taker-flow', row: { key, time, values: flow } });
  }

  /** Sends the oldest rows to the history, unless some are under way. */
  #handOver(): Promise<void> {
    this.#handing ??= this.#send().finally(() => {
      this.#handing = null;
    });
    return this.#handing;
  }

  async #send(): Promise<void> {
    const [first] = this.#waiting;
    if (first === undefined) return;
    const { series } = first;
    const sent = this.#waiting.filter((one) => one.series === series).slice(0, maxAsked);
    const failure = await this.#options.record({ series, rows: sent.map(({ row }) => row) });
    const now = this.#view.clock.now();
    if (failure) {
      this.#due = this.#view.clock.monotonic() + retryDelayMs;
      this.#options.status.note(failure, now);
      return;
    }
    const stored = new Set(sent);
    this.#waiting = this.#waiting.filter((one) => !stored.has(one));
  }

  /** `rows` are the markets of which the minute that was closed last is whole. */
  #report(rows: number, now: number): void {
    const { status } = this.#options;
    const { failure, unused: dropped } = this.#view.takeIntake();
    this.#unread = 0;
    if (failure) status.note(failure, now);
    this.#view.report(status, { state: this.#state(), rows, dropped, next: minute });
    this.#count = 0;
  }

  #state(): SinkReport['state'] {
    if (this.#followed.size === 0) return 'standby';
    if (this.#count > 0) return 'up';
    const isNew = this.#options.status.values.state !== 'failing';
    return isNew ? failed('timeout', 'no trade in a minute').failure : null;
  }
}

/**
 * How long a process goes on after another one has taken over, from `now` (Unix ms): until it has closed the next minute. For the
 * other one a market's minutes are whole after that of its first trade, which comes in more than a minute even where little is traded.
 */
export const untilClosed = (now: number): number =>
  stepAt(now, minute) + 2 * minute + grace + 2 * every - now;

/** The behaviour of a stream whose trades are folded. */
export const foldedTrades = (options: TradeOptions): Behaviour<StreamMessage> =>
  streamActor({
    ...options,
    markets: () => new TrackedMarkets(options.tracked),
    sink: (view) => new TradeSink(view, options),
  });
