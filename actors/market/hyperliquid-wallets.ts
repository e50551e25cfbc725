/**
 * The source `hyperliquid-wallets`: finds wallets in the leaderboard and in the trades of the largest markets, asks for their positions in
 * turn, and keeps what they have opened and closed. It may use a stated share of the request weight; questions of clients have the rest.
 * It publishes what it knows, so that the next holder of the job goes on with it.
 */
import { hour, minute } from '../../config/time.ts';
import { changesBetween, coveredBy } from '../../indicators/derivatives/wallet-positions.ts';
import type { Answer } from '../bus/respond.ts';
import { type Failure, failed, success } from '../failure.ts';
import type { JobContext, JobSource } from '../sources/context.ts';
import type { Job } from '../sources/job.ts';
import type { MarketState } from '../state/market-state.ts';
import type {
  PositionEvent,
  TrackedWallet,
  WalletCoverage,
  WalletPosition,
} from '../topics/hyperliquid-wallets.ts';
import { info } from '../venues/hyperliquid/markets.ts';
import {
  balancesOf,
  type Contracts,
  fillsOf,
  leaderboard,
  leadersIn,
  marginOf,
  ordersOf,
  positionsOf,
  stateOf,
  tradersIn,
} from '../venues/hyperliquid/wallets.ts';
import { FoundWallets } from './found-wallets.ts';
import { perpetualsIn } from './hyperliquid-perpetuals.ts';

const venue = 'hyperliquid';

/** Requests of a round: together with those for trades they take a third of the weight of a minute (1,200). It publishes what it knows every `keepEvery` ms. */
const rounds = { every: 10_000, states: 25, tradesEvery: 15_000, keepEvery: 2 * minute };
const weightShare = (25 * 2 * 6 + 25 * 4) / 1200;

/** Wallets that are remembered, and those of them whose positions are asked for: the ones with the largest worth. */
const most = { found: 5_000, tracked: 1_000, events: 1_000 };
/** Positions of less value open and close without an event, US dollars. */
const leastEvent = 100_000;
/** A wallet that could not be asked for so long is not known any more, ms. */
const maxAge = 20 * minute;
/** Markets whose trades are asked for in turn. */
const tradedMarkets = 40;

const heldBy = (wallets: readonly TrackedWallet[]): WalletPosition[] =>
  wallets.flatMap(({ positions }) => positions);

class Wallets {
  readonly #market: Pick<MarketState, 'bySource'>;
  readonly #found = new FoundWallets(most.found);
  readonly #tracked = new Map<string, TrackedWallet>();
  #events: PositionEvent[] = [];
  #context: JobContext | null = null;
  #since = 0;
  #nextMarket = 0;
  /** Whether what was published last is known, or its place was taken. */
  #hasAdopted = false;

  constructor(market: Pick<MarketState, 'bySource'>) {
    this.#market = market;
  }

  jobs(context: JobContext): Job[] {
    this.#context = context;
    this.#since ||= context.clock.now();
    const send = context.client(venue);
    this.#hasAdopted = false;
    return [
      {
        name: 'leaderboard',
        every: hour,
        run: async ({ signal }) => {
          this.#found.fade();
          const reply = await send.send(leaderboard, { deadline: minute, signal });
          return reply.ok
            ? this.#read(() => this.#found.leads(leadersIn(reply.value.body)))
            : reply.failure;
        },
      },
      { name: 'trades', every: rounds.tradesEvery, run: ({ signal }) => this.#askTrades(signal) },
      { name: 'positions', every: rounds.every, run: ({ signal }) => this.#askStates(signal) },
      { name: 'keep', every: rounds.keepEvery, run: () => this.#keep(context) },
    ];
  }

  /** Goes on with what was published last, by another process or before a restart; while Redis does not answer, the next round tries again. */
  async #adopt({ last, clock }: JobContext): Promise<void> {
    const kept = this.#hasAdopted ? undefined : await last('walletTracking', venue);
    if (kept === undefined) return;
    this.#hasAdopted = true;
    if (clock.now() - kept.at < maxAge) this.#since = kept.since;
    this.#found.adopt(kept.found);
    for (const one of kept.tracked) {
      const key = `${one.address} ${one.dex}`;
      if (one.at > (this.#tracked.get(key)?.at ?? 0)) this.#tracked.set(key, { ...one });
    }
    const isNewer = (kept.events[0]?.timestamp ?? 0) > (this.#events[0]?.timestamp ?? 0);
    if (isNewer) this.#events = [...kept.events];
  }

  async #keep(context: JobContext): Promise<Failure | null> {
    await this.#adopt(context);
    const tracked = [...this.#tracked.values()].filter(({ at }) => at > 0);
    if (tracked.length === 0) return null;
    const found = this.#found.largest(most.tracked);
    const own = { at: context.clock.now(), since: this.#since, events: this.#events };
    const failure = await context.publish('walletTracking', venue, { ...own, found, tracked });
    this.#hasAdopted ||= failure === null;
    return failure;
  }

  /** Positions of an asset, or of all, with how much of the open interest they are. */
  readonly positions: Answer<'walletPositions'> = async ({ symbol, most: rows }) => {
    const isWanted = (one: { symbol: string }) => symbol === undefined || one.symbol === symbol;
    const known = this.#known();
    if (known.length === 0) {
      const retry = { retryAfter: rounds.every };
      return this.#newest() === 0
        ? failed('not_ready', 'no wallet has been asked yet', retry)
        : failed('unavailable', 'no wallet has answered for long', retry);
    }
    const all = heldBy(known).filter(isWanted);
    const positions = all.toSorted((a, b) => b.value_usd - a.value_usd).slice(0, rows);
    return this.#reply({ coverage: this.#coverage(known, isWanted), positions });
  };

  readonly events: Answer<'positionEvents'> = async () => {
    const coverage = this.#coverage(this.#known(), () => true);
    return this.#reply({ coverage, least_usd: leastEvent, events: this.#events });
  };

  /** All of one address, asked for now. */
  readonly wallet: Answer<'hyperliquidWallet'> = async (params, { account }) => {
    const context = this.#context;
    if (context === null) return failed('not_ready', 'the source has not begun');
    const query = { source: venue, name: 'hyperliquidAccount', params } as const;
    const reply = await context.query(query, { account });
    if (!reply.ok) return reply;
    const { value, received } = reply.value;
    const contracts = perpetualsIn(this.#market);
    const positions = positionsOf(value.state, { address: params.address, contracts, received });
    const margin = marginOf(value.state, value.mode);
    const orders = ordersOf(value.orders, contracts);
    const fills = fillsOf(value.fills, contracts);
    const found = { ...margin, positions, orders, fills, spot: balancesOf(value.spot) };
    return success({ ...reply.value, value: found });
  };

  #reply<T>(value: T) {
    const received = this.#newest() || this.#since;
    return success({ value, received, until: (this.#context?.clock.now() ?? 0) + 2_000 });
  }

  /** When a wallet was asked last, Unix ms. */
  #newest(): number {
    return [...this.#tracked.values()].reduce((newest, { at }) => Math.max(newest, at), 0);
  }

  /** The wallets that have answered lately. */
  #known(): TrackedWallet[] {
    const since = (this.#context?.clock.now() ?? 0) - maxAge;
    return [...this.#tracked.values()].filter(({ at }) => at >= since);
  }

  #coverage(
    known: readonly TrackedWallet[],
    isWanted: (one: { symbol: string }) => boolean,
  ): WalletCoverage {
    const interest = new Map(
      [...perpetualsIn(this.#market)].filter(([, market]) => isWanted(market)),
    );
    const { long, short } = coveredBy(heldBy(known), interest);
    return {
      tracked_wallets: new Set(known.map(({ address }) => address)).size,
      found_wallets: this.#found.size,
      long_share: long,
      short_share: short,
      open_interest_share: long === null || short === null ? null : (long + short) / 2,
      weight_share: weightShare,
      since: this.#since,
    };
  }

  /** A body of another shape is a failure and no bug. */
  #read(read: () => void): Failure | null {
    try {
      read();
      return null;
    } catch (error) {
      return failed('shape', error instanceof Error ? error.message : 'another shape').failure;
    }
  }

  /** Asks for the trades of one market, of the largest ones in turn. */
  async #askTrades(signal: AbortSignal): Promise<Failure | null> {
    const ranked = [...perpetualsIn(this.#market)].sort(
      ([, a], [, b]) => b.units * b.price - a.units * a.price,
    );
    const [coin] = ranked[this.#nextMarket % Math.min(ranked.length, tradedMarkets)] ?? [];
    if (coin === undefined) return null;
    this.#nextMarket += 1;
    const request = info({ type: 'recentTrades', coin }, 25);
    const reply = await this.#context?.client(venue).send(request, { deadline: 10_000, signal });
    if (!reply?.ok) return reply?.failure ?? null;
    const at = coin.indexOf(':');
    const dex = coin.slice(0, Math.max(0, at));
    return this.#read(() => this.#found.traded(tradersIn(reply.value.body), dex));
  }

  /** The wallets whose turn it is: new ones first, then those that were asked longest ago. */
  #due(): TrackedWallet[] {
    const largest = this.#found.largest(most.tracked);
    const wanted = new Map<string, TrackedWallet>(
      largest.flatMap(({ address, dexes }) =>
        dexes.map((dex) => [`${address} ${dex}`, { address, dex, at: 0, positions: [] }] as const),
      ),
    );
    for (const key of this.#tracked.keys()) if (!wanted.has(key)) this.#tracked.delete(key);
    for (const [key, one] of wanted) if (!this.#tracked.has(key)) this.#tracked.set(key, one);
    return [...this.#tracked.values()].sort((a, b) => a.at - b.at).slice(0, rounds.states);
  }

  async #askStates(signal: AbortSignal): Promise<Failure | null> {
    if (this.#context) await this.#adopt(this.#context);
    const contracts: Contracts = perpetualsIn(this.#market);
    if (contracts.size === 0) return null;
    const failures = await Promise.all(
      this.#due().map(async (wallet): Promise<Failure | null> => {
        const request = stateOf(wallet.address, wallet.dex);
        const reply = await this.#context?.client(venue).send(request, { deadline: 8_000, signal });
        if (!reply?.ok) return reply?.failure ?? null;
        const { body, received } = reply.value;
        return this.#read(() => {
          const about = { address: wallet.address, contracts, received };
          this.#take(wallet, positionsOf(body, about), received);
        });
      }),
    );
    return failures.every((failure) => failure !== null) ? (failures[0] ?? null) : null;
  }

  /** Takes the positions of a wallet; what was opened and closed since the look before is an event. */
  #take(wallet: TrackedWallet, positions: readonly WalletPosition[], at: number): void {
    if (wallet.at > 0) {
      const { opened, closed } = changesBetween(wallet.positions, positions, leastEvent);
      const seen = { seen_after: wallet.at, timestamp: at };
      const eventOf =
        (action: PositionEvent['action']) =>
        ({ updated_at: _, ...one }: WalletPosition): PositionEvent => ({ action, ...one, ...seen });
      const events = [...closed.map(eventOf('close')), ...opened.map(eventOf('open'))];
      this.#events = [...events, ...this.#events].slice(0, most.events);
      // An entry that was not published is not published again: who asks gets it all the same.
      if (events.length > 0) void this.#context?.publish('positionEvents', venue, { at, events });
    }
    Object.assign(wallet, { at, positions });
    const own = [...this.#tracked.values()].filter(({ address }) => address === wallet.address);
    this.#found.holds(
      wallet.address,
      heldBy(own).reduce((sum, one) => sum + one.value_usd, 0),
    );
  }
}

/** The source; `market` has the instruments and the open interest of the exchange. */
export function walletSource(market: Pick<MarketState, 'bySource'>): JobSource {
  const wallets = new Wallets(market);
  return {
    id: 'hyperliquid-wallets',
    jobs: (context) => wallets.jobs(context),
    answers: {
      walletPositions: wallets.positions,
      positionEvents: wallets.events,
      hyperliquidWallet: wallets.wallet,
    },
  };
}
