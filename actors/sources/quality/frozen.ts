/** Signs of an exchange that still answers although it has closed or its data no longer change. */
import { day, minute } from '../../../config/time.ts';
import type { PriceRow } from '../../topics/index.ts';

/** Equal polls in a row after which a part stands still: a busy one, and one in which little is traded. */
const equalPolls = { busy: 10, quiet: 120 };
/** Markets with turnover from which on a part is busy: in fewer a few minutes may pass without a trade. */
const busyFrom = 10;
/** Age of the newest stated time at which a part is frozen, ms, beyond the difference of the clocks. */
const longestAge = minute;
/** Polls from whose smallest age that difference is learned: 15 minutes at one poll in 30 s. */
const learned = 30;
/** Distance from now, ms, beyond which a stated time is not that of a wrong clock and is ignored. */
const plausible = day;

/** Time for which a part must have stood still before the movement of other exchanges counts, ms. */
const standstill = 45_000;
/** Share by which prices elsewhere must have moved in that time. */
const movement = 0.001;
/** Assets of a part that are compared: those with the largest turnover. */
const compared = 3;

/** The prices of assets on the other exchanges, one number each; assets that none of them has are absent. */
export type PricesElsewhere = (symbols: readonly string[]) => ReadonlyMap<string, number>;

/** The stated times of the polls of one part. */
interface Part {
  print: number;
  /** When it changed last, Unix ms, and the prices elsewhere at that time. */
  since: number;
  elsewhere: ReadonlyMap<string, number>;
  /** It stands still while the prices elsewhere have moved. */
  behind: boolean;
  /** Equal polls in a row. */
  same: number;
  /** No market has any turnover. */
  idle: boolean;
  busy: boolean;
  /** Newest time that the part has stated, Unix ms; null when it states none. */
  newest: number | null;
  /** Ages of the newest time, ms, at the last polls that brought a newer one. */
  ages: readonly number[];
  /** The newest time is too old. */
  old: boolean;
}

/**
 * Watches the prices of one venue, part by part. A part is frozen at once when its newest stated time is more than a
 * minute old; the steady difference between the venue's clock and ours, learned from polls whose time moved on, is
 * allowed for; and when nothing in it has changed for 45 s in which one of its three most traded assets moved by more than
 * 0.1 % on the other exchanges. All of its parts are frozen when none has changed for ten polls (120 for a part with few traded
 * markets), or when not a single market has any turnover.
 */
export class FrozenGuard {
  readonly #parts = new Map<string, Part>();
  readonly #elsewhere: PricesElsewhere;

  constructor(elsewhere: PricesElsewhere = () => new Map()) {
    this.#elsewhere = elsewhere;
  }

  /** Adds a poll of one part, received at `received` (Unix ms). */
  observe(part: string, rows: readonly PriceRow[], received: number): void {
    if (rows.length === 0) return;
    const before = this.#parts.get(part);
    const print = fingerprint(rows);
    this.#parts.set(part, {
      print,
      ...this.#still(rows, received, before?.print === print ? before : undefined),
      same: before?.print === print ? before.same + 1 : 0,
      idle: rows.every(({ volume }) => volume === 0),
      busy: rows.filter(({ volume }) => volume !== 0).length >= busyFrom,
      ...ageOf(rows, received, before),
    });
  }

  /** Whether a part that has not changed, or undefined for one that has, was left behind by the other exchanges. */
  #still(
    rows: readonly PriceRow[],
    received: number,
    before: Part | undefined,
  ): Pick<Part, 'since' | 'elsewhere' | 'behind'> {
    const now = this.#elsewhere(leadersOf(rows));
    if (before === undefined || before.elsewhere.size === 0)
      return { since: received, elsewhere: now, behind: false };
    const { since, elsewhere } = before;
    const hasMoved = [...now].some(([symbol, price]) => {
      const old = elsewhere.get(symbol);
      return old !== undefined && Math.abs(price / old - 1) > movement;
    });
    // Prices that come back do not make the old ones new.
    const behind = before.behind || (received - since >= standstill && hasMoved);
    return { since, elsewhere, behind };
  }

  /** True when the readings of the part must not be used. */
  frozen(part: string): boolean {
    const parts = [...this.#parts.values()];
    if (parts.length === 0) return false;
    if (parts.every(standsStill) || parts.every(({ idle }) => idle)) return true;
    const seen = this.#parts.get(part);
    if (seen?.behind) return true;
    if (!seen?.old) return false;
    // Few markets may be without a trade for a minute while the others of the venue go on.
    return seen.busy || parts.every((other) => other.old || !other.busy);
  }
}

/** The assets with the largest turnover. */
const leadersOf = (rows: readonly PriceRow[]): string[] => [
  ...new Set(
    rows
      .toSorted((a, b) => (b.volume ?? 0) - (a.volume ?? 0))
      .slice(0, compared)
      .map(({ symbol }) => symbol),
  ),
];

const standsStill = ({ same, busy }: Part): boolean =>
  same >= (busy ? equalPolls.busy : equalPolls.quiet);

/** The stated times of a poll, combined with those of the polls before it. */
function ageOf(
  rows: readonly PriceRow[],
  received: number,
  before: Part | undefined,
): Pick<Part, 'newest' | 'ages' | 'old'> {
  const newest = newestOf(rows, received);
  const ages = before?.ages ?? [];
  if (newest === null) return { newest, ages, old: false };
  const age = received - newest;
  const last = before?.newest ?? null;
  const moved = last !== null && newest > last;
  const known = moved ? [...ages, age].slice(-learned) : ages;
  const difference = known.length === 0 ? 0 : Math.min(...known);
  const old = Math.abs(age) <= plausible && age - difference > longestAge;
  return { newest, ages: known, old };
}

/** The newest stated time, Unix ms; one in the future counts only where the clock of every market is ahead. */
function newestOf(rows: readonly PriceRow[], received: number): number | null {
  let past: number | null = null;
  let any: number | null = null;
  for (const { stated } of rows) {
    if (stated === null) continue;
    any = Math.max(any ?? stated, stated);
    if (stated <= received + longestAge) past = Math.max(past ?? stated, stated);
  }
  return past ?? any;
}

/** A number that a change of any price, turnover or stated time moves. */
function fingerprint(rows: readonly PriceRow[]): number {
  let print = rows.length;
  for (const { price, volume, stated } of rows) {
    print = (print * 31 + price + (volume ?? 0) + (stated ?? 0) / 7) % 1e12;
  }
  return print;
}
