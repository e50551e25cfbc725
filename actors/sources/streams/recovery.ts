/** Holds back the trades of a market behind missing ones, until these have been asked for. */
import type { Trade, TradeFold } from '../../../indicators/derivatives/trade-fold.ts';
import { type Clock, sleep } from '../../kernel/clock.ts';
import type { Instrument, PublicTrade } from '../../topics/index.ts';
import type { StreamRecording } from '../recording/stream-recording.ts';
import type { TradeTape } from './trade-tape.ts';

/** A trade, and when it was received, Unix ms. */
export interface Heard {
  trade: Trade;
  received: number;
}

export interface RecoveryOptions {
  clock: Clock;
  signal: AbortSignal;
  recording?: StreamRecording | null | undefined;
  /** Asks the exchange for the newest trades of a market, newest first; null without an answer. */
  newest(market: Instrument): Promise<readonly PublicTrade[] | null>;
}

/** What is known of a market. */
interface Market {
  instrument: Instrument;
  fold: TradeFold;
  tape: TradeTape;
}

/** Missing trades that are asked for at most, as many as exchanges answer with; and how long after the first one behind them, ms. */
const mostMissed = 1_000;
const patience = 1_000;

export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #market: Market;
  readonly #fold: (one: Heard) => void;
  /** Trades that wait; null while none are asked for. */
  #held: Heard[] | null = null;
  /** The connection has ended since the last trade. */
  #wasLost = false;

  constructor(market: Market, options: RecoveryOptions, fold: (one: Heard) => void) {
    this.#market = market;
    this.#options = options;
    this.#fold = fold;
  }

  take(one: Heard): void {
    const isAfterMissed = this.#isAfterMissed(one.trade);
    this.#wasLost = false;
    if (this.#held !== null) this.#held.push(one);
    else if (isAfterMissed) void this.#recover(one);
    else this.#fold(one);
  }

  /** The connection has ended: what waits does so no longer. */
  lost(): void {
    this.release();
    this.#wasLost = true;
  }

  /** What waits does so no longer. */
  release(): void {
    const held = this.#held;
    this.#held = null;
    for (const one of held ?? []) this.#fold(one);
  }

  /** Whether trades before it are missing that the exchange may have. */
  #isAfterMissed({ id, count = 1, name }: Trade): boolean {
    const { last } = this.#market.fold;
    if (last === null) return false;
    if (id === null || last.id === null) return this.#wasLost && name !== undefined;
    const missing = id - count - last.id;
    return missing > 0 && missing <= mostMissed;
  }

  async #recover(first: Heard): Promise<void> {
    const { clock, signal, newest, recording } = this.#options;
    const { instrument, fold, tape } = this.#market;
    const held = [first];
    this.#held = held;
    // The tape answers such questions as long as it is whole.
    tape.lost();
    await sleep(clock, patience, signal);
    const rows = signal.aborted ? null : await newest(instrument);
    if (this.#held !== held) return;
    const found = rows && fold.last && tradesBetween(rows, fold.last, first.trade);
    if (found) fold.found();
    for (const trade of found ?? []) this.#fold({ trade, received: clock.now() });
    if (found && found.length > 0) recording?.recovered(instrument.market, found);
    this.release();
  }
}

/** Those between two by their numbers; null where some are not there. */
function byNumber(rows: readonly PublicTrade[], before: number, first: number) {
  const found = new Map<number, PublicTrade>();
  for (const row of rows) {
    const number = Number(row.id);
    if (number > before && number < first) found.set(number, row);
  }
  if (found.size < first - before - 1) return null;
  return [...found].sort(([one], [other]) => one - other).map(([, row]) => row);
}

/** Those between two by their names, of which both must be there. */
function byName(rows: readonly PublicTrade[], before = '', after = '') {
  const [from, to] = [before, after].map((name) => rows.findIndex(({ id }) => id === name));
  if (from === undefined || to === undefined || to < 0 || from < to) return null;
  return rows.slice(to + 1, from).reverse();
}

/**
 * All trades of a market between two of its stream, oldest first; null where it is not sure that these are all. `rows`: the newest
 * trades, newest first.
 */
export function tradesBetween(
  rows: readonly PublicTrade[],
  before: Trade,
  after: Trade,
): Trade[] | null {
  const isNumbered = before.id !== null && after.id !== null;
  const found = isNumbered
    ? byNumber(rows, before.id ?? 0, (after.id ?? 0) - (after.count ?? 1) + 1)
    : byName(rows, before.name, after.name);
  if (found === null) return null;
  return found.map(({ id, ...trade }) => ({
    ...trade,
    market: after.market,
    id: isNumbered ? Number(id) : null,
    ...(id !== null && { name: id }),
  }));
}
