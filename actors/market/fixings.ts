/** The job that computes hourly fixings out of the recorded minutes of spot trades, and records them. */
import { hour, minute } from '../../config/time.ts';
import { stepAt } from '../../indicators/market/buckets.ts';
import { type FixingMarket, fixingIn, minutesOfFixing } from '../../indicators/market/fixing.ts';
import type { Failure } from '../failure.ts';
import type { JobContext } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import type { MarketState } from '../state/market-state.ts';
import {
  fixingExchanges,
  fixingsIn,
  fixingValues,
  footprintKey,
  footprintMinutes,
  historySource,
  type RecordedParams,
  type RecordRow,
  recordedKey,
} from '../topics/index.ts';
import { RecordedStore } from './recorded.ts';

export interface FixingOptions {
  market: Pick<MarketState, 'tracked' | 'markets' | 'rates'>;
}

const every = minute;
/** How long after its end an hour is computed, ms: the last minutes of trades are on their way. */
const grace = 2 * minute;
/** Hours that are computed afterwards, where they were missed: the minutes of trades are kept for longer. */
const hoursBack = 24;
/** Hours of assets that are computed in one round, so that a round after a stop stays short. */
const mostOfRound = 60;
/** Keys of one question. */
const mostKeys = 32;

/** After this time an hour is computed with what was true then, ms: rates and turnovers of now are those of another hour. */
const late = hour / 4;
/** Markets of an asset at an exchange among which the one is looked for that led in an hour of the past. */
const mostMarkets = 3;

/** A market of an asset at an exchange with the key of its minutes. */
interface Place {
  exchange: string;
  key: string;
  quote: string;
}

/** The most traded spot markets of an asset at each exchange. */
const placesOf = ({ market }: FixingOptions, symbol: string, most: number): Place[] =>
  fixingExchanges.flatMap((exchange) =>
    market
      .markets(exchange, 'spot', symbol)
      .slice(0, most)
      .map(({ market: id, quote }) => ({
        exchange,
        key: footprintKey(exchange, { kind: 'spot', market: id }),
        quote,
      })),
  );

class Fixings {
  readonly #options: FixingOptions;
  readonly #context: Pick<JobContext, 'query' | 'clock'>;
  readonly #store: RecordedStore;
  /** Starts of the hours that are done, by asset. */
  readonly #done = new Map<string, Set<number>>();

  constructor(options: FixingOptions, context: Pick<JobContext, 'query' | 'clock'>) {
    this.#options = options;
    this.#context = context;
    this.#store = new RecordedStore(context);
  }

  /** Computes the hours that are due and not recorded, the newest first. */
  async run(now: number): Promise<Failure | null> {
    // Of an asset without markets nothing is known yet, or never.
    const tracked = this.#options.market.tracked(now);
    const symbols = tracked.filter((symbol) => placesOf(this.#options, symbol, 1).length > 0);
    const failure = await this.#learn(symbols);
    if (failure) return failure;
    const last = stepAt(now - grace, hour) - hour;
    const due = Array.from({ length: hoursBack }, (_, back) => last - back * hour).flatMap(
      (start) =>
        symbols
          .filter((symbol) => !this.#isDone(symbol, start))
          .map((symbol) => ({ symbol, start })),
    );
    const rows: RecordRow[] = [];
    const finished: typeof due = [];
    for (const one of due.slice(0, mostOfRound)) {
      const found = await this.#compute(one.symbol, one.start, now);
      if (found && 'failure' in found) return found.failure;
      if (found) rows.push(found);
      finished.push(one);
    }
    const refused = rows.length === 0 ? null : await this.#store.record('reference-fixings', rows);
    if (refused) return refused;
    for (const { symbol, start } of finished) this.#done.get(symbol)?.add(start);
    this.#forget(last);
    return null;
  }

  #read(params: RecordedParams) {
    return this.#context.query({ source: historySource, name: 'series', params });
  }

  #isDone(symbol: string, start: number): boolean {
    return this.#done.get(symbol)?.has(start) === true;
  }

  /** Reads which hours of assets are recorded, once for each. */
  async #learn(symbols: readonly string[]): Promise<Failure | null> {
    const unknown = symbols.filter((symbol) => !this.#done.has(symbol)).slice(0, mostKeys);
    if (unknown.length === 0) return null;
    const reply = await this.#read({
      ...{ series: 'reference-fixings', keys: unknown, step: '1h', limit: hoursBack + 2 },
    });
    if (!reply.ok) return reply.failure;
    for (const rows of reply.value.value.rows)
      this.#done.set(rows.key, new Set(fixingsIn(rows).map(({ timestamp }) => timestamp)));
    return null;
  }

  async #compute(
    symbol: string,
    start: number,
    now: number,
  ): Promise<RecordRow | { failure: Failure } | null> {
    const isLate = now - start - hour > late;
    const places = placesOf(this.#options, symbol, isLate ? mostMarkets : 1);
    const rates = isLate ? await this.#ratesAt(start, places) : this.#options.market.rates(now);
    if ('failure' in rates) return rates;
    const reply = await this.#read({
      ...{ series: 'footprint', step: '1m', limit: minutesOfFixing },
      keys: places.map(({ key }) => key),
      ...{ from: start, to: start + hour - minute },
    });
    if (!reply.ok) return { failure: reply.failure };
    const byKey = new Map(reply.value.value.rows.map((rows) => [rows.key, rows]));
    const markets = new Map<string, FixingMarket>();
    for (const { exchange, key, quote } of places) {
      const rows = byKey.get(key);
      const rate = rates.get(quote);
      const minutes = rows ? footprintMinutes(rows) : [];
      if (rate === undefined || minutes.length === 0 || markets.has(exchange)) continue;
      markets.set(exchange, { exchange, rate, minutes });
    }
    const fixing = fixingIn(start, [...markets.values()]);
    return fixing && { key: symbol, time: start, values: fixingValues(fixing) };
  }

  /** US dollars a unit of each quote in an hour of the past: as recorded; a quote of which nothing is recorded has no rate. */
  async #ratesAt(
    start: number,
    places: readonly Place[],
  ): Promise<Map<string, number> | { failure: Failure }> {
    const quotes = [...new Set(places.map(({ quote }) => quote))].filter((one) => one !== 'USD');
    const rates = new Map([['USD', 1]]);
    if (quotes.length === 0) return rates;
    const keys = quotes.map((quote) => recordedKey('spot', quote));
    const range = { from: start, to: start };
    const reply = await this.#read({ series: 'price', keys, step: '1h', limit: 1, ...range });
    if (!reply.ok) return { failure: reply.failure };
    for (const { key, columns } of reply.value.value.rows) {
      const quote = quotes[keys.indexOf(key)];
      const rate = columns.price?.[0];
      if (quote !== undefined && typeof rate === 'number') rates.set(quote, rate);
    }
    return rates;
  }

  #forget(last: number): void {
    const first = last - hoursBack * hour;
    for (const hours of this.#done.values())
      for (const start of hours) if (start < first) hours.delete(start);
  }
}

/** Computes the fixings of all tracked assets each hour, and those of hours that were missed. */
export function fixingsJob(options: FixingOptions, context: JobContext): Job {
  const fixings = new Fixings(options, context);
  return { name: 'fixings', every, run: ({ now }) => fixings.run(now) };
}
