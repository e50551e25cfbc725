/** Answers for portfolios of wallets, one client's question at a time (specification 4.2). */
import { type ChainId, chainIds, chains, isChainId, isEvmChainId } from '../../config/chains.ts';
import { addressForm, isAddressOf } from '../chains/address.ts';
import type { ChainReader } from '../chains/reader.ts';
import { type Failure, failed, type Result, success } from '../failure.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import { positive } from '../read.ts';
import type { Log } from '../upstream/client.ts';
import { ReplyCache } from './cache.ts';
import { discover, type Indexes, type Wallet } from './discovery.ts';
import { nativeBalance } from './native.ts';
import { emptyPortfolio, portfolioOf } from './portfolio.ts';
import { quote } from './quotes.ts';
import { Source } from './source.ts';
import type { WalletReply, WalletRequest } from './types.ts';
import { blockscout } from './upstreams/blockscout.ts';
import { dexscreenerPrices } from './upstreams/dexscreener-prices.ts';
import { llamaCoins } from './upstreams/llama-coins.ts';
import { moralis } from './upstreams/moralis.ts';

export interface WalletsOptions {
  readers: ReadonlyMap<ChainId, Pick<ChainReader, 'ask'>>;
  /** Base URL that every request goes through, or null. */
  gateway: string | null;
  clock: Clock;
  log?: Log;
  /** Uniform in [0, 1). */
  random?: () => number;
  /** Of Blockscout's host for all chains; null uses the instances alone. */
  blockscoutKey: string | null;
  /** Of Moralis; null leaves bsc and avalanche with their native coins. */
  moralisKey: string | null;
  /** A token whose pools are shallower, US dollars, has no price. */
  leastLiquidity: number;
  /** Most different wallets under way. */
  atOnce: number;
  /** The service's own price of a native coin by symbol, US dollars; null without one. */
  nativePrice(symbol: string): number | null;
}

export interface Wallets {
  /**
   * The portfolio, by `deadline` (Unix ms), after 20 s at most. Fails with `over_budget` alone: too many other wallets
   * are under way. Every other failure is an empty portfolio with its reason in `message`.
   */
  answer(request: WalletRequest, limits: { deadline: number }): Promise<Result<WalletReply>>;
  /** Ends all that is under way and closes every connection of its own. The readers are the caller's. */
  close(): Promise<void>;
}

/** Times in ms: the whole, how long answers are kept, and how long those that failed are. */
const wholeTime = 20_000;
const goodLife = 30_000;
const badLife = 2_000;
/** Shares of the time: to find what there is, and to have all prices, so that the answer is sent in time. */
const discoveryShare = 0.6;
const priceShare = 0.975;
/** A refused client comes again after this, ms. */
const retryAfter = 1_000;
const tooLate = 'no answer before the deadline';

/** What went wrong in a step, in words for the client; hosts and addresses are for the log. */
interface Trouble {
  step: string;
  failure: Failure;
}

/** Throws TypeError for a key that cannot be sent as a header. */
export function createWallets(options: WalletsOptions): Wallets {
  return new WalletService(options);
}

class WalletService implements Wallets {
  readonly #options: WalletsOptions;
  readonly #blockscout: Source;
  readonly #moralis: Source | null;
  readonly #dexscreener: Source;
  readonly #llama: Source;
  readonly #cache: ReplyCache;
  readonly #flights = new Map<string, Promise<WalletReply>>();
  readonly #abort = new AbortController();

  constructor(options: WalletsOptions) {
    const { blockscoutKey, moralisKey } = options;
    const around = { ...options, signal: this.#abort.signal };
    this.#options = options;
    this.#blockscout = new Source(blockscout(blockscoutKey), around);
    this.#moralis = moralisKey === null ? null : new Source(moralis(moralisKey), around);
    this.#dexscreener = new Source(dexscreenerPrices, around);
    this.#llama = new Source(llamaCoins, around);
    this.#cache = new ReplyCache(options.clock);
  }

  async answer(
    request: WalletRequest,
    { deadline }: { deadline: number },
  ): Promise<Result<WalletReply>> {
    const { address, chain } = request;
    if (!isChainId(chain)) {
      return success(this.#refusal(request, `chain must be one of ${chainIds.join(', ')}`));
    }
    if (!isAddressOf(chain, address)) {
      const rule = `address must be, on ${chain}, ${addressForm(chain)}`;
      return success(this.#refusal(request, rule));
    }
    const { clock, atOnce } = this.#options;
    const own = isEvmChainId(chain) ? address.toLowerCase() : address;
    const key = `${chain} ${own}`;
    const kept = this.#cache.get(key);
    if (kept) return success(addressed(kept, request));
    const time = Math.min(wholeTime, deadline - clock.now());
    if (!(time > 0)) return success(this.#refusal(request, tooLate));
    const running = this.#flights.get(key);
    if (!running && this.#flights.size >= atOnce) {
      return failed('over_budget', 'too many wallets are under way', { retryAfter });
    }
    const flight = running ?? this.#launch(key, { chain, address: own }, time);
    const reply = await within(clock, time, flight);
    if (reply === late) return success(this.#refusal(request, tooLate));
    return success(addressed(reply, request));
  }

  async close(): Promise<void> {
    this.#abort.abort();
    const sources = [this.#blockscout, this.#moralis, this.#dexscreener, this.#llama];
    await Promise.all(sources.map((source) => source?.close()));
    await Promise.all(this.#flights.values());
  }

  /** One look at one wallet, shared by all who ask for it meanwhile. Never rejects. */
  #launch(key: string, wallet: Omit<Wallet, 'until'>, time: number): Promise<WalletReply> {
    const flight = this.#look(wallet, time)
      .catch((error: unknown) => this.#bug(wallet, error))
      .then((reply) => {
        this.#cache.set(key, reply, reply.message === null ? goodLife : badLife);
        return reply;
      })
      .finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  async #look(wallet: Omit<Wallet, 'until'>, time: number): Promise<WalletReply> {
    const { clock, leastLiquidity: floor } = this.#options;
    const start = clock.now();
    const found = await this.#contents({ ...wallet, until: start + discoveryShare * time });
    if ('step' in found) return this.#failed(wallet, found);
    const { native, holdings, notes } = found;
    const { chain } = wallet;
    const quotes = await quote(
      { dexscreener: this.#dexscreener, llama: this.#llama },
      {
        chain,
        contracts: holdings.map(({ contract }) => contract),
        floor,
        until: start + priceShare * time,
      },
    );
    const ownNative = this.#ownNative(chain);
    const { portfolio, notes: doubts } = portfolioOf(
      wallet,
      { chain, native, holdings },
      { quotes, floor, ownNative },
    );
    const missing = [...notes, ...quotes.notes, ...doubts];
    return {
      portfolio,
      message: null,
      partial: missing.length === 0 ? null : missing.join('; '),
      received: clock.now(),
    };
  }

  /** What the wallet holds, native coin and tokens at the same time. */
  async #contents(wallet: Wallet) {
    const { readers, clock } = this.#options;
    const { chain, address, until } = wallet;
    const reader = readers.get(chain);
    if (!reader) return trouble('native balance', failed('unavailable', 'no reader of the chain'));
    const signal = this.#abort.signal;
    const [native, found] = await Promise.all([
      reader.ask({ deadline: until - clock.now(), signal }, (attempt) =>
        nativeBalance(attempt, chain, address),
      ),
      discover(this.#indexes(reader), wallet),
    ]);
    if (!native.ok) return trouble('native balance', native);
    if (!found.ok) return trouble('token discovery', found);
    return { native: native.value, ...found.value };
  }

  #indexes(reader: Pick<ChainReader, 'ask'>): Indexes {
    const { blockscoutKey, clock } = this.#options;
    return {
      blockscout: this.#blockscout,
      blockscoutKey,
      moralis: this.#moralis,
      reader,
      clock,
      signal: this.#abort.signal,
    };
  }

  #ownNative(chain: ChainId): number | null {
    const found = positive(this.#options.nativePrice(chains[chain].native));
    return Number.isNaN(found) ? null : found;
  }

  #failed(wallet: WalletRequest, { step, failure: { code } }: Trouble): WalletReply {
    this.#options.log?.info({ chain: wallet.chain, step, code }, 'no portfolio');
    return this.#refusal(wallet, `${step} failed (${code})`);
  }

  #bug(wallet: WalletRequest, error: unknown): WalletReply {
    this.#options.log?.warn({ chain: wallet.chain, error }, 'a wallet could not be read');
    return this.#refusal(wallet, 'internal error');
  }

  #refusal(request: WalletRequest, message: string): WalletReply {
    const received = this.#options.clock.now();
    return { portfolio: emptyPortfolio(request), message, partial: null, received };
  }
}

const trouble = (step: string, { failure }: { failure: Failure }): Trouble => ({ step, failure });

/** The reply with the address as this client wrote it. */
const addressed = (reply: WalletReply, { address }: WalletRequest): WalletReply => ({
  ...reply,
  portfolio: { ...reply.portfolio, address },
});
