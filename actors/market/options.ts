/** Open interest of options against that of futures: Deribit's and OKX's options, all exchanges' futures. */
import { plausible, rules } from '../../indicators/market/plausible.ts';
import { interestByAsset, optionsRatio, optionsSignalOf } from '../../indicators/market/ratios.ts';
import type { OptionInterest } from '../../indicators/market/rows.ts';
import type { Failure } from '../failure.ts';
import { optional, required } from '../read.ts';
import { firstOf } from '../sources/first-of.ts';
import type { Job, Round } from '../sources/job.ts';
import { venuesWith } from '../venues/registry.ts';
import { hour, type Market, minute, missingInput, settled } from './context.ts';
import { LastAccepted } from './last-accepted.ts';
import { type RecordedRow, Recorder } from './records.ts';
import type { Tickers } from './tickers.ts';

const name = 'options-futures-oi-ratio';
const every = minute;
/** Time for which the last answer of an exchange is used while it fails, ms. */
const maxAge = 10 * minute;

const assets = ['BTC', 'ETH', 'SOL'];
/** Most times that the price at which options are valued may be off the live one: forwards differ little. */
const sameAsset = { above: 0, factor: 2 };

const exchanges = venuesWith('options');

interface Row extends RecordedRow {
  ratio: number | null;
  options_oi_usd: number | null;
  futures_oi_usd: number | null;
}

/** Open interest of one exchange's options by asset, US dollars. */
interface ExchangeSums {
  sums: ReadonlyMap<string, number>;
  received: number;
}

/** The reason to reject the options' value, or null: value over amount must be near the live price of the asset. */
function valueDoubt(rows: readonly OptionInterest[], tickers: Tickers, now: number): string | null {
  for (const symbol of assets) {
    const live = tickers.price(symbol, now)?.price ?? null;
    const own = rows.filter(({ asset }) => asset === symbol);
    const amount = own.reduce((sum, row) => sum + row.open_interest, 0);
    const value = own.reduce((sum, row) => sum + row.open_interest_usd, 0);
    if (amount > 0 && live !== null && plausible(value / amount, live, sameAsset)) {
      return `${symbol}: no possible price`;
    }
  }
  return null;
}

/** The options of each exchange, each by itself. */
class Options {
  readonly #at: Market;
  readonly #sums = new Map<string, ExchangeSums>();
  readonly #totals = new LastAccepted(rules.turnover);

  constructor(at: Market) {
    this.#at = at;
  }

  /** Asks all exchanges; the failure of the last one when none answered. */
  async ask({ now, signal }: Round): Promise<Failure | null> {
    const own = exchanges.filter(({ id }) => this.#at.venues.has(id));
    const failures = await Promise.all(
      own.map(async ({ id, poll }) => {
        const { tickers, context } = this.#at;
        const doubt = (rows: readonly OptionInterest[]) =>
          valueDoubt(rows, tickers, now) ?? this.#doubt(id, rows, now);
        const candidate = { upstream: id, poll, doubt };
        const found = await firstOf(context, name, [candidate], { signal });
        if (!found.ok) return found.failure;
        const { rows, received } = found.value;
        this.#sums.set(id, { sums: interestByAsset(rows), received });
        return null;
      }),
    );
    return failures.includes(null)
      ? null
      : (failures.at(-1) ?? missingInput('no exchange of options'));
  }

  /** The sums of each exchange that are young enough. */
  current(now: number): ReadonlyMap<string, ExchangeSums> {
    return new Map([...this.#sums].filter(([, { received }]) => now - received <= maxAge));
  }

  #doubt(id: string, rows: readonly OptionInterest[], now: number): string | null {
    const total = rows.reduce((sum, row) => sum + row.open_interest_usd, 0);
    if (total === 0) return 'none is open';
    return this.#totals.accepts(id, total, now) ? null : 'no possible sum';
  }
}

/**
 * The futures of an asset, without exchanges whose sum jumped. Sums of different numbers of markets are not compared:
 * of an exchange that is polled market by market only a few markets are known at first.
 */
function futuresOf(lastAccepted: LastAccepted, { tickers }: Market, symbol: string, now: number) {
  return new Map(
    [...tickers.openInterest(symbol, now)].flatMap(([exchange, { value, markets }]) =>
      lastAccepted.accepts(`${exchange}/${symbol}/${markets}`, value, now)
        ? [[exchange, value]]
        : [],
    ),
  );
}

/** Options to futures of each asset. */
const ratiosOf = (
  byExchange: ReadonlyMap<string, ExchangeSums>,
  futures: (symbol: string) => ReadonlyMap<string, number>,
) =>
  assets.map((symbol) => {
    const sums = [...byExchange].map(([id, each]) => [id, each.sums.get(symbol)] as const);
    const options = new Map(
      sums.flatMap(([id, sum]): [string, number][] => (sum === undefined ? [] : [[id, sum]])),
    );
    return optionsRatio({ symbol, options, futures: futures(symbol) });
  });

const recorderOf = (context: Market['context']) =>
  new Recorder<Row>(context, {
    key: name,
    columns: ['ratio', 'options_oi_usd', 'futures_oi_usd'],
    step: hour,
    read: (row) => ({
      timestamp: required(row.timestamp),
      ratio: optional(row.ratio),
      options_oi_usd: optional(row.options_oi_usd),
      futures_oi_usd: optional(row.futures_oi_usd),
    }),
  });

/** The job. */
export function optionsJob(at: Market): Job {
  const { context, charts } = at;
  const options = new Options(at);
  const lastFutures = new LastAccepted(rules.turnover);
  const recorder = recorderOf(context);
  return {
    name,
    every,
    wait: (_now, signal) => settled(at, signal),
    async run(round) {
      const { now, signal } = round;
      const failure = await options.ask(round);
      if (signal.aborted) return null;
      const sums = options.current(now);
      const futures = (symbol: string) => futuresOf(lastFutures, at, symbol, now);
      const [bitcoin, ...others] = ratiosOf(sums, futures);
      if (sums.size === 0 || !bitcoin) return failure;
      if (bitcoin.ratio === null) return missingInput('no open interest of Bitcoin futures yet');
      const missing = exchanges.map(({ id }) => id).filter((id) => !sums.has(id));
      const received = Math.max(...[...sums.values()].map((each) => each.received));
      const { ratio, options_oi_usd, futures_oi_usd } = bitcoin;
      const point = { timestamp: received, ratio, options_oi_usd, futures_oi_usd };
      // A sum without one of the exchanges is no point of the series.
      if (missing.length === 0) await recorder.add(point);
      return charts.tell({
        reading: {
          name,
          fields: {
            symbol: bitcoin.symbol,
            ratio,
            options_oi_usd,
            futures_oi_usd,
            by_asset: [bitcoin, ...others],
            signal: optionsSignalOf(bitcoin.ratio),
            missing_options_exchanges: missing,
          },
          source: [...sums.keys()],
          updated_at: received,
          received_at: received,
          live: missing.length === 0 ? { ...point, provisional: true } : null,
        },
        every,
        rows: await recorder.rows(),
        recordedFrom: await recorder.since(),
      });
    },
  };
}
