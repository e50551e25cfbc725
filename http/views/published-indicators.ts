/** The answers of the market indicators: the own fields of each, its age, and the end of its chart. */

import type {
  HistoryRow,
  IndicatorHistory,
  IndicatorName,
  IndicatorReading,
  InputDays,
} from '../../actors/topics/index.ts';
import type {
  IndicatorAnswer,
  IndicatorCommon,
  IndicatorFields,
  IndicatorRow,
} from '../../actors/topics/indicators/table.ts';
import { minute } from '../../config/time.ts';
import { jsonList, jsonText, jsonWith } from '../answers/json.ts';
import { JsonText } from '../answers/json-text.ts';
import { type ApiError, apiError, isApiError } from '../wire/errors.ts';
import { Document } from './published.ts';

/** The wanted part of an indicator. */
export interface IndicatorQuery {
  /** Most rows of the chart, the newest. */
  limit: number;
  /** Only rates of this asset, in upper case. */
  symbol?: string | undefined;
  /** Only rates of this exchange's id. */
  exchange?: string | undefined;
}

/** The value of an indicator without its chart. */
export type CurrentIndicator<N extends IndicatorName> = IndicatorFields<N> &
  Pick<IndicatorCommon, 'updated_at' | 'source' | 'stale'>;

/** The same with its own fields apart. */
type LatestIndicator<N extends IndicatorName> = { fields: IndicatorFields<N> } & Pick<
  IndicatorCommon,
  'updated_at' | 'received_at' | 'source' | 'stale'
>;

type Fields = Readonly<Record<string, unknown>>;
/** The points of a chart; `live` is that of the current day or hour. */
interface Points {
  rows: readonly HistoryRow[];
  live: HistoryRow | null;
}

/** The live row as the last of the chart, in place of one with the same time; null when the closed rows are newer. */
function running({ rows, live }: Points) {
  const last = rows.at(-1)?.timestamp;
  if (live === null || (last !== undefined && live.timestamp < last)) {
    return { closed: rows.length, row: null };
  }
  const closed = rows.length - (live.timestamp === last ? 1 : 0);
  return { closed, row: { ...live, provisional: true } };
}

/** The range of the closed rows among the last `limit`, and the running row behind them. */
function ending(points: Points, limit: number) {
  const { closed, row } = running(points);
  const from = Math.max(0, closed - limit + (row === null ? 0 : 1));
  return { from, to: closed, row };
}

/** Everything but the own fields and the history, in the order of the answer. */
function common(
  { updated_at, received_at, source, live }: IndicatorReading,
  history: IndicatorHistory | null,
  stale: boolean,
): IndicatorCommon {
  const rows = history?.rows ?? [];
  const { closed, row } = running({ rows, live });
  const coverage = {
    from: (closed > 0 ? rows[0] : row)?.timestamp ?? null,
    to: (row ?? rows.at(-1))?.timestamp ?? null,
    points: closed + (row === null ? 0 : 1),
    recorded_from: history?.recorded_from ?? null,
  };
  return { updated_at, received_at, source, stale, coverage };
}

const isRate = (row: unknown): row is { exchange: unknown; asset: unknown } =>
  typeof row === 'object' && row !== null && 'exchange' in row && 'asset' in row;

/** The fields with only the wanted rates, and their count; null for an asset of which there is no rate at all. */
function filtered(
  fields: Fields,
  { symbol, exchange }: Pick<IndicatorQuery, 'symbol' | 'exchange'>,
): Fields | null {
  if (symbol === undefined && exchange === undefined) return fields;
  const all = Array.isArray(fields.rates) ? fields.rates.filter(isRate) : [];
  const ofAsset = all.filter(({ asset }) => symbol === undefined || asset === symbol);
  if (symbol !== undefined && ofAsset.length === 0) return null;
  const rates = ofAsset.filter((row) => exchange === undefined || row.exchange === exchange);
  return { ...fields, rates, count: rates.length };
}

/** The error for a reading without fields. */
function notEnough({ name, lacks }: IndicatorReading): ApiError {
  if (lacks === null) return apiError('not_enough_data');
  const { what, needs, has } = lacks;
  return apiError('not_enough_data', `${name} needs ${needs} ${what}, there are ${has}`);
}

/** Between two statements of a countdown, ms. */
const countEvery = minute;

/** The fields of a reading with the seconds to its next value as they are at `now`, Unix ms, 0 at least. */
function countedDown({ fields, received_at }: IndicatorReading, now: number): Fields {
  const left = fields?.next_update_in_s;
  if (typeof left !== 'number' || now <= received_at) return { ...fields };
  const passed = Math.round((now - received_at) / 1_000);
  return { ...fields, next_update_in_s: Math.max(0, left - passed) };
}

/** One indicator: its document and its chart. */
export class Indicator<N extends IndicatorName> {
  readonly name: N;
  readonly #document = new Document<IndicatorReading>(({ received_at, stale_after }) => ({
    received: received_at,
    staleAfter: stale_after,
  }));
  readonly source = this.#document.source;
  #history: IndicatorHistory | null = null;
  /** Rows of the history as JSON, by their index: each is serialised once, when it is first shown. */
  #texts: (JsonText<IndicatorRow<N>> | undefined)[] = [];

  /** The time from which the rest of a countdown is stated, Unix ms. */
  #counted = 0;

  constructor(name: N) {
    this.name = name;
  }

  /** Takes a reading; `now` is Unix ms. */
  accept(reading: IndicatorReading, now: number): void {
    this.#document.accept(reading, now);
  }

  /** Lets the reading become old, and states its countdown anew each minute. `now` is Unix ms. */
  expire(now: number): void {
    this.#document.expire(now);
    const { next_update_in_s: left } = this.#document.current()?.value.fields ?? {};
    if (typeof left !== 'number' || now - this.#counted < countEvery) return;
    this.#counted = now;
    this.source.change();
  }

  acceptHistory(history: IndicatorHistory): void {
    this.#history = history;
    this.#texts = new Array(history.rows.length);
    this.source.change();
  }

  /**
   * The answer; null where there never was a reading. Errors: `not_enough_data` when its history is too short, `unknown_symbol`
   * for an asset without a rate.
   */
  read(query: IndicatorQuery): JsonText<IndicatorAnswer<N>> | ApiError | null {
    const found = this.#document.current();
    return found && this.#build(found.value, query, found.stale);
  }

  /** The answer out of a reading that was asked for at `now`, Unix ms. Throws where it has no fields. */
  asked(reading: IndicatorReading, limit: number, now: number): JsonText<IndicatorAnswer<N>> {
    const built = this.#build(reading, { limit }, this.#document.isStale(reading, now));
    if (isApiError(built)) throw new TypeError(`a reply of ${reading.name} without fields`);
    return built;
  }

  #build(
    reading: IndicatorReading,
    query: IndicatorQuery,
    stale: boolean,
  ): JsonText<IndicatorAnswer<N>> | ApiError {
    if (reading.fields === null) return notEnough(reading);
    const fields = filtered(countedDown(reading, this.#counted), query);
    if (fields === null) {
      return apiError('unknown_symbol', `no exchange has a rate of ${query.symbol}`);
    }
    const current = jsonText({ ...fields, ...common(reading, this.#history, stale) });
    const history = jsonList(this.#chart(reading.live, query.limit));
    // The job that publishes the reading has typed its fields by the same table.
    return new JsonText<IndicatorAnswer<N>>(jsonWith(current, 'history', history).text);
  }

  /** The answer without its chart; null where there is no reading with fields. */
  current(): JsonText<CurrentIndicator<N>> | null {
    const found = this.latest();
    if (found === null) return null;
    const { fields, received_at, ...age } = found;
    return new JsonText<CurrentIndicator<N>>(jsonText({ ...fields, ...age }).text, received_at);
  }

  /** The reading with the wanted fields; null where there is none that has fields. */
  reading(query: Pick<IndicatorQuery, 'symbol' | 'exchange'>): IndicatorReading | null {
    const found = this.#document.current();
    if (found === null || found.value.fields === null) return null;
    return { ...found.value, fields: filtered(found.value.fields, query) };
  }

  /** The days that its main number is made of, where they are published. */
  get days(): readonly InputDays[] {
    return this.#history?.days ?? [];
  }

  /** Its own fields with their age; null where there is no reading with fields. */
  latest(): LatestIndicator<N> | null {
    const found = this.#document.current();
    if (found === null || found.value.fields === null) return null;
    const { updated_at, received_at, source } = found.value;
    // The job that publishes the reading has typed its fields by the same table.
    const fields = countedDown(found.value, this.#counted) as IndicatorFields<N>;
    return { fields, updated_at, received_at, source, stale: found.stale };
  }

  #chart(live: HistoryRow | null, limit: number): JsonText<IndicatorRow<N>>[] {
    const rows = this.#history?.rows ?? [];
    const { from, to, row } = ending({ rows, live }, limit);
    const parts: JsonText<IndicatorRow<N>>[] = [];
    for (let i = from; i < to; i++) {
      const text = this.#texts[i] ?? new JsonText(jsonText(rows[i]).text);
      this.#texts[i] = text;
      parts.push(text);
    }
    if (row !== null) parts.push(new JsonText(jsonText(row).text));
    return parts;
  }
}

const isOf = <N extends IndicatorName>(
  indicator: Indicator<IndicatorName>,
  name: N,
): indicator is Indicator<N> => indicator.name === name;

/**
 * The answers of the market indicators by key of the topic (`ahr999`, `bitfinex-margin/BTC`). Bytes are made at the
 * first request after a change of the reading, the chart or the age; a new reading costs its own fields and no row of
 * the chart.
 */
export class MarketIndicatorsView {
  readonly #indicators = new Map<string, Indicator<IndicatorName>>();
  #now = 0;

  /** Takes a reading of a key; `now` is Unix ms. */
  accept(key: string, reading: IndicatorReading, now: number): void {
    this.#now = now;
    this.of(reading.name, key).accept(reading, now);
  }

  acceptHistory(key: string, history: IndicatorHistory): void {
    this.of(history.name, key).acceptHistory(history);
  }

  /** Marks answers that have become stale. Call it about every second. */
  expire(now: number): void {
    this.#now = now;
    for (const indicator of this.#indicators.values()) indicator.expire(now);
  }

  /** `data` of a margin that was asked for instead of published. Throws where it has no fields. */
  data(
    { reading, history }: { reading: IndicatorReading; history: IndicatorHistory },
    limit: number,
  ): JsonText<IndicatorAnswer<'bitfinex-margin'>> {
    const indicator = new Indicator('bitfinex-margin');
    indicator.acceptHistory(history);
    return indicator.asked(reading, limit, this.#now);
  }

  /** The indicator of a key, which is its name, with a symbol behind it where there is one for each. */
  of<N extends IndicatorName>(name: N, key: string = name): Indicator<N> {
    const known = this.#indicators.get(key);
    if (known !== undefined && isOf(known, name)) return known;
    const indicator = new Indicator(name);
    this.#indicators.set(key, indicator);
    return indicator;
  }
}
