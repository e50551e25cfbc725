/** The leading markets of tracked assets, and how exchanges are asked about many of them within their budgets. */
import { minute } from '../../config/time.ts';
import type { Failure } from '../failure.ts';
import { type Clock, sleep } from '../kernel/clock.ts';
import type { MarketState } from '../state/market-state.ts';
import type { PriceRow } from '../topics/market-rows.ts';
import type { Job, Round } from './job.ts';

/** One market that is asked about. */
export interface LeadingMarket {
  kind: PriceRow['kind'];
  symbol: string;
  market: string;
}

/** The exchanges of an asset that are asked: those with the largest turnover. */
const mostExchanges = 10;
/** Between two questions to one exchange, ms: clients ask within the same budget. A round takes its time at most. */
const pace = { each: 1_500, round: 45_000 };
/** An exchange that has failed so often in a round is asked again in the next one. */
const mostFailures = 3;

export interface LeadingOptions {
  /** Instruments and prices of all exchanges. */
  market: Pick<MarketState, 'tracked' | 'markets'>;
  /** Ids of the exchanges that can be asked. */
  exchanges: readonly string[];
  /** How many assets are tracked. */
  assets: number;
  kinds: readonly PriceRow['kind'][];
}

/** The markets of each exchange: the most traded dollar market of each kind and tracked asset. `now` is Unix ms. */
export function leadingMarkets(
  { market, exchanges, assets, kinds }: LeadingOptions,
  now: number,
): Map<string, LeadingMarket[]> {
  const found = new Map<string, LeadingMarket[]>();
  for (const symbol of market.tracked(now).slice(0, assets)) {
    for (const kind of kinds) {
      const leading = exchanges
        .flatMap((exchange) => {
          const [first] = market.markets(exchange, kind, symbol);
          return first ? [{ exchange, ...first }] : [];
        })
        .sort((a, b) => b.turnover - a.turnover);
      for (const { exchange, market: id } of leading.slice(0, mostExchanges)) {
        const own = found.get(exchange) ?? [];
        found.set(exchange, own);
        own.push({ kind, symbol, market: id });
      }
    }
  }
  return found;
}

/** The outcome of a round. */
export interface RoundOutcome {
  /** Markets that are known, whether or not each was due. */
  asked: number;
  /** Why there is no answer at all; null where there is any, or none was asked for. */
  failure: Failure | null;
}

export interface RoundOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Least time between two questions to one exchange, ms; 1,500 when absent. */
  pace?: number;
  /** Asks about one market; the failure that prevented it, or null. */
  ask(exchange: string, market: LeadingMarket): Promise<Failure | null>;
  /** Called when all markets of an exchange have been asked for. */
  done?(exchange: string, markets: readonly LeadingMarket[], began: number): Promise<void>;
}

/** Asks one exchange for one market after another. */
async function askExchange(
  exchange: string,
  markets: readonly LeadingMarket[],
  { clock, signal, pace: each = pace.each, ask, done }: RoundOptions,
) {
  const began = clock.now();
  const failures: Failure[] = [];
  let taken = 0;
  const between = Math.min(each, pace.round / markets.length);
  for (const market of markets) {
    if (market !== markets[0]) await sleep(clock, between);
    const failure = await ask(exchange, market);
    if (signal.aborted) return { taken, failure };
    if (failure === null) taken += 1;
    else if (failures.push(failure) >= mostFailures) break;
  }
  await done?.(exchange, markets, began);
  return { taken, failure: failures[0] ?? null };
}

/** Asks all exchanges at the same time, each for one market after another. */
export async function askRound(
  markets: ReadonlyMap<string, readonly LeadingMarket[]>,
  options: RoundOptions,
): Promise<RoundOutcome> {
  const outcomes = await Promise.all(
    [...markets].map(([exchange, own]) => askExchange(exchange, own, options)),
  );
  const failures = outcomes.flatMap(({ failure }) => (failure ? [failure] : []));
  const isNone = failures.length > 0 && outcomes.every(({ taken }) => taken === 0);
  return {
    asked: [...markets.values()].reduce((sum, own) => sum + own.length, 0),
    failure: isNone ? (failures[0] ?? null) : null,
  };
}

/**
 * Until the next look while no market is known to be asked about, ms, and until the next round where the markets were more by a tenth
 * than in the one before: after a first start the exchanges become known one by one.
 */
const pauses = { none: 3_000, growing: minute };

/** A job of rounds: the first run does nothing, since a process is ready once each job has run and a round takes many seconds. */
export function roundsJob({
  round,
  ...job
}: Pick<Job, 'name' | 'every' | 'wait'> & { round(at: Round): Promise<RoundOutcome> }): Job {
  let hasBegun = false;
  let [asked, before] = [0, 0];
  return {
    ...job,
    async run(at) {
      if (!hasBegun) {
        hasBegun = true;
        return null;
      }
      const outcome = await round(at);
      [before, asked] = [asked, outcome.asked];
      return outcome.failure;
    },
    pause() {
      if (asked === 0) return pauses.none;
      return asked > before * 1.1 ? Math.min(pauses.growing, job.every) : job.every;
    },
  };
}
