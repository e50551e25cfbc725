/** The messages of one stream, folded to the last row of every market. */
import { type Failure, failed } from '../failure.ts';
import type { DropCode, ParseContext, Parsed, Stream } from '../venues/venue.ts';
import type { AnyRow } from './outlet.ts';

/** What was heard since the rows were last taken. */
export interface Heard {
  /** When the newest message about data came, Unix ms; null when none did. */
  received: number | null;
  /** Why the last message that could not be read could not; null when every one could. */
  failure: Failure | null;
  /** Messages, and rows beyond the bound, that were not used, by reason. */
  unused: Readonly<Record<string, number>>;
}

/** Most markets of one stream; exchanges have up to three thousand. */
const most = 10_000;

const nothing: Heard = { received: null, failure: null, unused: {} };

/** A message as JSON, or as the text that it is. */
export function messageOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Keeps the last row of each market until it is `maxAge` ms old; holds 10,000 markets at most. */
export class StreamFold<Row extends AnyRow> {
  readonly #parse: Stream<Row>['parse'];
  readonly #maxAge: number;
  readonly #rows = new Map<string, { row: Row; received: number }>();
  /** Markets whose newest row was not used. */
  readonly #dropped = new Map<string, DropCode>();
  #heard = nothing;

  constructor({ parse }: Pick<Stream<Row>, 'parse'>, maxAge: number) {
    this.#parse = parse;
    this.#maxAge = maxAge;
  }

  get heard(): Heard {
    return this.#heard;
  }

  /** Reads one message; a bad row leaves the market's last good one where it is. */
  accept(message: unknown, context: ParseContext): void {
    const parsed = this.#read(message, context);
    if (parsed === null) return;
    const { received } = context;
    this.#heard = { ...this.#heard, received };
    for (const row of parsed.rows) {
      this.#dropped.delete(row.market);
      this.#put(this.#rows, row.market, { row, received });
    }
    for (const { key, code } of parsed.dropped) this.#put(this.#dropped, key, code);
  }

  /** The rows as they are now, those from before the newest message with their own time; what was heard is forgotten. */
  take(): Parsed<Row> {
    const newest = this.#heard.received ?? 0;
    for (const [market, { received }] of this.#rows) {
      if (newest - received > this.#maxAge) this.#rows.delete(market);
    }
    const rows = [...this.#rows.values()].map(({ row, received }) =>
      received === newest ? row : { ...row, received },
    );
    const dropped = [...this.#dropped].map(([key, code]) => ({ key, code }));
    this.#dropped.clear();
    this.#heard = nothing;
    return { rows, dropped };
  }

  #read(message: unknown, context: ParseContext): Parsed<Row> | null {
    try {
      return this.#parse(message, context);
    } catch (error) {
      const why = error instanceof Error ? error.message : 'unreadable message';
      this.#heard = { ...this.#heard, failure: failed('shape', why).failure };
      this.#count('bad_message');
      return null;
    }
  }

  #put<Value>(map: Map<string, Value>, key: string, value: Value): void {
    if (map.size < most || map.has(key)) map.set(key, value);
    else this.#count('overflow');
  }

  #count(reason: string): void {
    const { unused } = this.#heard;
    this.#heard = { ...this.#heard, unused: { ...unused, [reason]: (unused[reason] ?? 0) + 1 } };
  }
}
