/** A portfolio computed from holdings and prices. Pure. */
import { type ChainId, chains } from '../../config/chains.ts';
import { wholeCoins } from '../chains/amount.ts';
import { type Holding, shortened, tokenKey } from '../providers/holding.ts';
import type { Portfolio, WalletParams, WalletToken } from '../topics/wallet.ts';
import { nativeDecimals } from './native.ts';
import { type Pricing, settled, tokenPrice } from './price.ts';
import type { Quotes } from './quotes.ts';

/** The holdings of a wallet. */
export interface Contents {
  chain: ChainId;
  /** In smallest units. */
  native: bigint;
  holdings: readonly Holding[];
}

/** The inputs of the prices. */
export interface PricingInputs {
  quotes: Quotes;
  /** Least liquidity, US dollars. */
  floor: number;
  /** The service's own price of the native coin, US dollars; null without one. */
  ownNative: number | null;
}

interface Entry {
  token: WalletToken;
  pricing: Pricing;
}

/** `held` are the whole tokens that the price is about; the price of one that is shown follows from it. */
const entry = (
  token: Omit<WalletToken, 'price_usd' | 'value_usd'>,
  pricing: Pricing,
  held = token.balance,
): Entry => {
  const price = typeof pricing === 'number' ? pricing : 0;
  const price_usd = held === token.balance ? price : (price * held) / token.balance;
  return { token: { ...token, price_usd, value_usd: held * price }, pricing };
};

/** Listed even at 0, as the chain states it. */
function nativeEntry({ chain, native }: Contents, { quotes, ownNative }: PricingInputs): Entry {
  const { native: symbol, kind } = chains[chain];
  const balance = wholeCoins(native, nativeDecimals[kind]);
  return entry({ token: symbol, chain, balance }, settled([quotes.native, ownNative]));
}

function tokenEntry(chain: ChainId, holding: Holding, { quotes, floor }: PricingInputs): Entry {
  const { contract, raw, decimals, rate, multiplier = 1 } = holding;
  const key = tokenKey(chain, contract);
  const [market, coin] = [quotes.markets.get(key) ?? null, quotes.coins.get(key) ?? null];
  const symbol = holding.symbol || market?.symbol || coin?.symbol || shortened(contract);
  const held = wholeCoins(raw, decimals);
  // The index states the price of one token as it is shown.
  const ofUnits = rate === null ? null : rate * multiplier;
  const pricing = tokenPrice({ market, coin, rate: ofUnits, balance: held }, floor);
  return entry({ token: symbol, chain, balance: held * multiplier, contract }, pricing, held);
}

const ascending = (a: string, b: string) => (a < b ? -1 : Number(a > b));

const order = (a: WalletToken, b: WalletToken): number =>
  b.value_usd - a.value_usd ||
  ascending(a.token, b.token) ||
  ascending(a.contract ?? '', b.contract ?? '');

/** No tokens, worth nothing. */
export const emptyPortfolio = ({ address, chain }: WalletParams): Portfolio => ({
  address,
  chain,
  total_value_usd: 0,
  tokens: [],
});

/** The portfolio, the most valuable first, and notes about its prices. */
export function portfolioOf(
  request: WalletParams,
  contents: Contents,
  judgement: PricingInputs,
): { portfolio: Portfolio; notes: string[] } {
  const entries = [
    nativeEntry(contents, judgement),
    ...contents.holdings.map((holding) => tokenEntry(contents.chain, holding, judgement)),
  ];
  const tokens = entries.map(({ token }) => token).sort(order);
  const contested = entries.filter(({ pricing }) => pricing === 'contested').length;
  const native =
    entries[0]?.pricing === 'unlisted' ? [`no price of ${chains[contents.chain].native}`] : [];
  const doubt =
    contested === 0
      ? []
      : [`the price sources contradict each other on ${contested} of the tokens`];
  return {
    portfolio: {
      ...emptyPortfolio(request),
      total_value_usd: tokens.reduce((sum, { value_usd }) => sum + value_usd, 0),
      tokens,
    },
    notes: [...native, ...doubt],
  };
}
