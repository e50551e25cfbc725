/** Publishes one topic of a poll: parses the bodies, adds rows of the last reading, reports the status. */
import type { Failure, Result } from '../../failure.ts';
import { type Reading, type Topic, topics } from '../../topics/index.ts';
import type { AnyRow, ParseContext, Parsed } from '../define.ts';
import { type KeepLimits, retainGood, usableRows } from '../quality/rows.ts';
import type { Checked } from '../quality/suspects.ts';
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

/** Typed as a method, so that one list may hold the checks of any rows. */
type Check<Row extends AnyRow> = { of(poll: KeepLimits & Rows<Row>): Checked<Row> }['of'];

export interface PublisherOptions<Row extends AnyRow> {
  source: string;
  topic: Topic;
  part: string;
  parse(bodies: readonly unknown[], context: ParseContext): Parsed<Row>;
  /** True when a poll covers only some of the markets: rows of the others stay until they are too old. */
  partial: boolean;
  /** The last published reading, for its good rows. */
  previous(): Promise<Reading<Row> | undefined>;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
  /** Its row in `/v1/status`, which stays after a restart. */
  status: StatusRow;
  /** Looks at the rows of a poll, received at `received` (Unix ms); true when the part is frozen. */
  watch(rows: readonly Row[], received: number): boolean;
  /** Separates the rows that must be held back; every row is published when absent. */
  check?: Check<Row> | undefined;
  /** A row named an instrument that no list holds. */
  onUnknown(): void;
}

/** Publishes one topic of a poller. */
export class Publisher<Row extends AnyRow> {
  readonly #options: PublisherOptions<Row>;
  readonly status: StatusRow;
  #previous: Reading<Row> | undefined;

  constructor(options: PublisherOptions<Row>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  async open(): Promise<void> {
    this.#previous = await this.#options.previous();
    const { last_success, rows } = this.status.values;
    this.status.set({
      last_success: last_success ?? this.#previous?.received ?? null,
      rows: rows || (this.#previous?.rows.length ?? 0),
    });
  }

  /** Parses and publishes; the failure that prevented it, or null. */
  async take(gathered: Gathered, context: ParseContext): Promise<Failure | null> {
    const parsed = this.#parse(gathered, context);
    if (!parsed.ok) return parsed.failure;
    const { asked, received } = gathered;
    const { source, part, topic, partial } = this.#options;
    const frozen = this.#options.watch(parsed.value.rows, received);
    const limits = {
      received,
      maxAge: topics[topic].maxAge,
      listed: partial ? context.instruments : null,
    };
    const checked = this.#check(parsed.value, limits);
    const { suspect } = checked;
    const reading: Reading<Row> = {
      source,
      part,
      asked,
      received,
      rows: retainGood(checked, this.#previous, limits),
    };
    if (frozen) reading.frozen = true;
    if (suspect.length > 0) reading.suspect = suspect;
    const unpublished = await this.#options.publish(reading);
    if (unpublished) return unpublished;
    this.#previous = reading;
    const dropped = countsOf(checked.dropped, { request_failed: gathered.lost });
    this.#succeed(reading, parsed.value.closed ?? null, dropped);
    if (gathered.missing) this.status.note(gathered.missing, received);
    return null;
  }

  #parse({ bodies }: Gathered, context: ParseContext): Result<Parsed<Row>> {
    const parsed = usableRows(() => this.#options.parse(bodies, context), context.received);
    if (parsed.ok && parsed.value.dropped.some(({ code }) => code === 'unknown_instrument'))
      this.#options.onUnknown();
    return parsed;
  }

  #check({ rows, dropped }: Parsed<Row>, limits: KeepLimits): Checked<Row> {
    const checked = this.#options.check?.({ ...limits, rows, previous: this.#previous });
    if (!checked) return { rows, dropped, suspect: [] };
    return { ...checked, dropped: [...dropped, ...checked.dropped] };
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

interface Rows<Row> {
  rows: Row[];
  previous: Reading<Row> | undefined;
}
