/** Shared by Binance and the venues that copied its API: refusals, weights, queries, rows. https://developers.binance.com/docs */
import { bulk, isRecord, text } from '../../read.ts';
import type { Faults } from '../../upstream/faults.ts';
import type { Query } from '../../upstream/request.ts';
import { aboutEach, codesOf } from '../apis.ts';
import { inOrder } from '../levels-and-bars.ts';
import { byId, joined, type MarketForm, markets } from '../markets.ts';

/**
 * `{code, msg}` with a negative code, or 0 for a blocked region; whatever lacks one of the two is not an answer of the exchange's own, so the status
 * alone decides elsewhere.
 */
export const faultsOf = (name: string): Faults => ({
  name,
  at: 'code',
  when({ code, msg }, status) {
    if (typeof code !== 'number' || typeof msg !== 'string') return false;
    return code < 0 || (code === 0 && status >= 400);
  },
  codes: codesOf(['unknown_instrument', -1121]),
  message: 'msg',
  patterns: [
    // Illegal characters, in whichever parameter.
    { code: /^-1100$/, text: /parameter 'symbol'/, means: 'unknown_instrument' },
    { status: 418, means: 'banned' },
    { code: /^-1003$/, means: 'rate_limited' },
  ],
});

/** `weight` a minute and address. */
export const budgets = (weight: number) => ({
  default: { weight, per: 60_000, usedHeader: 'x-mbx-used-weight-1m' },
});

/** Futures accept only these depths, and some between 50 and 1000 that are never asked for. */
export const futuresDepth = (depth: number): number =>
  [5, 10, 20, 50].find((legal) => legal >= depth) ?? 1000;

/** Weights of requests for 50 levels at most, and for 1000. */
export const futuresBookWeight = (depth: number): number => (depth <= 50 ? 2 : 20);
export const spotBookWeight = (depth: number): number => (depth <= 50 ? 5 : 50);

/** Weight of a request by its number of candles, futures. */
export function candleWeight(limit: number): number {
  if (limit < 100) return 1;
  if (limit < 500) return 2;
  return limit <= 1000 ? 5 : 10;
}

interface CandlePage {
  market: string;
  interval: string;
  limit: number;
  before?: number | undefined;
  from?: number | undefined;
}

/** `[ms, open, high, low, close, base, ms, quote, trades, taker base, taker quote, unused]`. */
export const candleForm = {
  rows: '',
  time: 0,
  columns: { ...inOrder, base: 5, quote: 7 },
  width: 12,
} as const;

/** The newest candles, those that open before `before`, or the first ones from `from` on. */
export const candleQuery = ({ market, interval, limit, before, from }: CandlePage): Query => ({
  symbol: market,
  interval,
  limit,
  ...(before !== undefined && { endTime: before - 1 }),
  ...(from !== undefined && { startTime: from }),
});

/** Tickers that state their turnover in quote. A market that was never traded has a ticker of zeros. */
export const ticker = {
  rows: '',
  id: 'symbol',
  time: 'closeTime',
  price: {
    last: 'lastPrice',
    open: 'openPrice',
    bid: 'bidPrice',
    ask: 'askPrice',
    high: 'highPrice',
    low: 'lowPrice',
    base: 'volume',
    quote: 'quoteVolume',
    untraded: 'volume',
  },
} as const satisfies MarketForm;

/** The rows of `premiumIndex`: a list, but a lone object where the answer is about one symbol. */
export const premiumRows = (body: unknown): readonly unknown[] =>
  isRecord(body) && text(body.symbol) !== '' ? [body] : bulk(body, 'premium index');

/**
 * Mark, index and the rate that will be charged at `nextFundingTime`. There are contracts among them that no list holds; new ones
 * are noticed by the tickers.
 */
export const premium = {
  id: 'symbol',
  listedOnly: true,
  time: 'time',
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'lastFundingRate',
    next: 'nextFundingTime',
  },
} as const satisfies MarketForm;

/**
 * Open interest of one symbol each, with the marks of a `premiumIndex` of all: one side, in base units, but of inverse contracts their
 * number.
 */
const interest = markets({
  rows: ([marks, ...bodies]) =>
    joined(
      bodies.filter((body) => body !== undefined),
      'symbol',
      // The marks are required: without their body nothing is read.
      { rows: byId(premiumRows(marks), '', 'symbol'), take: ['markPrice'] },
    ),
  id: 'symbol',
  time: 'time',
  interest: { contracts: 'openInterest', mark: 'markPrice' },
});

/** Polls the open interest market by market. */
export const interests = <Request extends object>(
  marks: Request,
  of: (market: string) => Request,
) => interest.poll(({ markets: asked }) => [marks, ...aboutEach(asked, of)], { rotates: true });
