/** Open interest of options against that of futures: the chains of Deribit and OKX, all exchanges' futures. */
import { hour, minute } from '../../config/time.ts';
import { plausible, rules } from '../../indicators/market/plausible.ts';
import {
  interestByAsset,
  type OpenInterests,
  type OptionsInterest,
  optionsRatio,
  optionsSignalOf,
} from '../../indicators/market/ratios.ts';
import { failed } from '../failure.ts';
import { optional } from '../read.ts';
import type { Job } from '../sources/job.ts';
import type { IndicatorInput } from '../topics/market-indicators.ts';
import { optionVenues } from '../venues/registry.ts';
import { LastAccepted, type Market, missingInput, settled } from './context.ts';
import { ChartRecord } from './records.ts';
import type { Tickers } from './tickers.ts';

const name = 'options-futures-oi-ratio';
const every = minute;
/** Time for which the last plausible sums of an exchange are used while it fails, ms. */
const maxAge = 10 * minute;

const assets = ['BTC', 'ETH', 'SOL'];
/** Most times that the price at which options are valued may be off the live one: forwards differ little. */
const sameAsset = { above: 0, factor: 2 };

/** Open interest by asset. */
type Sums = ReadonlyMap<string, OptionsInterest>;

/** The last options of one exchange. */
interface ExchangeSums {
  sums: Sums;
  /** Unix ms. */
  received: number;
}

/** The reason to reject the options' value, or null: value over amount must be near the live price of the asset. */
function valueDoubt(sums: Sums, tickers: Tickers, now: number): string | null {
  for (const symbol of assets) {
    const live = tickers.price(symbol, now)?.price ?? null;
    const { units, value } = sums.get(symbol) ?? { units: 0, value: 0 };
    if (units > 0 && live !== null && plausible(value / units, live, sameAsset)) {
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

  /** Reads the chains of all exchanges, and shows in the status which of them can be used. */
  read(now: number): void {
    const { tickers, context } = this.#at;
    for (const { id, lists } of this.exchanges()) {
      const chains = tickers.chains(id, lists, now);
      if (chains === null) {
        context.status.failure(name, id, missingInput('a chain is missing or too old'));
        continue;
      }
      const sums = interestByAsset(...chains.map(({ rows }) => rows));
      const doubt = valueDoubt(sums, tickers, now) ?? this.#doubt(id, sums, now);
      if (doubt !== null) {
        context.status.failure(name, id, failed('shape', doubt).failure);
        continue;
      }
      const received = Math.max(...chains.map((chain) => chain.received));
      const rows = chains.reduce((count, chain) => count + chain.rows.length, 0);
      context.status.success(name, id, { asked: received, received, rows });
      this.#sums.set(id, { sums, received });
    }
  }

  /** The exchanges with options that this process has clients of. */
  exchanges() {
    return optionVenues.filter(({ id }) => this.#at.venues.has(id));
  }

  /** The sums of each exchange that are young enough. */
  current(now: number): ReadonlyMap<string, ExchangeSums> {
    return new Map([...this.#sums].filter(([, { received }]) => now - received <= maxAge));
  }

  #doubt(id: string, sums: Sums, now: number): string | null {
    const total = [...sums.values()].reduce((sum, { value }) => sum + value, 0);
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

/** Open interest of each asset by exchange. */
const interestsOf = (
  byExchange: ReadonlyMap<string, ExchangeSums>,
  futures: (symbol: string) => ReadonlyMap<string, number>,
) =>
  assets.map((symbol): OpenInterests => {
    const sums = [...byExchange].map(([id, each]) => [id, each.sums.get(symbol)?.value] as const);
    const options = new Map(
      sums.flatMap(([id, sum]): [string, number][] => (sum === undefined ? [] : [[id, sum]])),
    );
    return { symbol, options, futures: futures(symbol) };
  });

/** The same as inputs of the ratios. */
const inputsOf = ({ symbol: of, options, futures }: OpenInterests): IndicatorInput[] => [
  ...[...options].map(([name, value]) => ({ of, name, value, side: 'above' as const })),
  ...[...futures].map(([name, value]) => ({ of, name, value, side: 'below' as const })),
];

/** The job. */
export function optionsJob(at: Market): Job {
  const { charts } = at;
  const options = new Options(at);
  const lastFutures = new LastAccepted(rules.turnover);
  const columns = { ratio: optional, options_oi_usd: optional, futures_oi_usd: optional };
  const recorder = new ChartRecord(at, { key: name, columns, step: hour });
  return {
    name,
    every,
    wait: (_now, signal) => settled(at, signal),
    async run({ now }) {
      options.read(now);
      const sums = options.current(now);
      const futures = (symbol: string) => futuresOf(lastFutures, at, symbol, now);
      const interests = interestsOf(sums, futures);
      const [bitcoin, ...others] = interests.map(optionsRatio);
      if (sums.size === 0 || !bitcoin) return missingInput('no exchange of options');
      if (bitcoin.ratio === null) return missingInput('no open interest of Bitcoin futures yet');
      const missing = options
        .exchanges()
        .map(({ id }) => id)
        .filter((id) => !sums.has(id));
      const received = Math.max(...[...sums.values()].map((each) => each.received));
      const { ratio, options_oi_usd, futures_oi_usd } = bitcoin;
      const point = { timestamp: received, ratio, options_oi_usd, futures_oi_usd };
      // A sum without one of the exchanges is not a point of the series.
      if (missing.length === 0) await recorder.add(point);
      return charts.publish({
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
          inputs: interests.flatMap(inputsOf),
        },
        every,
        ...(await recorder.chart()),
      });
    },
  };
}
