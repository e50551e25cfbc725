/** Borrow rates: each exchange by itself, and their means. */
import { hour, minute } from '../../config/time.ts';
import {
  averageRate,
  type ExchangeRate,
  freshness,
  ratesOf,
  refusedRates,
} from '../../indicators/market/borrow.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import { type BorrowRow, borrowAssets } from '../../indicators/market/rows.ts';
import type { Failure } from '../failure.ts';
import { optional, positive, required, text } from '../read.ts';
import type { Poll } from '../sources/define.ts';
import type { Job, Round } from '../sources/job.ts';
import { firstOf } from '../sources/polling/ask.ts';
import { lenders } from '../venues/registry.ts';
import { type Market, missingInput, remaining } from './context.ts';
import { ChartRecord } from './records.ts';
import { type Form, inRedis, StoredSeries } from './stored-series.ts';

const name = 'borrow-rates';
const means = 'borrow-interest-rate';
const every = 10 * minute;

/** Rates that no loan has count as unreadable: a source with many of them is refused whole. */
const plausibleRates = (poll: Poll<BorrowRow>): Poll<BorrowRow> => ({
  requests: (plan) => poll.requests(plan),
  parse(bodies, context) {
    const { rows, dropped } = poll.parse(bodies, context);
    const isPlausible = (row: BorrowRow) =>
      plausible(row.hourly_rate, null, rules.borrowRate) === null;
    const bad = rows.filter((row) => !isPlausible(row));
    const named = bad.map(({ asset }) => ({ key: asset, code: 'bad_row' as const }));
    return { rows: rows.filter(isPlausible), dropped: [...dropped, ...named] };
  },
});

const form: Form<ExchangeRate> = {
  key: name,
  columns: ['exchange', 'asset', 'hourly_rate', 'borrow_limit', 'stated', 'received'],
  read: (row) => ({
    exchange: text(row.exchange),
    asset: text(row.asset),
    hourly_rate: required(row.hourly_rate),
    borrow_limit: optional(row.borrow_limit),
    stated: optional(row.stated),
    received: positive(row.received),
  }),
};

/** The rates of all exchanges that answer, by exchange; the failure of the last one when none does. */
async function asked({ context, venues }: Market, { signal }: Round) {
  const found = new Map<string, ExchangeRate[]>();
  const ask = async ({ id, poll }: (typeof lenders)[number]) => {
    const doubt = (rows: readonly BorrowRow[]) => (rows.length === 0 ? 'no rates' : null);
    const candidate = { upstream: id, poll: plausibleRates(poll), doubt };
    const answer = await firstOf(context, name, [candidate], { signal });
    if (!answer.ok) return answer.failure;
    const { rows, received } = answer.value;
    found.set(
      id,
      rows.map((row) => ({ ...row, exchange: id, received })),
    );
    return null;
  };
  const failures = await Promise.all(lenders.filter(({ id }) => venues.has(id)).map(ask));
  const none = () => failures.at(-1) ?? missingInput('no exchange that lends');
  return { found, failure: found.size > 0 ? null : none() };
}

const served = (row: ExchangeRate) => ({
  exchange: row.exchange,
  asset: row.asset,
  ...ratesOf(row.hourly_rate),
  borrow_limit: row.borrow_limit,
  updated_at: row.stated ?? row.received,
});

/** The columns of the charts, annual rates in percent: means by asset, and rates of USDT by exchange. */
const meanColumns = { usdt: optional, usdc: optional, btc: optional, eth: optional };
const exchangeColumns: Readonly<Record<string, typeof optional>> = Object.fromEntries(
  lenders.map(({ id }) => [id, optional]),
);

/** The mean of each asset that an exchange lends. */
const meansOf = (rates: readonly ExchangeRate[], now: number) =>
  borrowAssets.flatMap((asset) => averageRate(asset, rates, now) ?? []);

function meansPoint(averages: ReturnType<typeof meansOf>, timestamp: number) {
  const rateOf = (asset: string) =>
    averages.find((row) => row.asset === asset)?.average_annual_rate_pct ?? null;
  return {
    timestamp,
    usdt: rateOf('USDT'),
    usdc: rateOf('USDC'),
    btc: rateOf('BTC'),
    eth: rateOf('ETH'),
  };
}

/** The rate of each exchange for USDT. */
function exchangesPoint(rates: readonly ExchangeRate[], timestamp: number) {
  const cells = lenders.map(({ id }): [string, number | null] => {
    const found = rates.find((row) => row.exchange === id && row.asset === 'USDT');
    return [id, found ? ratesOf(found.hourly_rate).annual_rate_pct : null];
  });
  return { timestamp, ...Object.fromEntries(cells) };
}

/** Both answers out of the rates that count. */
class Loans {
  readonly #at: Market;
  readonly #means: ChartRecord<typeof meanColumns>;
  readonly #exchanges: ChartRecord<typeof exchangeColumns>;

  constructor(at: Market) {
    this.#at = at;
    this.#means = new ChartRecord(at, { key: means, columns: meanColumns, step: hour });
    this.#exchanges = new ChartRecord(at, {
      key: `${name}/usdt`,
      columns: exchangeColumns,
      step: hour,
    });
  }

  async publish(all: readonly ExchangeRate[], now: number): Promise<Failure | null> {
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
    return this.#at.charts.publish({
      reading: { name, fields, ...about, live: { ...point, provisional: true } },
      every,
      ...(await this.#exchanges.chart()),
    });
  }

  async #tellMeans(rates: readonly ExchangeRate[], about: About, now: number) {
    const assets = meansOf(rates, now);
    const point = meansPoint(assets, about.received_at);
    await this.#means.add(point);
    const fields = { symbol: 'USDT' as const, average_annual_rate_pct: point.usdt, assets };
    const inputs = rates.map(({ asset, exchange, hourly_rate }) => {
      return { of: asset, name: exchange, value: ratesOf(hourly_rate).annual_rate_pct };
    });
    return this.#at.charts.publish({
      reading: { name: means, fields, ...about, live: { ...point, provisional: true }, inputs },
      every,
      ...(await this.#means.chart()),
    });
  }
}

interface About {
  source: string[];
  updated_at: number;
  received_at: number;
}

/** The job. The last rates of each exchange count, over restarts too, until they are two hours old. */
export function borrowJob(at: Market): Job {
  const stored = new StoredSeries(inRedis(at.context, form));
  const loans = new Loans(at);
  return {
    name,
    every,
    wait: (now) => remaining(at.context, { job: name, every }, now),
    async run(round) {
      await stored.settle();
      const { found, failure } = await asked(at, round);
      if (failure || round.signal.aborted) return failure;
      const before = Map.groupBy(stored.rows, ({ exchange }) => exchange);
      const current = lenders
        .flatMap(({ id }) => found.get(id) ?? before.get(id) ?? [])
        .filter(({ received }) => round.now - received <= freshness);
      await stored.save(current, round.now);
      return loans.publish(current, round.now);
    },
  };
}
