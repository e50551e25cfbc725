/** What exchanges ask for a loan: each exchange by itself, and their means. */
import type { Duty, Round } from '../../desks/duty.ts';
import { firstFigure } from '../../desks/figure.ts';
import type { Failure } from '../../failure.ts';
import { optional, positive, required, text } from '../../read.ts';
import { bitfinexBorrow } from '../borrow/bitfinex.ts';
import { bitgetBorrow } from '../borrow/bitget.ts';
import { bybitBorrow } from '../borrow/bybit.ts';
import { gateBorrow, newestOf } from '../borrow/gate.ts';
import { okxBorrow } from '../borrow/okx.ts';
import { type BorrowRow, borrowAssets } from '../borrow/rate.ts';
import {
  averageRate,
  type ExchangeRate,
  freshness,
  ratesOf,
  refusedRates,
} from '../formulas/borrow.ts';
import { plausible, rules } from '../plausible.ts';
import type { Figure } from '../upstream.ts';
import { hour, lacking, mapped, minute, remaining, type Wide } from './context.ts';
import { columnsOf, type RecordedRow, Recorder, rowsOf } from './records.ts';

const name = 'borrow-rates';
const means = 'borrow-interest-rate';
const every = 10 * minute;

/** Rates that no loan has count as unreadable: a source with many of them is refused whole. */
const sound = (figure: Figure<BorrowRow>): Figure<BorrowRow> => ({
  requests: (plan) => figure.requests(plan),
  parse(bodies, context) {
    const { rows, dropped } = figure.parse(bodies, context);
    const isSound = (row: BorrowRow) => plausible(row.hourly_rate, null, rules.borrowRate) === null;
    const bad = rows.filter((row) => !isSound(row));
    const named = bad.map(({ asset }) => ({ key: asset, code: 'bad_row' as const }));
    return { rows: rows.filter(isSound), dropped: [...dropped, ...named] };
  },
});

/** The exchanges whose rates can be had without a key; also the order of the answer. */
export const borrowExchanges: readonly { id: string; figure: Figure<BorrowRow> }[] = [
  { id: 'okx', figure: okxBorrow },
  { id: 'bybit', figure: bybitBorrow },
  { id: 'bitget', figure: bitgetBorrow },
  { id: 'gate', figure: mapped(gateBorrow, (points): BorrowRow[] => newestOf(points)) },
  { id: 'bitfinex', figure: bitfinexBorrow },
];

const columns = ['exchange', 'asset', 'hourly_rate', 'borrow_limit', 'stated', 'received'];

/** The last rates of each exchange, over restarts too, until they are two hours old. */
class Rates {
  readonly #at: Wide;
  #known: Map<string, ExchangeRate[]> | null = null;

  constructor(at: Wide) {
    this.#at = at;
  }

  /** Asks all exchanges; the failure of the last one when none answered. */
  async ask({ signal }: Round): Promise<Failure | null> {
    const known = await this.#open();
    const { desk, venues } = this.#at;
    const failures = await Promise.all(
      borrowExchanges
        .filter(({ id }) => venues.has(id))
        .map(async ({ id, figure }) => {
          const doubt = (rows: readonly BorrowRow[]) => (rows.length === 0 ? 'no rates' : null);
          const candidate = { upstream: id, figure: sound(figure), doubt };
          const found = await firstFigure(desk, name, [candidate], { signal });
          if (!found.ok) return found.failure;
          const { rows, received } = found.value;
          known.set(
            id,
            rows.map((row) => ({ ...row, exchange: id, received })),
          );
          return null;
        }),
    );
    return failures.includes(null) ? null : (failures.at(-1) ?? lacking('no exchange that lends'));
  }

  /** Those that count at a time, in the order of the exchanges. */
  async current(now: number): Promise<ExchangeRate[]> {
    const known = await this.#open();
    return borrowExchanges
      .flatMap(({ id }) => known.get(id) ?? [])
      .filter(({ received }) => now - received <= freshness);
  }

  async keep(rates: readonly ExchangeRate[], now: number): Promise<void> {
    const rows = rates.map((row) => ({ ...row }));
    await this.#at.desk.publish('series', name, { columns: columnsOf(rows, columns), at: now });
  }

  async #open(): Promise<Map<string, ExchangeRate[]>> {
    const stored = this.#known ? undefined : await this.#at.desk.last('series', name);
    const rows = (stored ? rowsOf(stored) : []).map((row) => ({
      exchange: text(row.exchange),
      asset: text(row.asset),
      hourly_rate: required(row.hourly_rate),
      borrow_limit: optional(row.borrow_limit),
      stated: optional(row.stated),
      received: positive(row.received),
    }));
    this.#known ??= Map.groupBy(rows, ({ exchange }) => exchange);
    return this.#known;
  }
}

const served = (row: ExchangeRate) => ({
  exchange: row.exchange,
  asset: row.asset,
  ...ratesOf(row.hourly_rate),
  borrow_limit: row.borrow_limit,
  updated_at: row.stated ?? row.received,
});

type Row = RecordedRow & Record<string, unknown>;

/** A recorder of annual rates in percent by column. */
const recorderOf = ({ desk }: Wide, key: string, names: readonly string[]) =>
  new Recorder<Row>(desk, {
    key,
    columns: names,
    step: hour,
    read: (row) => ({
      timestamp: required(row.timestamp),
      ...Object.fromEntries(names.map((column) => [column, optional(row[column])])),
    }),
  });

/** The mean of each asset that somebody lends. */
const meansOf = (rates: readonly ExchangeRate[], now: number) =>
  borrowAssets.flatMap((asset) => averageRate(asset, rates, now) ?? []);

/** Assets of the chart of means, and its columns. */
const charted = { USDT: 'usdt', USDC: 'usdc', BTC: 'btc', ETH: 'eth' } as const;

function meansPoint(averages: ReturnType<typeof meansOf>, timestamp: number): Row {
  const rateOf = (asset: string) =>
    averages.find((row) => row.asset === asset)?.average_annual_rate_pct ?? null;
  const cells = Object.entries(charted).map(([asset, column]) => [column, rateOf(asset)]);
  return { timestamp, ...Object.fromEntries(cells) };
}

/** What each exchange asks for USDT. */
function exchangesPoint(rates: readonly ExchangeRate[], timestamp: number): Row {
  const cells = borrowExchanges.map(({ id }) => {
    const found = rates.find((row) => row.exchange === id && row.asset === 'USDT');
    return [id, found ? ratesOf(found.hourly_rate).annual_rate_pct : null];
  });
  return { timestamp, ...Object.fromEntries(cells) };
}

/** Both answers out of the rates that count. */
class Loans {
  readonly #at: Wide;
  readonly #means: Recorder<Row>;
  readonly #exchanges: Recorder<Row>;

  constructor(at: Wide) {
    this.#at = at;
    this.#means = recorderOf(at, means, Object.values(charted));
    this.#exchanges = recorderOf(
      at,
      `${name}/usdt`,
      borrowExchanges.map(({ id }) => id),
    );
  }

  async tell(all: readonly ExchangeRate[], now: number): Promise<Failure | null> {
    const refused = refusedRates(all);
    const rates = all.filter((row) => !refused.has(row));
    const about = {
      source: [...new Set(rates.map(({ exchange }) => exchange))],
      updated_at: Math.max(...rates.map((row) => row.stated ?? row.received)),
      received_at: Math.max(...rates.map(({ received }) => received)),
    };
    return (
      (await this.#tellRates(rates, [...refused], about)) ??
      (await this.#tellMeans(rates, about, now))
    );
  }

  async #tellRates(rates: readonly ExchangeRate[], refused: readonly ExchangeRate[], about: About) {
    const point = exchangesPoint(rates, about.received_at);
    await this.#exchanges.add(point);
    const fields = {
      rates: rates.map(served),
      count: rates.length,
      refused: refused.map(({ exchange, asset }) => ({ exchange, asset })),
    };
    return this.#tell(this.#exchanges, { name, fields, point, about });
  }

  async #tellMeans(rates: readonly ExchangeRate[], about: About, now: number) {
    const assets = meansOf(rates, now);
    const point = meansPoint(assets, about.received_at);
    await this.#means.add(point);
    const fields = { symbol: 'USDT', average_annual_rate_pct: point.usdt, assets };
    return this.#tell(this.#means, { name: means, fields, point, about });
  }

  async #tell(recorder: Recorder<Row>, { point, about, ...reading }: Answer) {
    return this.#at.charts.tell({
      reading: { ...reading, ...about, live: { ...point, provisional: true } },
      every,
      rows: await recorder.rows(),
      recordedFrom: await recorder.since(),
    });
  }
}

interface About {
  source: string[];
  updated_at: number;
  received_at: number;
}

interface Answer {
  name: typeof name | typeof means;
  fields: Readonly<Record<string, unknown>>;
  point: Row;
  about: About;
}

/** The duty. */
export function borrowDuty(at: Wide): Duty {
  const rates = new Rates(at);
  const loans = new Loans(at);
  return {
    name,
    every,
    wait: (now) => remaining(at.desk, { duty: name, every }, now),
    async run(round) {
      const failure = await rates.ask(round);
      if (failure || round.signal.aborted) return failure;
      const current = await rates.current(round.now);
      await rates.keep(current, round.now);
      return loans.tell(current, round.now);
    },
  };
}
