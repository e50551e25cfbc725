import type { Bus } from '../bus/bus.ts';
import type { Clock } from '../kernel/clock.ts';
import { type NewestRows, oncePerReading } from '../state/newest-rows.ts';
import type { Instrument, Kind, Reading } from '../topics/index.ts';
import type { InstrumentMap, Parsed } from './define.ts';
import type { MarketAsk } from './queries/forms.ts';
import type { Venue } from './venue.ts';

const none: InstrumentMap = new Map();

const byMarket = oncePerReading(
  (rows: readonly Instrument[]): InstrumentMap => new Map(rows.map((row) => [row.market, row])),
);
const isOther = ({ kind }: Instrument): boolean => kind === 'other';
/** Ids by the names that venues with numbers for ids give their markets; a market that trades has the name of one that did. */
const byName = oncePerReading(
  (rows: readonly Instrument[]) =>
    new Map(
      [...rows.filter(isOther), ...rows.filter((row) => !isOther(row))].flatMap(
        ({ name, market }) => (name ? [[name, market] as const] : []),
      ),
    ),
);

/** The newest instruments of every source, in which parsers and queries look markets up. */
export class InstrumentBook {
  readonly #newest: NewestRows;

  constructor(newest: NewestRows) {
    this.#newest = newest;
  }

  /** Calls `wake` on every new list of the part, until the returned function is called. */
  onChange(source: string, part: string, wake: () => void): () => void {
    return this.#newest.onChange('instruments', { source, part }, wake);
  }

  /** Whether every part of the source has a list. */
  isComplete({ id, parts }: Pick<Venue, 'id' | 'parts'>): boolean {
    return parts.every((name) => this.#newest.part('instruments', id, name));
  }

  part(source: string, part: string): InstrumentMap {
    const list = this.#newest.part('instruments', source, part);
    return list ? byMarket(list) : none;
  }

  /**
   * The market that a client's native symbol names: the venue's parts in their order, exactly as sent and then in
   * upper and lower case, as an id or as a name. Null when no list holds it, or not in this kind.
   */
  find(
    venue: Pick<Venue, 'id' | 'parts'>,
    symbol: string,
    kind: Kind | undefined,
  ): MarketAsk | null {
    for (const market of new Set([symbol, symbol.toUpperCase(), symbol.toLowerCase()])) {
      for (const part of venue.parts) {
        const list = this.#newest.part('instruments', venue.id, part);
        if (!list) continue;
        const id = byName(list).get(market) ?? market;
        const instrument = byMarket(list).get(id);
        const fits = kind === undefined || instrument?.kind === kind;
        if (instrument && fits) return { market: id, part, instrument };
      }
    }
    return null;
  }
}

/** Interval, ms, of requests per source and process; the polling process reads a list once a minute at most. */
const pause = 5_000;

/** Asks for the lists of a source to be read again. A request that was not published is followed by the next one. */
export function listRequester(bus: Pick<Bus, 'publish'>, clock: Clock): (source: string) => void {
  const last = new Map<string, number>();
  return (source) => {
    const now = clock.monotonic();
    if (now - (last.get(source) ?? Number.NEGATIVE_INFINITY) < pause) return;
    last.set(source, now);
    void bus.publish('listRequests', source, { source, at: clock.now() });
  };
}

/** Kept for each part of an exchange, the newest ones. */
const most = 500;

/** Ended on the day that was fixed when it was listed. */
const hasExpired = ({ expiry }: Instrument, now: number): boolean =>
  expiry !== undefined && expiry <= now;

/**
 * A list with the markets that the one before it traded, and that it lacks or does not trade. They stay, in no followed kind, until they
 * are traded again: those that it holds at their places, by which Hyperliquid's stream states its markets.
 */
export function withDelisted(
  list: Reading<Instrument>,
  before: Reading<Instrument> | undefined,
): Reading<Instrument> {
  const { received } = list;
  const rows = list.rows.filter(({ delisted }) => delisted === undefined);
  const traded = new Set(rows.flatMap(({ kind, market }) => (kind === 'other' ? [] : market)));
  const gone = (before?.rows ?? []).flatMap((row): Instrument[] => {
    if (traded.has(row.market)) return [];
    if (row.delisted) return [row];
    if (row.kind === 'other' || hasExpired(row, received)) return [];
    const delisted = { at: received, kind: row.kind };
    return [{ ...row, kind: 'other', rules: undefined, delisted }];
  });
  const kept = gone
    .toSorted((a, b) => (b.delisted?.at ?? 0) - (a.delisted?.at ?? 0))
    .slice(0, most);
  const left = new Map(kept.map((row) => [row.market, row]));
  const listed = rows.map((row) => {
    const own = left.get(row.market);
    left.delete(row.market);
    return own ?? row;
  });
  return { ...list, rows: [...listed, ...left.values()] };
}

/** Whether a list has just taken a market away, or holds one back: it may be cut short, or the halt one of moments, and the next one tells. */
export const isDoubtful = ({ received, rows, suspect }: Reading<Instrument>): boolean =>
  suspect !== undefined || rows.some(({ delisted }) => delisted?.at === received);

/** The markets that are traded: lists keep those that were. */
export const tradedOf = (listed: InstrumentMap): InstrumentMap =>
  new Map([...listed].filter(([, row]) => !isOther(row)));

/** The markets of a poll that no list holds. */
export class UnknownMarkets {
  /** When they were first named, Unix ms. */
  #named: ReadonlyMap<string, number> = new Map();

  /**
   * Whether a list must be read again for the markets that a poll received at `received`, Unix ms, has named: not for those that a list
   * asked for since they were first named lacks too, as some exchanges have tickers of markets that they never list.
   */
  areMissed(
    dropped: Parsed<unknown>['dropped'],
    received: number,
    list: Reading<Instrument> | undefined,
  ): boolean {
    const keys = dropped.flatMap(({ key, code }) => (code === 'unknown_instrument' ? key : []));
    this.#named = new Map(keys.map((key) => [key, this.#named.get(key) ?? received]));
    return [...this.#named.values()].some((first) => first >= (list?.asked ?? 0));
  }
}
