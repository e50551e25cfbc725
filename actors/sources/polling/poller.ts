/** A poll: plans and sends its requests, reads the bodies, merges and publishes the rows of each of its topics. */
import { setImmediate } from 'node:timers/promises';
import { minute } from '../../../config/time.ts';
import { type Failure, failed, type Result, success } from '../../failure.ts';
import type { Instrument, MarketRows, MarketTopic, Reading } from '../../topics/index.ts';
import type { UpstreamRequest } from '../../upstream/request.ts';
import type { HolderContext } from '../context.ts';
import {
  type InstrumentMap,
  type MarketPoll,
  type Parsed,
  type RowsOf,
  validRows,
} from '../define.ts';
import { isDoubtful, tradedOf, UnknownMarkets, withDelisted } from '../instruments.ts';
import type { Job, Round } from '../job.ts';
import type { VenueRows } from '../market-rows.ts';
import type { MarketRow } from '../merge.ts';
import type { PriceWatch } from '../quality/watch.ts';
import { requestText } from '../recording/format.ts';
import { countsOf, type StatusRow } from '../status/status.ts';
import { askAll, type Gathered, gather, oldestOf } from './ask.ts';
import { datedMarkets, nextMarkets, rankedMarkets, timeOf } from './plan.ts';

export interface PollerOptions {
  source: string;
  part: string;
  /** Milliseconds between the end of a poll and the start of the next. */
  every: number;
  poll: MarketPoll<never>;
  /** The topics whose rows are in its bodies; the first names it. */
  topics: readonly [MarketTopic, ...MarketTopic[]];
  context: Pick<
    HolderContext,
    'book' | 'client' | 'clock' | 'last' | 'newest' | 'publish' | 'recorder' | 'status'
  >;
  rows: VenueRows;
  watch: Pick<PriceWatch, 'observe' | 'frozen' | 'apart'>;
  /** A row named an instrument that no list holds. */
  onUnknown(): void;
}

/** Longest until the next poll when an optional request failed, ms. */
const missingPause = 300_000;
/** Until the next look for an instrument list, ms, and the time without one after which the status shows it. */
const listPause = 1_000;
const listTimeoutMs = 30_000;
const noList: Failure = {
  code: 'unavailable',
  message: 'there is no instrument list of this part yet',
};
/** Markets held back that a status names. */
const mostNamed = 20;
/** Lists, dated futures and option chains change rarely: they are not frozen. */
const moving: ReadonlySet<MarketTopic> = new Set(['prices', 'derivatives', 'openInterest']);

/** The reading that is published in place of one. */
type Whole<T extends MarketTopic> = (reading: Reading<MarketRows[T]>) => Reading<MarketRows[T]>;

/** A poll as a job. */
export class Poller implements Job {
  readonly name: string;
  readonly also: readonly string[];
  readonly every: number;
  readonly #options: PollerOptions;
  readonly #wholes: { readonly [T in MarketTopic]?: Whole<T> };
  #cursor = 0;
  /** When it first lacked the instrument list; null when it never did. */
  #waitsSince: number | null = null;
  readonly #unknown = new UnknownMarkets();
  /** How long the last poll took, ms. */
  #took = 0;
  #pause: number;

  constructor(options: PollerOptions) {
    const { source, topics, part, every, watch, context } = options;
    const [name, ...also] = topics.map((topic) => `${topic}/${part}`);
    this.name = name ?? '';
    this.also = also;
    this.every = every;
    this.#options = options;
    this.#wholes = {
      instruments: (list) => {
        context.status.row('instruments', part).set({ classes: classesOf(list.rows) });
        const before = context.newest.part('instruments', source, part);
        const all = withDelisted(watch.apart(list), before);
        if (isDoubtful(all)) this.#pause = Math.min(this.#pause, minute);
        return all;
      },
    };
    this.#pause = every;
    for (const topic of topics) {
      const longest_age_ms = options.rows.plannedAge(topic, part);
      const status = context.status.row(topic, part);
      status.set({ state: 'waiting', reason: null, longest_age_ms });
    }
  }

  /** The rows of its topics in `/v1/status`, which stay after a restart. */
  get #statuses(): StatusRow[] {
    const { topics, part, context } = this.#options;
    return topics.map((topic) => context.status.row(topic, part));
  }

  async wait(): Promise<number> {
    await Promise.all(this.#options.topics.map((topic) => this.#load(topic)));
    return 0;
  }

  async run({ now, signal }: Round): Promise<Failure | null> {
    const began = this.#options.context.clock.monotonic();
    if (this.#lacksList) return this.#await(now, began);
    for (const status of this.#statuses) status.set({ last_attempt: now });
    const failure = await this.#poll(signal);
    this.#took = this.#options.context.clock.monotonic() - began;
    return failure;
  }

  pause(): number {
    return this.#pause;
  }

  /** False for the lists themselves, and for options, whose names state their terms. An empty list is that of an exchange that has closed. */
  get #lacksList(): boolean {
    const { source, part, topics, context } = this.#options;
    const [topic] = topics;
    if (topic === 'instruments' || topic === 'options') return false;
    return context.newest.part('instruments', source, part) === undefined;
  }

  get #listed(): InstrumentMap {
    const { source, part, context } = this.#options;
    return context.book.part(source, part);
  }

  /** Takes what was published last, also by another process. Without it only the rows that the first poll cannot read are lost. */
  async #load<T extends MarketTopic>(topic: T): Promise<void> {
    const { source, part, every, rows, context } = this.#options;
    const last = await context.last(topic, `${source}/${part}`);
    rows.of(topic, part, every).load(last);
    const status = context.status.row(topic, part);
    const { last_success, rows: count } = status.values;
    status.set({
      last_success: last_success ?? last?.received ?? null,
      rows: count || (last?.rows.length ?? 0),
    });
  }

  /** Looks again soon; the status fails when the list takes longer than `listTimeoutMs`. */
  #await(now: number, at: number): null {
    this.#waitsSince ??= at;
    if (at - this.#waitsSince >= listTimeoutMs)
      for (const status of this.#statuses) status.fail(noList, now);
    this.#pause = listPause;
    return null;
  }

  /** One poll from request to stream: the failure of its requests or of its first topic, or null. */
  async #poll(signal: AbortSignal): Promise<Failure | null> {
    const { topics, part, poll, every, context } = this.#options;
    const gathered = await this.#gather(signal);
    const isWhole = gathered.ok && gathered.value.missing === null;
    this.#pause = isWhole ? every : Math.min(every, missingPause);
    let found: Partial<RowsOf<MarketTopic>> | undefined;
    const read = ({ bodies, received }: Gathered) => {
      found ??= poll.parse(bodies, { received, instruments: this.#listed });
      return found;
    };
    const failures: (Failure | null)[] = [];
    for (const topic of topics) {
      // Bodies of thousands of markets take long to read: frames of streams come in between.
      await setImmediate();
      const failure = gathered.ok
        ? await this.#take(topic, gathered.value, read)
        : gathered.failure;
      if (failure) context.status.row(topic, part).fail(failure, context.clock.now());
      failures.push(failure);
    }
    return failures[0] ?? null;
  }

  async #gather(signal: AbortSignal): Promise<Result<Gathered>> {
    const { source, part, topics, poll, every, context } = this.#options;
    const requests = this.#requests();
    const [first] = requests;
    if (!first) return failed('shape', 'there is no market to ask');
    const deadline = timeOf(poll, every);
    const client = context.client(source);
    const asked = await askAll(requests, (request) => client.send(request, { deadline, signal }));
    // The last of them had no room in the budget: the next poll goes on with them.
    const unsent = asked.flatMap(({ request, result }) =>
      !result.ok && result.failure.code === 'over_budget' ? [request.market] : [],
    );
    if (poll.rotates) this.#cursor = Math.max(0, this.#cursor - new Set(unsent).size);
    const { breaker } = client.state(first.api);
    for (const status of this.#statuses) status.set({ breaker });
    const gathered = gather(asked, context.clock.now());
    context.recorder?.poll(source, {
      part,
      topics,
      requests: asked.map(({ request }) => requestText(request)),
      bodies: asked.map(({ result }) => (gathered.ok && result.ok ? result.value.body : null)),
    });
    if (!gathered.ok) return gathered;
    const { value } = gathered;
    const age = oldestOf(asked.map(({ result }) => result));
    return success({ ...value, asked: value.asked - age, received: value.received - age });
  }

  #requests(): readonly UpstreamRequest[] {
    const { source, part, topics, poll, every, context } = this.#options;
    const now = context.clock.now();
    if (!poll.rotates) {
      const names = poll.names?.(this.#listed) ?? [];
      return poll.requests({ markets: names.slice(0, poll.most), now });
    }
    const ranked =
      topics[0] === 'futures'
        ? datedMarkets(this.#listed, now)
        : rankedMarkets(this.#listed, context.newest.part('prices', source, part));
    const { markets, cursor } = nextMarkets(ranked, this.#cursor, {
      every: every + this.#took,
      most: poll.most,
    });
    this.#cursor = cursor;
    return poll.requests({ markets, now });
  }

  #noteUnknown(dropped: Parsed<unknown>['dropped'], received: number): void {
    const { source, part, context, onUnknown } = this.#options;
    const list = context.newest.part('instruments', source, part);
    if (this.#unknown.areMissed(dropped, received, list)) onUnknown();
  }

  /** Merges and publishes the rows of a topic; the failure that prevented it, or null. */
  async #take<T extends MarketTopic>(
    topic: T,
    gathered: Gathered,
    read: (gathered: Gathered) => Partial<RowsOf<MarketTopic>>,
  ): Promise<Failure | null> {
    const { source, part, every, poll, context, rows, watch } = this.#options;
    const parsed = validRows<MarketRows[T]>(() => {
      const own = read(gathered)[topic];
      if (!own) throw new Error(`${this.name}: the poll gives no ${topic}`);
      return own;
    });
    if (!parsed.ok) return parsed.failure;
    const { asked, received, lost, missing } = gathered;
    if (topic === this.#options.topics[0]) this.#noteUnknown(parsed.value.dropped, received);
    if (topic === 'prices') watch.observe(part, read(gathered).prices?.rows ?? [], received);
    const listed = poll.rotates ? tradedOf(this.#listed) : null;
    const merged = rows.of(topic, part, every);
    const isPart = lost > 0 || missing !== null;
    const { dropped, ...whole } = merged.polled({
      ...parsed.value,
      asked,
      received,
      listed,
      isPart,
    });
    const reading: Reading<MarketRows[T]> = { source, part, asked, ...whole };
    if (moving.has(topic) && watch.frozen(part)) reading.frozen = true;
    const shown = this.#wholes[topic]?.(reading) ?? reading;
    const failure = await context.publish(topic, `${source}/${part}`, shown);
    if (failure) return failure;
    merged.published(reading);
    const status = context.status.row(topic, part);
    const counts = countsOf(dropped, { request_failed: lost });
    status.succeed({ asked, received, rows: reading.rows.length, dropped: counts });
    describe(status, reading, parsed.value.closed);
    if (missing) status.note(missing, received);
    return null;
  }
}

/** How many markets of each class are traded; a class without any is absent. */
function classesOf(rows: readonly Instrument[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const { kind, asset_class = 'crypto' } of rows)
    if (kind !== 'other') found[asset_class] = (found[asset_class] ?? 0) + 1;
  return found;
}

/** Names in a status what is held back in a reading, and why it is no live one. */
function describe(
  status: StatusRow,
  { rows, suspect = [], frozen }: Reading<MarketRow>,
  closed?: string,
) {
  const markets = suspect.map(({ market }) => market);
  status.tally.held(markets, rows);
  status.set({
    state: closed ? 'closed' : frozen ? 'frozen' : 'up',
    reason: closed ?? null,
    suspect: markets.length > 0 ? markets.slice(0, mostNamed) : undefined,
  });
}
