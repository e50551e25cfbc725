/**
 * Rows by stream, beside the polls of the same part. The polls continue: they bring the fields that no stream has, and the
 * stream is compared with them. Every poll is published whole; between two polls only the rows that the stream has changed are.
 */
import { isNear } from '../../../indicators/market/checks.ts';
import type { Failure } from '../../failure.ts';
import type { Reading } from '../../topics/index.ts';
import type { Parsed } from '../define.ts';
import type { AnyPublisher } from '../polling/poller.ts';
import type { Gathered } from '../polling/publisher.ts';
import { withChecked } from '../quality/stated.ts';
import type { StatusRow } from '../status/status.ts';
import type { ChangeFold } from './fold.ts';
import { type LiveForm, type LiveRow, lateness } from './live-forms.ts';

/** Age at which streamed values no longer stand in for those that a poll lacks, ms. */
const streamedAge = 300_000;

/** Share by which a poll and the stream may differ; beyond it the poll is used, and the market is counted. */
const tolerance = 0.01;

interface Dated<Row> {
  row: Row;
  /** Unix ms. */
  received: number;
  /** When the newest of its quotes was received, Unix ms. */
  quoted: number;
  /** What the last message of the stream said by itself. */
  streamed?: Row;
}

/** True for a streamed row whose stated time is older than that of the present one. */
const isLate = (streamed: LiveRow, known: LiveRow): boolean =>
  streamed.stated !== null && known.stated !== null && streamed.stated < known.stated;

/** The newest row of each market of a part, whether it was polled or streamed. */
export class LiveRows<Row extends LiveRow> {
  readonly #form: LiveForm<Row>;
  /** Ms. */
  readonly #quoteAge: number;
  #rows = new Map<string, Dated<Row>>();
  /** Markets on which the last poll and the stream differed. */
  #differing = 0;

  /** `every` is the interval of the polls, ms: quotes that are older than the price by more than 1.5 of it are left out. */
  constructor(form: LiveForm<Row>, every: number) {
    this.#form = form;
    this.#quoteAge = every * lateness;
  }

  get differing(): number {
    return this.#differing;
  }

  /**
   * Takes a poll. What the stream said after a row was asked replaces it, unless the exchange states an earlier time for it: a
   * stream that is behind brings old prices without end. A row that a poll of some markets retains was asked when it was received.
   */
  polled(reading: Reading<Row>): Reading<Row> {
    this.#differing = 0;
    const { asked, received } = reading;
    const found = reading.rows.map((polled) => this.#newest(polled, polled.received ?? asked));
    const { rows } = withChecked({ rows: found.map(({ row }) => row), dropped: [] }, received);
    this.#rows = new Map(
      rows.map((row, at) => [
        row.market,
        {
          ...{ row, received: row.received ?? received, quoted: row.received ?? received },
          streamed: found[at]?.streamed,
        },
      ]),
    );
    return { ...reading, rows };
  }

  #newest(polled: Row, asked: number): Pick<Dated<Row>, 'row' | 'streamed'> {
    const known = this.#rows.get(polled.market);
    const { streamed } = known ?? {};
    if (!known || !streamed) return { row: polled };
    if (known.received <= asked) return this.#filled(polled, asked, { ...known, streamed });
    if (polled.received === undefined && this.#differs(known.row, polled)) {
      this.#differing++;
      return { row: polled };
    }
    if (isLate(streamed, polled)) return { row: polled };
    return { row: { ...this.#form.merge(polled, streamed), received: known.received }, streamed };
  }

  /** A row that was polled after the last message about its market. */
  #filled(
    polled: Row,
    asked: number,
    known: Required<Dated<Row>>,
  ): Pick<Dated<Row>, 'row' | 'streamed'> {
    const { row: before, received, streamed } = known;
    const row = asked - received > streamedAge ? null : this.#form.filled?.(polled, before);
    return row ? { row: { ...row, received }, streamed } : { row: polled };
  }

  #differs(known: Row, polled: Row): boolean {
    const [streamed, value] = [this.#form.value(known), this.#form.value(polled)];
    return streamed !== null && value !== null && Math.abs(streamed - value) > tolerance * value;
  }

  /**
   * Streamed rows as they can be published. A row that moves by more than 30 %, or contradicts itself, is `suspect` and waits
   * for a poll: two messages in quick succession confirm nothing. A market that no poll has brought waits for the next poll.
   */
  merged(rows: readonly Row[], received: number): Parsed<Row> {
    const merged: Parsed<Row> = { rows: [], dropped: [] };
    for (const row of rows) {
      const known = this.#rows.get(row.market);
      if (known === undefined || received - known.received > this.#form.maxAge) continue;
      if (isLate(row, known.row)) continue;
      if (this.#isDoubtful(row, known.row))
        merged.dropped.push({ key: row.market, code: 'suspect' });
      else {
        known.streamed = row;
        merged.rows.push(this.#withoutOldQuotes(known, row, received));
      }
    }
    return merged;
  }

  /** The known row with the streamed one, and without quotes that are much older than its price. */
  #withoutOldQuotes(known: Dated<Row>, streamed: Row, received: number): Row {
    const { merge, quotes } = this.#form;
    const row = merge(known.row, streamed);
    if (quotes === undefined) return row;
    if (quotes.has(streamed)) known.quoted = received;
    if (received - known.quoted > this.#quoteAge) return quotes.without(row);
    const isOlder = known.quoted < received && quotes.has(row);
    return quotes.dated(row, isOlder ? known.quoted : undefined);
  }

  #isDoubtful(streamed: Row, known: Row): boolean {
    if (streamed.doubt !== undefined) return true;
    const [value, before] = [this.#form.value(streamed), this.#form.value(known)];
    return value !== null && before !== null && !isNear(value, before);
  }

  /** Takes checked rows of the stream. */
  streamed(rows: readonly Row[], received: number): void {
    for (const row of rows) {
      const { streamed = row, quoted = received } = this.#rows.get(row.market) ?? {};
      this.#rows.set(row.market, { row, received, quoted, streamed });
    }
  }
}

export interface LivePublisherOptions<Row extends LiveRow> {
  source: string;
  part: string;
  fold: ChangeFold<Row>;
  rows: LiveRows<Row>;
  status: StatusRow;
  /** True while the polls show that the part is frozen: none of its rows is used. */
  frozen(): boolean;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<Row>): Promise<Failure | null>;
}

/** Publishes the rows that a stream has changed. */
export class LivePublisher<Row extends LiveRow> implements AnyPublisher {
  readonly #options: LivePublisherOptions<Row>;
  readonly status: StatusRow;

  constructor(options: LivePublisherOptions<Row>) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  async open(): Promise<void> {}

  /** Publishes the rows since the last call; returns the failure that prevented it, or null. */
  async take({ received, unused = {} }: Gathered): Promise<Failure | null> {
    const { source, part, fold, rows: live, frozen, publish } = this.#options;
    // A wrong time must not decide which row is the newer one.
    const taken = withChecked(fold.take(), received);
    const merged = live.merged(taken.rows, received);
    const all = { rows: merged.rows, dropped: [...taken.dropped, ...merged.dropped] };
    const { rows, dropped } = withChecked(all, received);
    live.streamed(rows, received);
    const counts: Record<string, number> = { ...unused };
    if (live.differing > 0) counts.differs_from_poll = live.differing;
    for (const { code } of dropped) counts[code] = (counts[code] ?? 0) + 1;
    this.status.succeed({ asked: received, received, rows: rows.length, dropped: counts });
    if (rows.length === 0 || frozen()) return null;
    return publish({ source, part, asked: received, received, rows });
  }

  fail(failure: Failure, at: number): void {
    this.status.fail(failure, at);
  }
}
