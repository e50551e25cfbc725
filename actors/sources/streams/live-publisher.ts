/** Publishes the rows of a topic that a stream has changed: these alone or, where the polls do not publish them, the whole part. */
import type { Failure } from '../../failure.ts';
import type { MarketRows, Reading } from '../../topics/index.ts';
import type { Reason } from '../../topics/reasons.ts';
import type { LiveTopic, Parsed, RowsOf } from '../define.ts';
import type { MergedRows } from '../merged-rows.ts';
import { countsOf, type StatusRow } from '../status/status.ts';

/** The topics whose rows are streamed beside the polls of the same parts, with the topic of the rows that a stream has changed. */
export const changesOf = {
  prices: 'priceChanges',
  derivatives: 'derivativeChanges',
  openInterest: 'openInterestChanges',
} as const satisfies Readonly<Record<LiveTopic, string>>;

/** Markets whose dropped rows are counted between two publications, of which exchanges have up to three thousand. */
const maxMarkets = 10_000;

/** What a stream has of one topic. */
export interface Outlet {
  /** Its row in `/v1/status`, which outlives it. */
  readonly status: StatusRow;
  /** Takes what a message has of the topic, if it has any; `received` is Unix ms. */
  add(found: Partial<RowsOf<LiveTopic>>, received: number): void;
  /**
   * Publishes the rows since the last call, of which the newest came at `received` (Unix ms). `unused` counts what else of the
   * stream was not used. The failure that prevented it, or null.
   */
  publish(received: number, unused: Readonly<Record<string, number>>): Promise<Failure | null>;
}

export interface LivePublisherOptions<T extends LiveTopic> {
  source: string;
  part: string;
  topic: T;
  rows: MergedRows<MarketRows[T]>;
  status: StatusRow;
  /** True while the whole readings show that the part is frozen: of its rows none is published alone. */
  frozen(): boolean;
  /** Looks at a whole reading, received at `received` (Unix ms), as at a poll; true when the part is frozen. */
  watch(rows: readonly MarketRows[T][], received: number): boolean;
  /** Publish the changed rows, or all of them: null when they were published, else the reason why not. */
  publish(reading: Reading<MarketRows[T]>): Promise<Failure | null>;
  publishWhole(reading: Reading<MarketRows[T]>): Promise<Failure | null>;
}

export class LivePublisher<T extends LiveTopic> implements Outlet {
  readonly status: StatusRow;
  readonly #options: LivePublisherOptions<T>;
  readonly #changed = new Set<string>();
  /** Why the newest row of a market was not used, or a part of it. */
  readonly #dropped = new Map<string, Reason>();

  constructor(options: LivePublisherOptions<T>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  add(found: Partial<RowsOf<LiveTopic>>, received: number): void {
    const { topic, rows } = this.#options;
    const own: Parsed<MarketRows[T]> | undefined = found[topic];
    if (own === undefined) return;
    const dropped = [...own.dropped];
    for (const row of own.rows) {
      this.#dropped.delete(row.market);
      if (rows.streamed(row, received, dropped)) this.#changed.add(row.market);
    }
    for (const { key, code } of dropped)
      if (this.#dropped.size < maxMarkets || this.#dropped.has(key)) this.#dropped.set(key, code);
  }

  async publish(received: number, unused: Readonly<Record<string, number>>) {
    const { source, part, rows, frozen, watch, publish, publishWhole } = this.#options;
    const changed = this.#take(received, unused);
    const about = { source, part, asked: received };
    if (!rows.needsWhole(received)) {
      const isUsed = changed.length > 0 && !frozen();
      return isUsed ? publish({ ...about, received, rows: changed }) : null;
    }
    const whole: Reading<MarketRows[T]> = { ...about, ...rows.whole(received) };
    if (watch(whole.rows, received)) whole.frozen = true;
    const failure = await publishWhole(whole);
    if (failure === null) rows.published(whole);
    return failure;
  }

  /** The rows that have changed since the last call, with the status that says so. */
  #take(received: number, unused: Readonly<Record<string, number>>): MarketRows[T][] {
    const { rows } = this.#options;
    const changed = [...this.#changed].flatMap((market) => rows.at(market, received) ?? []);
    const dropped = [...this.#dropped].map(([key, code]) => ({ key, code }));
    this.#changed.clear();
    this.#dropped.clear();
    const { tally } = this.status;
    const suspect = dropped.filter(({ code }) => code === 'suspect').map(({ key }) => key);
    tally.held(suspect, changed);
    tally.differs = rows.differed;
    const counts = countsOf(dropped, { ...unused, differs_from_poll: rows.differing });
    this.status.succeed({ asked: received, received, rows: changed.length, dropped: counts });
    return changed;
  }
}
