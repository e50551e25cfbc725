/** Prices of tokens from two sources, asked at the same time, in batches. */
import type { ChainId } from '../../config/chains.ts';
import type { Result } from '../failure.ts';
import {
  type Coin,
  coinsRequest,
  nativesRequest,
  parseCoins,
  parseNative,
} from '../providers/defillama/coins.ts';
import {
  batch,
  joinMarkets,
  type Market,
  type Markets,
  marketsRequest,
  parseMarkets,
} from '../providers/dexscreener.ts';
import { tokenKey } from '../providers/holding.ts';
import { pieces } from '../venues/cells.ts';
import { ask, type Source } from './source.ts';

/** The tokens to price, the account, and the deadline (Unix ms). */
export interface PriceWish {
  chain: ChainId;
  contracts: readonly string[];
  /** Pools shallower than this, US dollars, price nothing. */
  floor: number;
  account: string;
  until: number;
}

export interface Quotes {
  /** By `tokenKey`. */
  markets: ReadonlyMap<string, Market>;
  coins: ReadonlyMap<string, Coin>;
  /** Of the native coin, US dollars. */
  native: number | null;
  /** Messages about missing parts. */
  notes: string[];
}

export interface PriceSources {
  dexscreener: Source;
  llama: Source;
}

/** Batch size of the second request for tokens that a truncated answer may have left out. */
const secondBatch = 10;

/** The answers of the batches, and the codes of those that failed. */
interface Round<T> {
  answers: { asked: readonly string[]; value: T }[];
  failures: { asked: readonly string[]; code: string }[];
}

async function round<T>(
  asked: readonly string[][],
  ask: (contracts: readonly string[]) => Promise<Result<T>>,
): Promise<Round<T>> {
  const results = await Promise.all(
    asked.map(async (contracts) => ({ contracts, result: await ask(contracts) })),
  );
  const found: Round<T> = { answers: [], failures: [] };
  for (const { contracts, result } of results) {
    if (result.ok) found.answers.push({ asked: contracts, value: result.value });
    else found.failures.push({ asked: contracts, code: result.failure.code });
  }
  return found;
}

function notesOf(source: Source, { failures }: Pick<Round<unknown>, 'failures'>): string[] {
  const count = failures.reduce((sum, { asked }) => sum + asked.length, 0);
  const codes = [...new Set(failures.map(({ code }) => code))].join(', ');
  return count === 0 ? [] : [`${source.name} gave no prices for ${count} of the tokens (${codes})`];
}

/** The tokens of truncated answers without a pool that is deep enough. */
const withoutDeepPool = ({ answers }: Round<Markets>, { chain, floor }: PriceWish): string[] =>
  answers.flatMap(({ asked, value: { markets, full } }) =>
    full
      ? asked.filter((contract) => {
          const liquidity = markets.get(tokenKey(chain, contract))?.pool?.liquidity ?? 0;
          return liquidity === 0 || liquidity < floor;
        })
      : [],
  );

/** An answer has about 30 pairs over all of its tokens, so the pools of one token may displace those of another. */
async function marketsFor(source: Source, wish: PriceWish) {
  const { chain, contracts } = wish;
  const read = (asked: readonly string[]) =>
    ask(source, marketsRequest(chain, asked), wish, ({ body }) => parseMarkets(body, chain));
  const first = await round(pieces(contracts, batch), read);
  const second = await round(pieces(withoutDeepPool(first, wish), secondBatch), read);
  const answers = [...first.answers, ...second.answers].map(({ value }) => value);
  return {
    markets: joinMarkets(answers.map(({ markets }) => markets)),
    notes: notesOf(source, { failures: [...first.failures, ...second.failures] }),
  };
}

async function coinsFor(source: Source, wish: PriceWish) {
  const { chain, contracts } = wish;
  const found = await round(pieces(contracts, batch), (asked) =>
    ask(source, coinsRequest(chain, asked), wish, (answer) => parseCoins(answer, chain)),
  );
  return {
    coins: new Map(found.answers.flatMap(({ value }) => [...value])),
    notes: notesOf(source, found),
  };
}

async function nativeFor(source: Source, wish: PriceWish) {
  const found = await ask(source, nativesRequest, wish, (answer) =>
    parseNative(answer, wish.chain),
  );
  return found.ok ? found.value : null;
}

/** Never fails: prices that do not arrive in time are missing, and a note says so. */
export async function quote(
  { dexscreener, llama }: PriceSources,
  wish: PriceWish,
): Promise<Quotes> {
  const [{ markets, notes: pools }, { coins, notes: prices }, native] = await Promise.all([
    marketsFor(dexscreener, wish),
    coinsFor(llama, wish),
    nativeFor(llama, wish),
  ]);
  return { markets, coins, native, notes: [...pools, ...prices] };
}
