/** The job that stores the coins issued on each day: from block heights, or from a chart of the supply. */
import { hour, minute } from '../../../config/time.ts';
import { lastClosedDay } from '../../../indicators/market/daily-closes.ts';
import {
  type DayValue,
  dateOf,
  dayAt,
  dayLength,
  daysBetween,
} from '../../../indicators/market/days.ts';
import {
  blocksPerDay,
  heightAfter,
  type IssuanceDay,
  issuanceOfHeights,
  issuanceOfSupply,
  nominalIssuance,
} from '../../../indicators/market/issuance.ts';
import { firstRefusal, plausible, rules } from '../../../indicators/market/plausible.ts';
import { type Failure, failed } from '../../failure.ts';
import { blockchainInfo, type Supply } from '../../providers/blockchain-info.ts';
import { type LastBlockOfDay, mempool } from '../../providers/mempool.ts';
import { optional, required, text } from '../../read.ts';
import type { JobContext } from '../../sources/context.ts';
import type { Job, Round } from '../../sources/job.ts';
import { type Candidate, firstOf } from '../../sources/polling/ask.ts';
import type { Form, StoredSeries } from '../stored-series.ts';
import { firstClose } from './closes.ts';

/** The sources, by id. */
export const issuanceSources = [mempool.id, blockchainInfo.id];

/** A stored day with the id of its upstream. */
export interface IssuedDay extends IssuanceDay {
  source: string;
}

export const issuanceForm: Form<IssuedDay> = {
  key: 'btc-issuance',
  columns: ['day', 'issuance_btc', 'supply_btc', 'height', 'blocks', 'source'],
  read(row) {
    const day = required(row.day);
    const issuance_btc = required(row.issuance_btc);
    const supply_btc = required(row.supply_btc);
    const height = required(row.height);
    const source = text(row.source);
    if (!(day > 0 && issuance_btc >= 0 && supply_btc > 0 && height >= 0) || source === '')
      return null;
    return { day, issuance_btc, supply_btc, height, blocks: optional(row.blocks), source };
  },
};

const deadline = minute;
/** Heights are one request a day: after a longer outage the chart is asked, which has all days in one. */
const mostHeights = 9;
const job = 'issuance';
/** 2009-01-03. */
const genesis = 1_230_940_800_000;

/** Why a height cannot be that of a day's end, or null: blocks came 5 % faster than 144 a day until now. */
function impossibleHeight({ day, height }: LastBlockOfDay): string | null {
  const intended = (daysBetween(genesis, day) + 1) * blocksPerDay;
  const why = plausible(height, intended, { above: 0, factor: 1.15 });
  return why && `height ${height} on ${dateOf(day)}: ${why}`;
}

/** The reason to reject supplies of consecutive days, or null. */
export function doubtSupply(rows: readonly DayValue[]): string | null {
  const [values, last] = [rows.map(({ value }) => value), rows.at(-1)];
  if (!last) return 'no supply';
  const refused = firstRefusal(values, null, rules.bitcoinSupply);
  if (refused) return `the supply of ${dateOf(rows[refused.index]?.day ?? 0)}: ${refused.why}`;
  return impossibleHeight({ day: last.day, height: heightAfter(last.value) });
}

/** The supply at the end of each day, ascending: evenly between the points of the chart before and after it. */
export function supplyDays(points: readonly Supply[]): DayValue[] {
  const found: DayValue[] = [];
  let before: Supply | undefined;
  for (const point of points.toSorted((a, b) => a.at - b.at)) {
    const { at, value } = before ?? point;
    for (let end = dayAt(at) + dayLength; end <= point.at; end += dayLength) {
      const part = (end - at) / (point.at - at);
      found.push({ day: end - dayLength, value: value + (point.value - value) * part });
    }
    before = point;
  }
  return found;
}

/** The rows that come right after each other, from the first on. */
function connected(stored: readonly IssuedDay[], more: readonly IssuedDay[]): IssuedDay[] {
  const rows = [...stored];
  for (const row of more) {
    const last = rows.at(-1);
    if (!last || row.day === last.day + dayLength) rows.push(row);
  }
  return rows;
}

/** The stored days with the chart's before and after them, where it meets them. */
export function joinedWith(stored: readonly IssuedDay[], chart: readonly IssuedDay[]): IssuedDay[] {
  const [first] = stored;
  if (!first) return connected([], chart);
  const older = chart.filter(({ day }) => day < first.day);
  const end = older.at(-1);
  const meets =
    end?.day === first.day - dayLength &&
    plausible(first.supply_btc, end.supply_btc, rules.bitcoinSupply) === null;
  return connected([...(meets ? older : []), ...stored], chart);
}

/**
 * The days up to `to`; days without data count as 144 blocks each, at most a week of them. These are never stored, so
 * that the next round may still learn them.
 */
export function withNominal(stored: readonly IssuedDay[], to: number): readonly IssuedDay[] {
  const rows = [...stored];
  for (let last = rows.at(-1); last && last.day < to; last = rows.at(-1)) {
    if (rows.length - stored.length === 7) return stored;
    rows.push({ ...nominalIssuance(last), source: 'computed' });
  }
  return rows;
}

class ChainDays {
  readonly #context: JobContext;
  readonly #stored: StoredSeries<IssuedDay>;

  constructor(context: JobContext, stored: StoredSeries<IssuedDay>) {
    this.#context = context;
    this.#stored = stored;
  }

  async run(round: Round): Promise<Failure | null> {
    const unsaved = await this.#stored.settle();
    if (unsaved) return unsaved;
    const to = lastClosedDay(round.now);
    const whole = this.#lacksOlder() ? await this.#chart(firstClose - dayLength, round) : null;
    if (whole) await this.#keep(joinedWith(this.#stored.rows, whole));
    if (!this.#reaches(to)) await this.#newer(to, round);
    if (round.signal.aborted) return failed('stopped', `${job}: stopped`).failure;
    if (!this.#reaches(to)) {
      return failed('unavailable', `${job}: no source has ${dateOf(to)}`).failure;
    }
    this.#stored.confirm(round.now);
    return this.#stored.settle();
  }

  /** The chart's first days may be a little later than asked. */
  #lacksOlder(): boolean {
    const [first] = this.#stored.rows;
    return !first || first.day > firstClose + 30 * dayLength;
  }

  #reaches(day: number): boolean {
    return (this.#stored.rows.at(-1)?.day ?? 0) >= day;
  }

  async #keep(rows: readonly IssuedDay[]): Promise<void> {
    if (rows.length > this.#stored.rows.length)
      await this.#stored.save(rows, this.#context.clock.now());
  }

  /** The days after the last one: heights first, then the chart from the last one on. */
  async #newer(to: number, round: Round): Promise<void> {
    const last = this.#stored.rows.at(-1);
    const from = last?.day ?? to - dayLength;
    const few = daysBetween(from, to) <= mostHeights;
    const counted = few ? await this.#counted({ from, to }, round) : null;
    const found = counted ?? (last && (await this.#chart(last.day, round))) ?? [];
    await this.#keep(connected(this.#stored.rows, found));
  }

  /**
   * Issues by heights at the ends of the days after `from`. The height of `from` is asked as well: one made from a
   * supply is off by the coins that miners left unclaimed.
   */
  async #counted(range: { from: number; to: number }, round: Round): Promise<IssuedDay[] | null> {
    const heights: LastBlockOfDay[] = [];
    for (let day = range.from; day <= range.to; day += dayLength) {
      const before = heights.at(-1)?.height ?? null;
      const candidate: Candidate<LastBlockOfDay> = {
        upstream: mempool.id,
        poll: mempool.polls.height,
        plan: { to: day },
        deadline,
        doubt: ([row]) => doubtHeight(row, before),
      };
      const found = await firstOf(this.#context, job, [candidate], round);
      if (!found.ok) return null;
      heights.push(...found.value.rows);
    }
    this.#context.status.standby(job, [blockchainInfo.id]);
    return issuanceOfHeights(heights).map((row) => ({ ...row, source: mempool.id }));
  }

  /** Issues by the chart of the supply, of the days after `from`; null without an answer. */
  async #chart(from: number, round: Round): Promise<IssuedDay[] | null> {
    const candidate: Candidate<Supply> = {
      upstream: blockchainInfo.id,
      poll: blockchainInfo.polls.supply,
      plan: { from },
      deadline,
      doubt: (rows) => doubtSupply(supplyDays(rows)),
    };
    const found = await firstOf(this.#context, job, [candidate], round);
    if (!found.ok) return null;
    const over = supplyDays(found.value.rows).filter(({ day }) => day <= lastClosedDay(round.now));
    return issuanceOfSupply(over).map((row) => ({ ...row, source: blockchainInfo.id }));
  }
}

/** The reason to reject a height at a day's end, or null. */
export function doubtHeight(row: LastBlockOfDay | undefined, before: number | null): string | null {
  if (!row) return 'no height';
  const why = plausible(row.height, before, rules.blockHeight);
  if (why || row.height < (before ?? 0)) return `height ${row.height}: ${why ?? 'below the last'}`;
  return impossibleHeight(row);
}

/** Stores the coins issued on all closed days; a missing day is requested once an hour. */
export function issuanceJob(context: JobContext, stored: StoredSeries<IssuedDay>): Job {
  const days = new ChainDays(context, stored);
  return { name: job, every: hour, run: (round) => days.run(round) };
}
