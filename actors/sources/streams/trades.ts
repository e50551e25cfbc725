/** The sink of public trades: it folds those of tracked markets by minute, and sends the minutes and their sums to the history. */
import { minute } from '../../../config/time.ts';
import {
  type FoldedMinute,
  type Trade,
  TradeFold,
} from '../../../indicators/derivatives/trade-fold.ts';
import { stepAt } from '../../../indicators/market/buckets.ts';
import { type Failure, failed } from '../../failure.ts';
import {
  footprintKey,
  footprintValues,
  type Instrument,
  type RecordParams,
  type RecordRow,
  recordedKey,
} from '../../topics/index.ts';
import type { InstrumentMap, Parsed } from '../define.ts';
import {
  type Sink,
  type SinkContext,
  type StreamActor,
  type StreamOf,
  streamActor,
} from './actor.ts';
import type { Connection } from './connection.ts';
import { type Heard, Recovery, type RecoveryOptions } from './recovery.ts';
import type { TradeStream } from './stream.ts';
import { type LiveTrades, TradeTape } from './trade-tape.ts';

export interface TradeOptions extends StreamOf<TradeStream> {
  /** The markets whose trades are folded; none while they are not known. `now` is Unix ms. */
  tracked(now: number): InstrumentMap;
  /** Null when the rows are stored, else why they are not. */
  record(rows: RecordParams): Promise<Failure | null>;
  /** Where the newest trades are offered to queries; nowhere when absent. */
  live?: LiveTrades | undefined;
  /** Missed trades stay missing when absent. */
  newest?: RecoveryOptions['newest'];
}

/** Interval of the checks, ms. */
const every = 1_000;
/** How long after its end a minute is closed, ms: trades take a moment to come. */
const grace = 5_000;
/** How far the time of a trade may be ahead of ours, ms. */
const maxAhead = minute;
/** Rows that wait for the history: two hours and more of thirty markets, two a minute. */
const maxWaiting = 10_000;
/** Rows that the history is asked to store at a time. */
const maxAsked = 1_000;
/** Before the history is asked again. */
const retryDelayMs = 10_000;

/** A row of a series. */
type Waiting = Pick<RecordParams, 'series'> & { row: RecordRow };

interface Market {
  instrument: Instrument;
  fold: TradeFold;
  tape: TradeTape;
  /** The connection that brings its trades; null before the first, and after its end. */
  by: Connection | null;
  /** Whether its trades have numbers, by which repeats and missing ones are known. */
  isNumbered: boolean;
  /** Absent where missed trades are not asked for. */
  recovery?: Recovery;
}

class TradeSink implements Sink<Parsed<Trade>> {
  readonly expects = 'channels';
  readonly #stream: StreamActor<Parsed<Trade>>;
  readonly #options: TradeOptions;
  readonly #markets = new Map<string, Market>();
  /** Minutes before it are reported, Unix ms. */
  #closed: number;
  /** Rows that are not stored yet, the oldest first, and when the history is asked again. */
  #waiting: Waiting[] = [];
  #due = 0;
  #handing: Promise<void> | null = null;
  /** Trades of the current minute. */
  #count = 0;

  constructor(stream: StreamActor<Parsed<Trade>>, options: TradeOptions) {
    this.#stream = stream;
    this.#options = options;
    this.#closed = stepAt(stream.clock.now(), minute);
  }

  /** Offers the tapes of these markets, and withdraws all others. */
  follow(wanted: InstrumentMap, now: number): void {
    const { source, part, live } = this.#options;
    for (const [market, { tape }] of this.#markets) {
      if (wanted.has(market)) continue;
      this.#markets.delete(market);
      live?.remove(source, part, market, tape);
    }
    for (const [market, instrument] of wanted) {
      const known = this.#markets.get(market);
      const followed = known ?? this.#marketOf(instrument, now);
      followed.instrument = instrument;
      this.#markets.set(market, followed);
      if (!known) live?.put(source, part, market, followed.tape);
    }
  }

  #marketOf(instrument: Instrument, now: number): Market {
    const { newest, recording } = this.#options;
    const { clock, signal } = this.#stream;
    const market: Market = {
      instrument,
      fold: new TradeFold(),
      tape: new TradeTape(now),
      by: null,
      isNumbered: false,
    };
    const fold = (one: Heard) => this.#fold(market, one);
    if (newest) market.recovery = new Recovery(market, { clock, signal, newest, recording }, fold);
    return market;
  }

  take({ rows, dropped }: Parsed<Trade>, { received, connection }: SinkContext): boolean {
    let newest = 0;
    for (const trade of rows) {
      this.#take(trade, received, connection);
      newest = Math.max(newest, trade.timestamp);
    }
    if (newest > 0) this.#options.status.tally.events.add(received - newest, received);
    for (const { key, code } of dropped) {
      this.#stream.counter.add(code);
      this.#missed(key);
    }
    return true;
  }

  /** It may have been about any market. */
  unreadable(): void {
    this.#missed('');
  }

  flush(now: number): number {
    const until = stepAt(now - grace, minute);
    const closed = this.#close(until, now);
    if (until > this.#closed) this.#report(closed);
    this.#closed = Math.max(this.#closed, until);
    if (this.#waiting.length > 0 && this.#stream.clock.monotonic() >= this.#due)
      void this.#handOver();
    return every;
  }

  /** The last messages before a connection ended may be missing. */
  ended(by: Connection): void {
    for (const market of this.#markets.values()) {
      if (market.by !== by) continue;
      market.by = null;
      this.#lose(market);
    }
  }

  /** The rows that one under way does not have follow it; each is asked for once more. */
  async close(): Promise<void> {
    const { source, part, live } = this.#options;
    for (const market of this.#markets.values()) market.recovery?.release();
    for (const [market, { tape }] of this.#markets) live?.remove(source, part, market, tape);
    await this.#handing;
    for (let rows = Number.POSITIVE_INFINITY; this.#waiting.length < rows; ) {
      rows = this.#waiting.length;
      await this.#handOver();
    }
  }

  #take(trade: Trade, received: number, connection: Connection): void {
    const market = this.#markets.get(trade.market);
    if (!market) return;
    const isNumbered = trade.id !== null;
    // Trades without numbers count from one connection only: another one that takes over brings some of them again.
    if (!isNumbered && market.by !== null && market.by !== connection) return;
    market.by = connection;
    market.isNumbered = isNumbered;
    connection.note(trade.market);
    if (trade.timestamp > received + maxAhead) {
      this.#stream.counter.add('out_of_time');
      this.#missed(trade.market);
      return;
    }
    if (market.recovery) market.recovery.take({ trade, received });
    else this.#fold(market, { trade, received });
  }

  #fold(market: Market, { trade, received }: Heard): void {
    this.#count += 1;
    const taken = market.fold.take(trade);
    // A repeat is not counted: only two connections at once bring one.
    if (taken === 'gap' || taken === 'late') this.#stream.counter.add(taken);
    if (taken !== 'repeated') market.tape.add(trade, { follows: taken === 'taken', received });
  }

  /** A trade is not in the fold of its market, which may be any one where the name is empty: numbers would show it. */
  #missed(name: string): void {
    for (const [own, market] of this.#markets)
      if ((name === '' || name === own) && !market.isNumbered) this.#lose(market);
  }

  #lose(market: Market): void {
    market.recovery?.lost();
    market.fold.lost();
    market.tape.lost();
  }

  /** Keeps the minutes before `until` that are whole; of how many markets there are any. */
  #close(until: number, now: number): number {
    let closed = 0;
    for (const market of this.#markets.values()) {
      const minutes = market.fold.close(until, now);
      if (minutes.length > 0) closed += 1;
      for (const one of minutes) this.#keep(market, one);
    }
    const excess = this.#waiting.length - maxWaiting;
    if (excess > 0) this.#stream.counter.add('overflow', this.#waiting.splice(0, excess).length);
    return closed;
  }

  /** The rows of a minute wait for the history. */
  #keep({ instrument }: Market, minute: FoldedMinute): void {
    const { source } = this.#options;
    const { kind, symbol } = instrument;
    const { timestamp: time, buckets } = minute;
    const row = { key: footprintKey(source, instrument), time, values: footprintValues(minute) };
    this.#waiting.push({ series: 'footprint', row });
    const key = recordedKey(source, kind, symbol);
    const sumOf = (side: 'buy_usd' | 'sell_usd') =>
      buckets.reduce((sum, bucket) => sum + bucket[side], 0);
    const values = { buy_usd: sumOf('buy_usd'), sell_usd: sumOf('sell_usd'), minutes: 1 };
    this.#waiting.push({ series: 'taker-flow', row: { key, time, values } });
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
    const now = this.#stream.clock.now();
    if (failure) {
      this.#due = this.#stream.clock.monotonic() + retryDelayMs;
      this.#options.status.note(failure, now);
      return;
    }
    const stored = new Set(sent);
    this.#waiting = this.#waiting.filter((one) => !stored.has(one));
  }

  /** `rows` are the markets of which the minute that was closed last is whole. */
  #report(rows: number): void {
    const isFailing = this.#options.status.values.state === 'failing';
    const silence = isFailing ? null : failed('timeout', 'no trade in a minute').failure;
    const state = this.#count > 0 ? 'up' : silence;
    this.#stream.report(this.#markets.size === 0 ? 'standby' : state, rows, minute);
    this.#stream.renew();
    this.#count = 0;
  }
}

/**
 * How long a process goes on after another one has taken over, from `now` (Unix ms): until it has closed the next minute. For the
 * other one a market's minutes are whole after that of its first trade, which comes in more than a minute even where little is traded.
 */
export const untilClosed = (now: number): number =>
  stepAt(now, minute) + 2 * minute + grace + 2 * every - now;

/** The behaviour of a stream whose trades are folded. */
export const foldedTrades = (options: TradeOptions) =>
  streamActor({
    ...options,
    markets: { choose: (_, now) => options.tracked(now) },
    sink: (stream) => new TradeSink(stream, options),
  });
