/** What becomes of the bodies of one poll for one topic: parsed, completed with kept rows, published, told. */
import type { Failure, Result } from '../failure.ts';
import { type FeedStatus, type Reading, type Topic, topics } from '../topics.ts';
import type { ParseContext, Parsed } from '../venues/venue.ts';
import { soundRows } from './sound.ts';
import { failing, waiting } from './status.ts';

/** A row as the machinery sees it: which market, and when it was received if it was kept from before. */
export interface AnyRow {
  market: string;
  received?: number;
}

/** The bodies of one poll, with the times around them. */
export interface Catch {
  bodies: readonly unknown[];
  asked: number;
  received: number;
  /** Requests about single markets that failed. */
  lost: number;
  /** Why the first optional request that failed did; null when none did. */
  missing: Failure | null;
  /** What else was not used, by reason. */
  unused?: Readonly<Record<string, number>>;
}

export interface OutletOptions<Row extends AnyRow> {
  source: string;
  topic: Topic;
  part: string;
  parse(bodies: readonly unknown[], context: ParseContext): Parsed<Row>;
  /** True when a poll covers only some of the markets: rows of the others are kept until they are too old. */
  partial: boolean;
  /** The last published reading, for its good rows. */
  previous(): Promise<Reading<Row> | undefined>;
  /** Null when it is out, else why it is not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
  report(status: FeedStatus): void;
  /** What an earlier life reported last. */
  resume(): FeedStatus | undefined;
  /** Looks at the rows of a poll; true when the venue seems frozen. */
  watch(rows: readonly Row[]): boolean;
  /** A row named an instrument that no list holds. */
  onUnknown(): void;
}

/** One topic of a poller. */
export class Outlet<Row extends AnyRow> {
  readonly #options: OutletOptions<Row>;
  readonly status: FeedStatus;
  #previous: Reading<Row> | undefined;

  constructor(options: OutletOptions<Row>) {
    const { source, topic, part } = options;
    this.#options = options;
    this.status = {
      ...waiting({ source, topic, part }),
      ...options.resume(),
      state: 'waiting',
    };
  }

  async open(): Promise<void> {
    this.#previous = await this.#options.previous();
    this.status.last_success ??= this.#previous?.received ?? null;
    this.status.rows ||= this.#previous?.rows.length ?? 0;
  }

  /** Parses and publishes; the failure that prevented it, or null. */
  async take(caught: Catch, context: ParseContext): Promise<Failure | null> {
    const parsed = this.#parse(caught, context);
    if (!parsed.ok) return parsed.failure;
    const { asked, received } = caught;
    const { source, part, topic, partial } = this.#options;
    const frozen = this.#options.watch(parsed.value.rows);
    const rows = keepGood(parsed.value, this.#previous, {
      received,
      maxAge: topics[topic].maxAge,
      listed: partial ? context.instruments : null,
    });
    const reading: Reading<Row> = {
      source,
      part,
      asked,
      received,
      rows,
      ...(frozen && { frozen }),
    };
    const unpublished = await this.#options.publish(reading);
    if (unpublished) return unpublished;
    this.#previous = reading;
    this.#succeed(reading, dropCounts(parsed.value, caught));
    if (caught.missing) this.#note(caught.missing, received);
    return null;
  }

  fail(failure: Failure, at: number): void {
    Object.assign(this.status, failing(this.status, failure, at));
  }

  report(): void {
    this.#options.report({ ...this.status });
  }

  #note({ code, message }: Failure, at: number): void {
    this.status.last_error = { code, message, at };
  }

  #parse({ bodies }: Catch, context: ParseContext): Result<Parsed<Row>> {
    const parsed = soundRows(() => this.#options.parse(bodies, context));
    if (parsed.ok && parsed.value.dropped.some(({ code }) => code !== 'bad_row'))
      this.#options.onUnknown();
    return parsed;
  }

  #succeed(reading: Reading<Row>, dropped: Record<string, number>): void {
    Object.assign(this.status, {
      state: reading.frozen ? 'frozen' : 'up',
      last_success: reading.received,
      latency_ms: reading.received - reading.asked,
      rows: reading.rows.length,
      dropped,
      failures: 0,
    } satisfies Partial<FeedStatus>);
  }
}

interface KeepLimits {
  received: number;
  maxAge: number;
  /** Given for a partial poll: the markets that still exist, all of whose rows are kept. */
  listed: ReadonlyMap<string, unknown> | null;
}

/**
 * Takes over rows of the last reading that this one could not read or did not ask, each with the time it was
 * received, until they are too old for the topic: a bad row never replaces a good one, and its age shows.
 */
export function keepGood<Row extends AnyRow>(
  { rows, dropped }: Parsed<Row>,
  previous: Reading<Row> | undefined,
  { received, maxAge, listed }: KeepLimits,
): Row[] {
  if (previous === undefined || (dropped.length === 0 && listed === null)) return rows;
  const fresh = new Set(rows.map((row) => row.market));
  const bad = new Set(dropped.filter(({ code }) => code === 'bad_row').map(({ key }) => key));
  const kept = previous.rows
    .filter(({ market }) => !fresh.has(market) && (bad.has(market) || listed?.has(market)))
    .map((row) => ({ ...row, received: row.received ?? previous.received }))
    .filter((row) => received - row.received <= maxAge);
  return [...rows, ...kept];
}

/** Counts what was not used by reason. */
function dropCounts({ dropped }: Parsed<AnyRow>, { lost, unused }: Catch): Record<string, number> {
  const counts: Record<string, number> = { ...unused, ...(lost > 0 && { request_failed: lost }) };
  for (const { code } of dropped) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}
