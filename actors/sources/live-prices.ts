/**
 * Prices by stream, beside the polls of the same part. The polls continue: they bring the fields that no stream has, and the stream is
 * compared with them. Every poll is published whole; between two polls only the rows that the stream has changed are.
 */
import { isNear } from '../../indicators/market/checks.ts';
import type { Failure } from '../failure.ts';
import type { Behaviour } from '../kernel/actor.ts';
import { type PriceRow, type Reading, topics } from '../topics/index.ts';
import type { StreamerMessage } from './connections.ts';
import type { RunContext } from './context.ts';
import type { InstrumentMap, Parsed } from './define.ts';
import type { AnyPublisher } from './poller.ts';
import type { Gathered } from './publisher.ts';
import { withChecked } from './stated.ts';
import type { StatusRow } from './status.ts';
import type { LatestStream } from './stream.ts';
import { ChangeFold } from './stream-fold.ts';
import { streamer } from './streamer.ts';
import { whyUnpublished } from './with-lease.ts';

/** Share by which a poll and the stream may differ; beyond it the poll is used, and the market is counted. */
const tolerance = 0.01;

interface Dated {
  row: PriceRow;
  /** Unix ms. */
  received: number;
}

/** A polled row with the streamed values of the same market; fields that the stream lacks stay as polled. */
export const withStreamed = (polled: PriceRow, streamed: PriceRow): PriceRow => ({
  ...polled,
  price: streamed.price,
  stated: streamed.stated,
  bid: streamed.bid ?? polled.bid,
  ask: streamed.ask ?? polled.ask,
  high: streamed.high ?? polled.high,
  low: streamed.low ?? polled.low,
  base: streamed.base ?? polled.base,
  volume: streamed.volume ?? polled.volume,
  change: streamed.change ?? polled.change,
  received: undefined,
});

/** True for a streamed row whose stated time is older than that of the present one. */
const isLate = (streamed: PriceRow, known: PriceRow): boolean =>
  streamed.stated !== null && known.stated !== null && streamed.stated < known.stated;

const isDoubtful = ({ price, doubt }: PriceRow, known: PriceRow): boolean =>
  !isNear(price, known.price) || (doubt !== undefined && doubt !== 'turnover');

/** The newest row of each market of a part, whether it was polled or streamed. */
export class LiveRows {
  readonly #maxAge = topics.prices.maxAge;
  #rows = new Map<string, Dated>();
  /** Markets on which the last poll and the stream differed. */
  #differing = 0;

  get differing(): number {
    return this.#differing;
  }

  /** Takes a poll. Rows that the stream brought after the poll was asked replace those of the poll. */
  polled(reading: Reading<PriceRow>): Reading<PriceRow> {
    this.#differing = 0;
    const rows = reading.rows.map((row) => this.#newest(row, reading.asked));
    this.#rows = new Map(
      rows.map((row) => [row.market, { row, received: row.received ?? reading.received }]),
    );
    return { ...reading, rows };
  }

  #newest(polled: PriceRow, asked: number): PriceRow {
    const known = this.#rows.get(polled.market);
    if (known === undefined || known.received <= asked) return polled;
    if (Math.abs(known.row.price - polled.price) > tolerance * polled.price) {
      this.#differing++;
      return polled;
    }
    return { ...known.row, received: known.received };
  }

  /**
   * Streamed rows as they can be published. A row that moves by more than 30 %, or contradicts itself, is `suspect` and waits
   * for a poll: two messages in quick succession confirm nothing. A market that no poll has brought waits for the next poll.
   */
  merged(rows: readonly PriceRow[], received: number): Parsed<PriceRow> {
    const merged: Parsed<PriceRow> = { rows: [], dropped: [] };
    for (const row of rows) {
      const known = this.#rows.get(row.market);
      if (known === undefined || received - known.received > this.#maxAge) continue;
      if (isLate(row, known.row)) continue;
      if (isDoubtful(row, known.row)) merged.dropped.push({ key: row.market, code: 'suspect' });
      else merged.rows.push(withStreamed(known.row, row));
    }
    return merged;
  }

  /** Takes checked rows of the stream. */
  streamed(rows: readonly PriceRow[], received: number): void {
    for (const row of rows) this.#rows.set(row.market, { row, received });
  }
}

export interface LivePublisherOptions {
  source: string;
  part: string;
  fold: ChangeFold<PriceRow>;
  rows: LiveRows;
  status: StatusRow;
  /** True while the polls show that the part is frozen: none of its rows is used. */
  frozen(): boolean;
  /** Null when it was published, else the reason why it was not. */
  publish(reading: Reading<PriceRow>): Promise<Failure | null>;
}

/** Publishes the rows that a stream has changed. */
export class LivePublisher implements AnyPublisher {
  readonly #options: LivePublisherOptions;
  readonly status: StatusRow;

  constructor(options: LivePublisherOptions) {
    this.#options = options;
    this.status = options.status.set({ state: 'waiting', reason: null });
  }

  async open(): Promise<void> {}

  /** Publishes the rows since the last call; returns the failure that prevented it, or null. */
  async take({ received, unused = {} }: Gathered): Promise<Failure | null> {
    const { source, part, fold, rows: live, frozen, publish } = this.#options;
    const taken = fold.take();
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

/** The streamed prices of a part. */
export interface LivePart
  extends Pick<LivePublisherOptions, 'source' | 'part' | 'rows' | 'frozen'> {
  stream: LatestStream<PriceRow>;
  /** Least time between two publications, ms. */
  every: number;
}

/** The behaviour of the actor that streams the prices of a part. */
export function livePrices(
  { source, part, stream, every, rows, frozen }: LivePart,
  { bus, fence, book, gateway, random, status, turnovers }: RunContext,
): Behaviour<StreamerMessage> {
  const { most = Infinity } = stream;
  const channels = (listed: InstrumentMap) =>
    stream.channels(most < Infinity ? turnovers.top(source, part, listed, most) : listed);
  const lease = { name: source, fence };
  const publish = async (reading: Reading<PriceRow>) =>
    whyUnpublished(await bus.publish('priceChanges', `${source}/${part}`, reading, lease));
  const open = () => {
    const fold = new ChangeFold<PriceRow>(stream);
    const row = status.row('priceChanges', part);
    const publisher = new LivePublisher({
      ...{ source, part, fold, rows, status: row, frozen, publish },
    });
    return { fold, publisher };
  };
  const live = { ...stream, channels };
  return streamer({ source, part, every, stream: live, open, book, gateway, random });
}
