/** The answers of the market indicators: the current fields of each, its age, and the end of its chart. */
import type {
  HistoryRow,
  IndicatorHistory,
  IndicatorReading,
  MarginReply,
} from '../../actors/topics.ts';
import { type ApiError, apiError } from '../errors.ts';
import { Snapshot } from '../snapshots.ts';

/** What of an indicator is wanted. */
export interface IndicatorQuery {
  /** Most rows of the chart, the newest. */
  limit: number;
  /** Only rates of this asset, in upper case. */
  symbol?: string | undefined;
  /** Only rates of this exchange's id. */
  exchange?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;
/** What a chart is made of; `live` is the row of the day or hour that still runs. */
interface Points {
  rows: readonly HistoryRow[];
  live: HistoryRow | null;
}

/** Ready answers of one indicator, bounded because nobody needs a key to ask for any limit. Bytes are those of bodies. */
const most = { variants: 64, bytes: 4 * 2 ** 20 } as const;

/** Ready answers by variant; those that were wanted longest ago go first, and the newest never. */
class Ready {
  readonly #kept = new Map<string, Snapshot>();
  #bytes = 0;

  get(variant: string): Snapshot | undefined {
    const found = this.#kept.get(variant);
    if (found === undefined) return undefined;
    this.#kept.delete(variant);
    this.#kept.set(variant, found);
    return found;
  }

  add(variant: string, snapshot: Snapshot): void {
    this.#kept.set(variant, snapshot);
    this.#bytes += snapshot.length;
    for (const [name, { length }] of this.#kept) {
      const fits = this.#kept.size <= most.variants && this.#bytes <= most.bytes;
      if (fits || this.#kept.size === 1) break;
      this.#kept.delete(name);
      this.#bytes -= length;
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get size(): number {
    return this.#kept.size;
  }
}

/** The live row as the chart's last, instead of one of the same time; null when the closed rows are newer. */
function running({ rows, live }: Points) {
  const last = rows.at(-1)?.timestamp;
  if (live === null || (last !== undefined && live.timestamp < last)) {
    return { closed: rows.length, row: null };
  }
  const closed = rows.length - (live.timestamp === last ? 1 : 0);
  return { closed, row: { ...live, provisional: true } };
}

/** Which of the closed rows are among the last `limit`, and the running row behind them. */
function ending(points: Points, limit: number) {
  const { closed, row } = running(points);
  const from = Math.max(0, closed - limit + (row === null ? 0 : 1));
  return { from, to: closed, row };
}

/** Everything but the history, in the order of the answer. */
function current(reading: IndicatorReading, history: IndicatorHistory | null, stale: boolean) {
  const { fields, updated_at, received_at, source, live } = reading;
  const rows = history?.rows ?? [];
  const { closed, row } = running({ rows, live });
  return {
    ...fields,
    updated_at,
    received_at,
    source,
    stale,
    coverage: {
      from: (closed > 0 ? rows[0] : row)?.timestamp ?? null,
      to: (row ?? rows.at(-1))?.timestamp ?? null,
      points: closed + (row === null ? 0 : 1),
      recorded_from: history?.recorded_from ?? null,
    },
  };
}

const isStale = ({ received_at, stale_after }: IndicatorReading, now: number): boolean =>
  now - received_at > stale_after;

const isRate = (row: unknown): row is { exchange: unknown; asset: unknown } =>
  typeof row === 'object' && row !== null && 'exchange' in row && 'asset' in row;

/** The fields with only the wanted rates, and their count; null for an asset of which there is no rate at all. */
function filtered(fields: Fields, { symbol, exchange }: IndicatorQuery): Fields | null {
  if (symbol === undefined && exchange === undefined) return fields;
  const all = Array.isArray(fields.rates) ? fields.rates.filter(isRate) : [];
  const ofAsset = all.filter(({ asset }) => symbol === undefined || asset === symbol);
  if (symbol !== undefined && ofAsset.length === 0) return null;
  const rates = ofAsset.filter((row) => exchange === undefined || row.exchange === exchange);
  return { ...fields, rates, count: rates.length };
}

/** Why there are no fields. */
function notEnough({ name, lacks }: IndicatorReading): ApiError {
  if (lacks === null) return apiError('not_enough_data');
  const { what, needs, has } = lacks;
  return apiError('not_enough_data', `${name} needs ${needs} ${what}, there are ${has}`);
}

/** One indicator. */
class Indicator {
  #reading: IndicatorReading | null = null;
  #history: IndicatorHistory | null = null;
  /** Rows of the history as JSON, by their index: each is serialised once, when it is first shown. */
  #texts: (string | undefined)[] = [];
  #stale = false;
  readonly ready = new Ready();

  /** Takes a reading; one that is older than what is here is ignored. */
  accept(reading: IndicatorReading, now: number): void {
    if (this.#reading !== null && this.#reading.received_at > reading.received_at) return;
    this.#reading = reading;
    this.#stale = isStale(reading, now);
    this.ready.clear();
  }

  acceptHistory(history: IndicatorHistory): void {
    this.#history = history;
    this.#texts = new Array(history.rows.length);
    this.ready.clear();
  }

  expire(now: number): void {
    if (this.#reading === null || isStale(this.#reading, now) === this.#stale) return;
    this.#stale = !this.#stale;
    this.ready.clear();
  }

  /** Null when nothing is known. */
  read(query: IndicatorQuery): Snapshot | ApiError | null {
    const reading = this.#reading;
    if (reading === null) return null;
    const { limit, symbol = '', exchange = '' } = query;
    const variant = `${limit} ${exchange} ${symbol}`;
    const known = this.ready.get(variant);
    if (known !== undefined) return known;
    if (reading.fields === null) return notEnough(reading);
    const fields = filtered(reading.fields, query);
    if (fields === null) return apiError('unknown_symbol', `no exchange has a rate of ${symbol}`);
    const json = JSON.stringify(current({ ...reading, fields }, this.#history, this.#stale));
    const text = `${json.slice(0, -1)},"history":[${this.#chart(reading.live, limit)}]}`;
    const snapshot = new Snapshot(text);
    this.ready.add(variant, snapshot);
    return snapshot;
  }

  /** The last rows as JSON, without the brackets. */
  #chart(live: HistoryRow | null, limit: number): string {
    const rows = this.#history?.rows ?? [];
    const { from, to, row } = ending({ rows, live }, limit);
    const parts: string[] = [];
    for (let i = from; i < to; i++) {
      const text = this.#texts[i] ?? JSON.stringify(rows[i]);
      this.#texts[i] = text;
      parts.push(text);
    }
    if (row !== null) parts.push(JSON.stringify(row));
    return parts.join(',');
  }
}

/**
 * The answers of the market indicators by key of the topic (`ahr999`, `bitfinex-margin/BTC`). Bytes are made when
 * someone asks for them and stand until a reading, a chart or the age of the reading changes them; a new reading
 * costs its own fields and no row of the chart.
 */
export class MarketIndicatorsView {
  readonly #indicators = new Map<string, Indicator>();
  #now = 0;

  /** Takes a reading of a key; `now` is Unix ms. */
  accept(key: string, reading: IndicatorReading, now: number): void {
    this.#now = now;
    this.#of(key).accept(reading, now);
  }

  acceptHistory(key: string, history: IndicatorHistory): void {
    this.#of(key).acceptHistory(history);
  }

  /** Marks as stale what has become so. To be called about every second. */
  expire(now: number): void {
    this.#now = now;
    for (const indicator of this.#indicators.values()) indicator.expire(now);
  }

  /**
   * The answer of a key: `upstream_failed` when nothing was ever known of it, `not_enough_data` when its history is
   * too short, `unknown_symbol` for an asset of which there is no rate.
   */
  one(key: string, query: IndicatorQuery): Snapshot | ApiError {
    const found = this.#indicators.get(key)?.read(query) ?? null;
    return found ?? apiError('upstream_failed', `no source of ${key} has answered yet`);
  }

  /** `data` of an indicator that was asked for instead of published. Throws where it has no fields. */
  data({ reading, history }: MarginReply, limit: number): object {
    if (reading.fields === null) throw new TypeError(`a reply of ${reading.name} without fields`);
    const { from, to, row } = ending({ rows: history.rows, live: reading.live }, limit);
    const rows = [...history.rows.slice(from, to), ...(row === null ? [] : [row])];
    return { ...current(reading, history, isStale(reading, this.#now)), history: rows };
  }

  /** Ready answers that are kept of a key. */
  kept(key: string): number {
    return this.#indicators.get(key)?.ready.size ?? 0;
  }

  #of(key: string): Indicator {
    const known = this.#indicators.get(key);
    if (known !== undefined) return known;
    const indicator = new Indicator();
    this.#indicators.set(key, indicator);
    return indicator;
  }
}
