/** Answers for portfolios of wallets, one client's question at a time (specification 4.2). */
import { type ChainId, chainIds, chains, isChainId, isEvmChainId } from '../../config/chains.ts';
import { addressForm, isAddressOf } from '../chains/address.ts';
import type { ChainReader } from '../chains/reader.ts';
import { beyond, type Failure, failed, type Result, success } from '../failure.ts';
import { type Clock, late, within } from '../kernel/clock.ts';
import { Slots } from '../kernel/slots.ts';
import { defillama } from '../providers/defillama/index.ts';
import { dexscreener } from '../providers/dexscreener.ts';
import type { Fetched, QueryCache } from '../queries/query-cache.ts';
import { positive } from '../read.ts';
import type { Asking, Reply } from '../topics/index.ts';
import type { WalletParams, WalletReply } from '../topics/wallet.ts';
import type { HttpClient } from '../upstream/client.ts';
import type { Log } from '../upstream/request.ts';
import { currentBalances } from './balances.ts';
import { discover, type Indexes, type Wallet } from './discovery.ts';
import { nativeBalance } from './native.ts';
import { type Contents, emptyPortfolio, portfolioOf } from './portfolio.ts';
import { quote } from './quotes.ts';
import type { Source } from './source.ts';

export interface WalletsOptions {
  readers: ReadonlyMap<ChainId, Pick<ChainReader, 'ask'>>;
  /** The client of an upstream, by id. */
  client(id: string): Pick<HttpClient, 'send'>;
  clock: Clock;
  log?: Log;
  /** Of Blockscout's host for all chains; null uses the instances alone. */
  blockscoutKey: string | null;
  /** Of Moralis; null leaves bsc and avalanche with their native coins. */
  moralisKey: string | null;
  /** A token whose pools are shallower, US dollars, has no price. */
  leastLiquidity: number;
  /** Most wallets under way; no account has more of them than it leaves free. */
  atOnce: number;
  /** The service's own price of a native coin by symbol, US dollars; null without one. */
  nativePrice(symbol: string): number | undefined;
  cache: QueryCache<WalletReply>;
}

export interface Wallets {
  /**
   * The portfolio, by the deadline, after 20 s at most. Fails with `over_budget` alone: too many other wallets
   * are under way. Every other failure is an empty portfolio with its reason in `message`.
   */
  answer(params: WalletParams, asking: Asking): Promise<Result<Reply<WalletReply>>>;
  /** Ends all that is under way. The readers and the clients are the caller's. */
  close(): Promise<void>;
}

/** Times in ms: deadline of the whole query, cache lifetime of answers and of failures. */
const wholeTime = 20_000;
const goodLife = 30_000;
const badLife = 2_000;
/** Shares of the time: until the tokens are found, and until all prices are there. The rest is for the answer. */
const discoveryShare = 0.6;
const priceShare = 0.975;
/** Longest for the balances by the contracts; those of the index are used then. */
const balanceTime = 5_000;
/** A refused client comes again after this, ms. */
const retryAfter = 1_000;
const tooLate = 'no answer before the deadline';

/** The message of a failed step for the client; hosts and addresses are only logged. */
interface Trouble {
  step: string;
  failure: Failure;
}

export function createWallets(options: WalletsOptions): Wallets {
  return new WalletService(options);
}

class WalletService implements Wallets {
  readonly #options: WalletsOptions;
  readonly #blockscout: Source;
  readonly #moralis: Source | null;
  readonly #dexscreener: Source;
  readonly #llama: Source;
  /** Requests in progress. */
  readonly #looks = new Set<Promise<unknown>>();
  readonly #slots: Slots;
  readonly #abort = new AbortController();

  constructor(options: WalletsOptions) {
    const { client, clock, moralisKey } = options;
    const { signal } = this.#abort;
    const source = (id: string, name: string) => ({ name, client: client(id), clock, signal });
    this.#options = options;
    this.#blockscout = source('blockscout', 'Blockscout');
    this.#moralis = moralisKey === null ? null : source('moralis', 'Moralis');
    this.#dexscreener = source(dexscreener.id, dexscreener.name);
    this.#llama = source(defillama.id, defillama.name);
    this.#slots = new Slots(options.atOnce);
  }

  answer = async (
    params: WalletParams,
    { deadline, account }: Asking,
  ): Promise<Result<Reply<WalletReply>>> => {
    const { address, chain } = params;
    if (!isChainId(chain)) {
      return this.#refused(params, `chain must be one of ${chainIds.join(', ')}`);
    }
    if (!isAddressOf(chain, address)) {
      return this.#refused(params, `address must be, on ${chain}, ${addressForm(chain)}`);
    }
    const { clock, cache } = this.#options;
    const time = Math.min(wholeTime, deadline - clock.monotonic());
    const wallet = {
      chain,
      address: isEvmChainId(chain) ? address.toLowerCase() : address,
      account,
    };
    const key = `${chain} ${wallet.address}`;
    const cached = cache.get(key, account);
    if (!cached && !(time > 0)) return this.#refused(params, tooLate);
    const look = cached ?? cache.load(key, account, () => this.#launch(wallet, time));
    const found = await within(clock, time, Promise.resolve(look));
    if (found === late) return this.#refused(params, tooLate);
    if (!found.ok) return found;
    return success({ ...found.value, value: addressed(found.value.value, params) });
  };

  async close(): Promise<void> {
    this.#abort.abort();
    await Promise.all(this.#looks);
  }

  /** One look at one wallet. Never rejects. */
  async #launch(
    wallet: Omit<Wallet, 'until'>,
    time: number,
  ): Promise<Result<Fetched<WalletReply>>> {
    if (!this.#slots.enter(wallet.account)) {
      return beyond(this.#slots.heldBy(wallet.account, 'wallets'), { retryAfter });
    }
    const look = this.#look(wallet, time).catch((error: unknown) => this.#bug(wallet, error));
    this.#looks.add(look);
    const value = await look;
    this.#slots.leave(wallet.account);
    this.#looks.delete(look);
    const { message, partial, received } = value;
    const until = this.#options.clock.now() + (message === null ? goodLife : badLife);
    // Parts may be missing because this account's share was used up.
    const own = message !== null || partial !== null;
    return success({ value, received, until, ...(own && { own }) });
  }

  async #look(wallet: Omit<Wallet, 'until'>, time: number): Promise<WalletReply> {
    const { clock, leastLiquidity: floor } = this.#options;
    const start = clock.monotonic();
    const found = await this.#contents({ ...wallet, until: start + discoveryShare * time });
    if ('step' in found) return this.#failed(wallet, found);
    const { native, notes } = found;
    const { chain, account } = wallet;
    const until = start + priceShare * time;
    const contracts = found.holdings.map(({ contract }) => contract);
    const [quotes, holdings] = await Promise.all([
      quote(
        { dexscreener: this.#dexscreener, llama: this.#llama },
        { chain, contracts, floor, account, until },
      ),
      this.#current({ ...wallet, until }, found.holdings),
    ]);
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

  /** The holdings of the wallet, native coin and tokens at the same time. */
  async #contents(wallet: Wallet) {
    const { readers, clock } = this.#options;
    const { chain, address, account, until } = wallet;
    const reader = readers.get(chain);
    if (!reader) return trouble('native balance', failed('unavailable', 'no reader of the chain'));
    const signal = this.#abort.signal;
    const [native, found] = await Promise.all([
      reader.ask({ deadline: until - clock.monotonic(), signal, account }, (attempt) =>
        nativeBalance(attempt, chain, address),
      ),
      discover(this.#indexes(reader), wallet),
    ]);
    if (!native.ok) return trouble('native balance', native);
    if (!found.ok) return trouble('token discovery', found);
    return { native: native.value, ...found.value };
  }

  /** The holdings by their contracts, of EVM chains; by the index where the chain does not answer in time. */
  async #current(
    { chain, address, account, until }: Wallet,
    holdings: Contents['holdings'],
  ): Promise<Contents['holdings']> {
    const reader = this.#options.readers.get(chain);
    if (!reader || !isEvmChainId(chain) || holdings.length === 0) return holdings;
    const deadline = Math.min(balanceTime, until - this.#options.clock.monotonic());
    const found = await reader.ask({ deadline, signal: this.#abort.signal, account }, (attempt) =>
      currentBalances(attempt, address, holdings),
    );
    return found.ok ? found.value : holdings;
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

  #failed(wallet: WalletParams, { step, failure: { code } }: Trouble): WalletReply {
    this.#options.log?.info({ chain: wallet.chain, step, code }, 'no portfolio');
    return this.#refusal(wallet, `${step} failed (${code})`);
  }

  #bug(wallet: WalletParams, error: unknown): WalletReply {
    this.#options.log?.warn({ chain: wallet.chain, error }, 'a wallet could not be read');
    return this.#refusal(wallet, 'internal error');
  }

  /** A refusal, which is not cached. */
  #refused(params: WalletParams, message: string): Result<Reply<WalletReply>> {
    const value = this.#refusal(params, message);
    return success({ value, received: value.received, until: value.received });
  }

  #refusal(request: WalletParams, message: string): WalletReply {
    const received = this.#options.clock.now();
    return { portfolio: emptyPortfolio(request), message, partial: null, received };
  }
}

const trouble = (step: string, { failure }: { failure: Failure }): Trouble => ({ step, failure });

/** The reply with the address as this client wrote it. */
const addressed = (reply: WalletReply, { address }: WalletParams): WalletReply => ({
  ...reply,
  portfolio: { ...reply.portfolio, address },
});
