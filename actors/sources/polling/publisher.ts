/** Publishes one topic of a poll: parses the bodies, adds what is newer or known from before, reports the status. */
import type { Failure, Result } from '../../failure.ts';
import type { Reading, Topic } from '../../topics/index.ts';
import type { ParseContext, Parsed } from '../define.ts';
import type { MarketRow, MergedRows } from '../merged-rows.ts';
import { usableRows } from '../quality/body.ts';
import { countsOf, type StatusRow } from '../status/status.ts';

/** The bodies of one poll, with the times around them. */
export interface Gathered {
  bodies: readonly unknown[];
  asked: number;
  received: number;
  /** Requests about single markets that failed. */
  lost: number;
  /** The failure of the first optional request that failed; null when none did. */
  missing: Failure | null;
}

/** The part of the rows of a topic and part that a poll needs. */
export type PolledRows<Row extends MarketRow> = Pick<
  MergedRows<Row>,
  'load' | 'polled' | 'published'
>;

export interface PublisherOptions<Row extends MarketRow> {
  source: string;
  topic: Topic;
  part: string;
  parse(bodies: readonly unknown[], context: ParseContext): Parsed<Row>;
  /** True when a poll covers only some of the markets: rows of the others stay until they are too old. */
  partial: boolean;
  /** The rows of its topic and part. */
  rows: PolledRows<Row>;
  /** The last published reading, for its good rows. */
  previous(): Promise<Reading<Row> | undefined>;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
  /** Its row in `/v1/status`, which stays after a restart. */
  status: StatusRow;
  /** Looks at the rows of a poll, received at `received` (Unix ms); true when the part is frozen. */
  watch(rows: readonly Row[], received: number): boolean;
  /** A row named an instrument that no list holds. */
  onUnknown(): void;
}

/** Publishes one topic of a poller. */
export class Publisher<Row extends MarketRow> {
  readonly #options: PublisherOptions<Row>;
  readonly status: StatusRow;

  constructor(options: PublisherOptions<Row>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  async open(): Promise<void> {
    const previous = await this.#options.previous();
    this.#options.rows.load(previous);
    const { last_success, rows } = this.status.values;
    this.status.set({
      last_success: last_success ?? previous?.received ?? null,
      rows: rows || (previous?.rows.length ?? 0),
    });
  }

  /** Parses and publishes; the failure that prevented it, or null. */
  async take(gathered: Gathered, context: ParseContext): Promise<Failure | null> {
    const parsed = this.#parse(gathered, context);
    if (!parsed.ok) return parsed.failure;
    const { asked, received } = gathered;
    const { source, part, partial, rows, watch, publish } = this.#options;
    const frozen = watch(parsed.value.rows, received);
    const listed = partial ? context.instruments : null;
    const { dropped, ...whole } = rows.polled({ ...parsed.value, asked, received, listed });
    const reading: Reading<Row> = { source, part, asked, ...whole };
    if (frozen) reading.frozen = true;
    const unpublished = await publish(reading);
    if (unpublished) return unpublished;
    rows.published(reading);
    const counts = countsOf(dropped, { request_failed: gathered.lost });
    this.#succeed({ ...reading, received }, parsed.value.closed ?? null, counts);
    if (gathered.missing) this.status.note(gathered.missing, received);
    return null;
  }

  #parse({ bodies }: Gathered, context: ParseContext): Result<Parsed<Row>> {
    const parsed = usableRows(() => this.#options.parse(bodies, context));
    if (parsed.ok && parsed.value.dropped.some(({ code }) => code === 'unknown_instrument'))
      this.#options.onUnknown();
    return parsed;
  }

  #succeed(reading: Reading<Row>, closed: string | null, dropped: Record<string, number>): void {
    const state = reading.frozen ? 'frozen' : 'up';
    const { asked, received, rows, suspect } = reading;
    this.status.tally.held(suspect?.map(({ market }) => market) ?? [], rows);
    this.status.succeed({ asked, received, rows: rows.length, dropped }).set({
      state: closed === null ? state : 'closed',
      reason: closed,
      suspect: suspect?.slice(0, maxNamed).map(({ market }) => market),
    });
  }
}

/** Markets held back that a status names. */
const maxNamed = 20;
