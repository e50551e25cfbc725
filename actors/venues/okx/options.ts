/** OKX: option chains, all settled in the coin. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-option-market-data */
import { bulk, field, optional, positive, required, text, time, type WireRow } from '../../read.ts';
import { type MarketPoll, readRows } from '../../sources/define.ts';
import { everyMinute } from '../../sources/venue.ts';
import type { OptionTrade } from '../../topics/index.ts';
import { mayFail } from '../apis.ts';
import { byId } from '../markets.ts';
import {
  countOf,
  expiryReader,
  type OptionTerms,
  optionOf,
  optionTradeOf,
  priceIn,
  typeOf,
  volatilityOf,
} from '../option-rows.ts';
import { takerWord } from '../trades.ts';
import { type Ask, getOptions } from './markets.ts';

/** `BTC-USD-240329-32000-C`. */
const name = /^([A-Z0-9]+)-[A-Z]+-(\d{6})-(\d+(?:\.\d+)?)-([CP])$/;

/** `240329` is 2024-03-29. */
const dateOf = (word: string) => `20${word.slice(0, 2)}-${word.slice(2, 4)}-${word.slice(4)}`;

/** The terms of an option by its name; null for another instrument. */
function termsOf(contract: string, expiryOf: (word: string) => number): OptionTerms | null {
  const found = name.exec(contract);
  if (found === null) return null;
  const [, symbol = '', day = '', strike, letter] = found;
  return {
    contract,
    symbol,
    expiry: expiryOf(day),
    strike: positive(strike),
    type: typeOf(letter),
    settle: symbol,
  };
}

/** The rows about one option, from the bodies of one poll; nothing is in a row that is not there. */
interface Rows {
  interest: WireRow;
  summary: WireRow;
  ticker: WireRow;
  mark: WireRow;
}

/**
 * `oiCcy` and `volCcy24h` count the asset; `oiUsd` is not used: the vendor's own sample repeats `oiCcy` in it. Prices are
 * in the coin, volatilities fractions, `fwdPx` is the forward of the expiry. Of the greeks those of Black and Scholes
 * (`deltaBS`) are in dollars; the others are in the coin.
 */
function read(
  { interest, summary, ticker, mark }: Rows,
  expiryOf: (word: string) => number,
  forwards: () => ReadonlyMap<number, number>,
) {
  const terms = termsOf(text(interest.instId), expiryOf);
  if (terms === null) return null;
  const { symbol, expiry } = terms;
  const stated = positive(summary.fwdPx);
  const underlying = stated > 0 ? stated : nearest(forwards(), expiry);
  return optionOf({
    market: terms.contract,
    symbol,
    expiry,
    strike: terms.strike,
    type: terms.type,
    settle: terms.settle,
    open_interest: required(interest.oiCcy),
    volume: countOf(ticker.volCcy24h),
    premium: null,
    mark: priceIn(mark.markPx, underlying),
    bid: priceIn(ticker.bidPx, underlying),
    ask: priceIn(ticker.askPx, underlying),
    iv: volatilityOf(summary.markVol),
    bid_iv: volatilityOf(summary.bidVol),
    ask_iv: volatilityOf(summary.askVol),
    underlying,
    delta: optional(summary.deltaBS),
    gamma: optional(summary.gammaBS),
    theta: optional(summary.thetaBS),
    vega: optional(summary.vegaBS),
    stated: time(summary.ts),
  });
}

const nothing: WireRow = {};

/** The forward of each expiry (Unix ms) of which an option states one. */
function forwardsOf(summaries: Iterable<WireRow>, expiryOf: (word: string) => number) {
  const forwards = new Map<number, number>();
  for (const { instId, fwdPx } of summaries) {
    const expiry = expiryOf(name.exec(text(instId))?.[2] ?? '');
    const forward = positive(fwdPx);
    if (expiry > 0 && forward > 0) forwards.set(expiry, forward);
  }
  return forwards;
}

/** The forward of the nearest expiry, 0 where none is known: an option that was just listed has no summary yet. */
function nearest(forwards: ReadonlyMap<number, number>, expiry: number): number {
  const [first] = [...forwards].sort(([a], [b]) => Math.abs(a - expiry) - Math.abs(b - expiry));
  return first?.[1] ?? 0;
}

/** All options on an asset. Turnover, quotes and marks may be missing, each by itself. */
function chain(asset: string): MarketPoll<'options', Ask> {
  const instFamily = `${asset}-USD`;
  const family = { instType: 'OPTION', instFamily };
  return {
    requests: () => [
      getOptions('/public/open-interest', family),
      getOptions('/public/opt-summary', { instFamily }),
      mayFail(getOptions('/market/tickers', family)),
      mayFail(getOptions('/public/mark-price', family)),
    ],
    parse([interests, ...bodies]) {
      const expiryOf = expiryReader(dateOf);
      const [summaries, tickers, marks] = [0, 1, 2].map((at) => byId(bodies[at], 'data', 'instId'));
      // Most options state their own.
      let known: ReadonlyMap<number, number> | undefined;
      const forwards = () => {
        known ??= forwardsOf(summaries?.values() ?? [], expiryOf);
        return known;
      };
      const found = readRows(
        bulk(field(interests, 'data'), 'options'),
        (row) => text(row.instId),
        (interest) => {
          const id = text(interest.instId);
          const summary = summaries?.get(id) ?? nothing;
          const ticker = tickers?.get(id) ?? nothing;
          const mark = marks?.get(id) ?? nothing;
          return read({ interest, summary, ticker, mark }, expiryOf, forwards);
        },
      );
      return { options: found };
    },
  };
}

export const options = everyMinute({ BTC: chain('BTC'), ETH: chain('ETH') });

/** Base units of one contract: `ctVal` x `ctMult`. https://www.okx.com/docs-v5/en/#public-data-rest-api-get-instruments */
const contractSizes = new Map([
  ['BTC', 0.01],
  ['ETH', 0.1],
]);

/** The families of options whose trades are heard. */
export const families = [...contractSizes.keys()].map((asset) => `${asset}-USD`);

const takerOf = takerWord('side');

/**
 * A trade of a stream: `sz` counts contracts, prices are in the coin, `fillVol` is a fraction. Whether blocks are among them is not
 * documented. https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-option-trades-channel
 */
export function tradeOf(row: WireRow): OptionTrade | null {
  const terms = termsOf(text(row.instId), expiryReader(dateOf));
  return (
    terms &&
    optionTradeOf(terms, {
      id: row.tradeId,
      bought: takerOf(row),
      price: row.px,
      mark: row.markPx,
      index: row.idxPx,
      quantity: positive(row.sz) * (contractSizes.get(terms.symbol) ?? 0),
      iv: volatilityOf(row.fillVol),
      block: null,
      at: row.ts,
    })
  );
}
