/** Answers questions about recorded series out of the store. */
import { stepAt } from '../../indicators/market/buckets.ts';
import { PackedValue } from '../bus/codec.ts';
import { failed, type Result, success } from '../failure.ts';
import type { Clock } from '../kernel/clock.ts';
import { QueryCache } from '../queries/query-cache.ts';
import {
  intervals,
  type Recorded,
  type RecordedAt,
  type RecordedAtParams,
  type RecordedParams,
  type RecordedRows,
  type Reply,
} from '../topics/index.ts';
import { isWhole, knownIn, type Plan, planOf, rowsOf } from './answer-rows.ts';
import type { Series } from './define.ts';
import { begunName } from './recorder.ts';
import { replyOf } from './reply.ts';
import { combineStored, merged, zerosAt } from './rows.ts';
import type { Range, Store, Stored } from './store.ts';

/** Bounds of a question. */
const most = { keys: 64, rows: 10_000, times: 32, carry: 12 };
const room = {
  ...{ entries: 2_000, bytes: 32 * 2 ** 20, staleLives: 1 },
  sizeOf: ({ size }: PackedValue) => size,
};
/** Time after the end of a step when its rows are written, ms. */
const settling = 2_000;
/** How long a question waits for the back-fill of a key without any row, ms. */
const timeoutMs = 3_000;
/** How long a reply holds for which keys were back-filled: of many some are not done yet, ms. */
const filling = 10_000;

export interface AnswerOptions {
  series: readonly Series[];
  store: Store;
  clock: Clock;
  /** Back-fills a key before all others; resolves when that is done or `timeoutMs` have passed. Null where it is not done. */
  want?(series: Series, key: string, timeoutMs: number): Promise<unknown> | null;
}

const refused = (message: string) => failed('refused', message);

export class SeriesAnswers {
  readonly #options: AnswerOptions;
  readonly #rows: QueryCache<PackedValue>;
  readonly #tables: QueryCache<PackedValue>;
  readonly #begun = new Map<Series, number>();

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#rows = new QueryCache({ ...room, clock: options.clock });
    this.#tables = new QueryCache({ ...room, clock: options.clock });
  }

  /** The handlers of the bus, by the names of the queries: equal questions share one reply, whose bytes are kept. */
  readonly answers = {
    series: (params: RecordedParams) => packed(this.#rows, params, () => this.series(params)),
    seriesAt: (params: RecordedAtParams) => packed(this.#tables, params, () => this.at(params)),
  };

  async series(params: RecordedParams): Promise<Result<Reply<Recorded>>> {
    const series = this.#find(params.series);
    const step = intervals[params.step];
    const tier = series?.tiers.findLast((one) => step % one.step === 0);
    if (!series || !tier) return refused(`there is no series ${params.series} of ${params.step}`);
    if (params.keys.length < 1 || params.keys.length > most.keys) {
      return refused(`a question is about 1 to ${most.keys} keys`);
    }
    if (params.limit < 1 || params.limit > most.rows) {
      return refused(`a question is about 1 to ${most.rows} rows`);
    }
    let until = Number.POSITIVE_INFINITY;
    const reply = await this.#reply(series, async (now) => {
      const plan = planOf(series, { tier, step }, params, now);
      const begun = await this.#begunAt(series, now);
      const { rows, isFilling } = await this.#read(plan, params);
      if (isFilling) until = now + filling;
      return {
        series: params.series,
        step,
        rows: rows.map((one) => ({ ...one, recorded_from: begun })),
      };
    });
    if (!reply.ok) return reply;
    return success({ ...reply.value, until: Math.min(reply.value.until, until) });
  }

  async at(params: RecordedAtParams): Promise<Result<Reply<RecordedAt>>> {
    const series = this.#find(params.series);
    const step = intervals[params.step];
    const { times, carry = 0, prefix = '' } = params;
    const tier = series?.tiers.find((one) => one.step === step);
    if (!series || !tier) return refused(`there is no series ${params.series} of ${params.step}`);
    if (times.length < 1 || times.length > most.times || carry < 0 || carry > most.carry) {
      return refused(
        `a question is about 1 to ${most.times} times, carried 0 to ${most.carry} steps`,
      );
    }
    return this.#reply(series, async (now) => {
      const starts = times.map((time) => stepAt(time, step));
      const found = await Promise.all(
        starts.map((to) =>
          this.#options.store.scan(series, step, { from: to - carry * step, to }, prefix),
        ),
      );
      const begun = await this.#begunAt(series, now);
      return tableOf(series, { step, starts, found, begun });
    });
  }

  #find(name: string): Series | undefined {
    return this.#options.series.find((one) => one.name === name);
  }

  /** A reply that holds until the next step has been written. */
  #reply<T>(series: Series, make: (now: number) => Promise<T>): Promise<Result<Reply<T>>> {
    const received = this.#options.clock.now();
    const [{ step }] = series.tiers;
    const next =
      series.fresh === undefined
        ? stepAt(received - settling, step) + step + settling
        : received + series.fresh;
    return replyOf({ received, until: next }, () => make(received));
  }

  /** When the recording of a series began, Unix ms; now where it has not. */
  async #begunAt(series: Series, now: number): Promise<number> {
    const known = this.#begun.get(series);
    if (known !== undefined) return known;
    const place = await this.#options.store.position(begunName(series));
    if (place !== null) this.#begun.set(series, Number(place));
    return place === null ? now : Number(place);
  }

  /** The rows of the keys; `isFilling` where some of them were asked for at an upstream just now. */
  async #read(
    plan: Plan,
    params: RecordedParams,
  ): Promise<{ rows: Omit<RecordedRows, 'recorded_from'>[]; isFilling: boolean }> {
    const { series } = plan;
    const { want } = this.#options;
    const rowsIn = (found: ReadonlyMap<string, Stored>) =>
      params.keys.map((key) => rowsOf(plan, key, found.get(key), params));
    const found = await this.#stored(plan, params.keys);
    if (!want || !series.backfill) return { rows: rowsIn(found), isFilling: false };
    const missing = params.keys.filter((key) => !isWhole(plan, found.get(key)));
    const filled = missing.flatMap((key) => want(series, key, timeoutMs) ?? []);
    if (filled.length === 0) return { rows: rowsIn(found), isFilling: false };
    await Promise.all(filled);
    return { rows: rowsIn(await this.#stored(plan, params.keys)), isFilling: true };
  }

  /** The rows of the keys, and zeros where the streams of their events were received without one. */
  async #stored(plan: Plan, keys: readonly string[]): Promise<Map<string, Stored>> {
    const { store } = this.#options;
    const { series } = plan;
    const found = await this.#tiered(plan, (step, range) => store.read(series, step, keys, range));
    const { heardBy: feeds } = series;
    if (feeds === undefined) return found;
    for (const [exchange = '', own] of Map.groupBy(keys, (key) => key.split('/')[0])) {
      const prefix = `${exchange}/`;
      const heard = await this.#tiered({ ...plan, series: feeds }, (step, range) =>
        store.scan(feeds, step, range, prefix),
      );
      const silent = zerosAt(series, heard.values());
      if (silent.times.length === 0) continue;
      for (const key of own) {
        const rows = found.get(key);
        found.set(key, rows ? merged(silent, rows) : silent);
      }
    }
    return found;
  }

  /** Rows of the tier, and of the finer one where the newest steps have not been combined yet. */
  async #tiered(
    { series, tier, from, to, step, now }: Plan,
    read: (step: number, range: Range) => Promise<Map<string, Stored>>,
  ): Promise<Map<string, Stored>> {
    const range = { from, to: to + step - 1 };
    const found = await read(tier.step, range);
    const finer = series.tiers.findLast((one) => one.step < tier.step);
    const open = stepAt(now, tier.step) - tier.step;
    if (!finer || range.to < open) return found;
    const recent = { from: Math.max(open, stepAt(from, tier.step)), to: range.to };
    const tails = await read(finer.step, recent);
    for (const [key, tail] of tails) {
      const rows = found.get(key);
      const more = combineStored(series, tail, tier.step);
      found.set(key, rows ? merged(more, rows) : more);
    }
    return found;
  }
}

/** The reply to a question out of the cache, else that of `read`. */
const packed = <T>(
  cache: QueryCache<PackedValue>,
  params: object,
  read: () => Promise<Result<Reply<T>>>,
): Promise<Result<Reply<PackedValue>>> =>
  cache.load(JSON.stringify(params), '', async () => {
    const reply = await read();
    return reply.ok
      ? success({ ...reply.value, value: new PackedValue(reply.value.value) })
      : reply;
  });

/** One list for each time, over all keys that have a value at one of them. */
function tableOf(
  series: Series,
  {
    step,
    starts,
    found,
    begun,
  }: {
    step: number;
    starts: readonly number[];
    found: readonly ReadonlyMap<string, Stored>[];
    begun: number;
  },
): RecordedAt {
  const keys = [...new Set(found.flatMap((rows) => [...rows.keys()]))];
  const newest = found.map((rows) =>
    keys.map((key) => knownIn(series, step, rows.get(key)?.columns ?? [])),
  );
  const columns = series.columns.map(
    ({ name }, column) =>
      [name, newest.map((own) => own.map((of) => of[column]?.at(-1) ?? null))] as const,
  );
  return {
    series: series.name,
    times: starts,
    keys,
    columns: Object.fromEntries(columns),
    recorded_from: begun,
  };
}
