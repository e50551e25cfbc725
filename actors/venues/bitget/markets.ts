/**
 * The tables of Bitget: instruments and tickers, with those of streams in the words of version 3. https://www.bitget.com/api-doc
 */
import { asRow, at, bulk, positive, text, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { mayFail } from '../apis.ts';
import { digitsIn, listing } from '../listings.ts';
import { byId, type MarketForm, markets } from '../markets.ts';
import { type Futures, get, type PartName } from './api.ts';

/** States of a contract in which it trades; in the last two positions are only closed, and orders are not taken by API. */
const trading: ReadonlySet<unknown> = new Set(['normal', 'limit_open', 'restrictedAPI']);

/** Dated contracts are not followed. https://www.bitget.com/api-doc/contract/market/Get-All-Symbols-Contracts */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if (part === 'spot') return row.status === 'online' ? 'spot' : 'other';
  return trading.has(row.symbolStatus) && row.symbolType === 'perpetual' ? 'perpetual' : 'other';
}

/** `priceEndStep` counts the last of `pricePlace` digits. */
const contractTick = (row: WireRow) => positive(row.priceEndStep) * digitsIn('pricePlace')(row);

/** Quantities are in base everywhere, in COIN-FUTURES too: `sizeMultiplier` is a step, not a contract. */
export const instruments = (part: PartName) =>
  listing({
    venue: 'bitget',
    requests: get(part, part === 'spot' ? '/public/symbols' : '/market/contracts', 'instruments'),
    rows: 'data',
    id: 'symbol',
    read: (row) => ({
      kind: kindOf(row, part),
      base: text(row.baseCoin),
      quote: text(row.quoteCoin),
      fundingHours: positive(row.fundInterval) || null,
      ...(part === 'coin-futures' && { settle: text(row.baseCoin) }),
    }),
    tick: part === 'spot' ? digitsIn('pricePrecision') : contractTick,
  });

const askTickers = (part: PartName) => get(part, '/market/tickers', 'tickers');

/** `ts` can be 0. */
const ticker = { rows: 'data', id: 'symbol', time: 'ts' } as const satisfies MarketForm;

/**
 * `change24h` is a rounded fraction. Futures state the price of 24 h ago as `open24h`, spot none. `holdingAmount` is base. Which sides it
 * counts is not documented: taken as one. Some rows have no mark price.
 */
const tickers = markets({
  ...ticker,
  price: {
    last: 'lastPr',
    bid: 'bidPr',
    ask: 'askPr',
    high: 'high24h',
    low: 'low24h',
    base: 'baseVolume',
    quote: 'quoteVolume',
    open: 'open24h',
    fraction: 'change24h',
    untraded: 'baseVolume',
  },
  interest: {
    base: 'holdingAmount',
    mark: ({ markPrice, lastPr }) => positive(markPrice) || lastPr,
  },
});

export const prices = (part: PartName) => tickers.poll(askTickers(part));

/** Tickers have mark, index and rate; hours and the next funding are in a list of their own, whose rate stands first. */
const funded = markets({
  ...ticker,
  rows([body, rates]) {
    const listed = byId(rates, 'data', 'symbol');
    return bulk(at(body, 'data'), 'data')
      .map(asRow)
      .map((row) => ({ ...row, listed: listed.get(text(row.symbol)) }));
  },
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: ({ listed, fundingRate }) => asRow(listed).fundingRate ?? fundingRate,
    hours: ({ listed }, { funding_hours }) =>
      positive(asRow(listed).fundingRateInterval) || funding_hours,
    next: ({ listed }) => asRow(listed).nextUpdate,
  },
});

export const derivatives = (part: Futures) =>
  funded.poll(() => [askTickers(part), mayFail(get(part, '/market/current-fund-rate', 'funding'))]);

const suffix = '_CM';

/** The id in the lists of version 2: version 3 ends the ids of coin-margined contracts in `_CM`. */
export function idOf({ symbol }: WireRow): string {
  const id = text(symbol);
  return id.endsWith(suffix) ? id.slice(0, -suffix.length) : id;
}

/** The id of version 3. */
export const symbolOf = (part: PartName, market: string): string =>
  part === 'coin-futures' ? `${market}${suffix}` : market;

const streamed = {
  id: idOf,
  price: {
    last: 'lastPrice',
    bid: 'bid1Price',
    ask: 'ask1Price',
    high: 'highPrice24h',
    low: 'lowPrice24h',
    base: 'volume24h',
    quote: 'turnover24h',
    open: 'openPrice24h',
    fraction: 'price24hPcnt',
    untraded: 'volume24h',
  },
} as const satisfies MarketForm;

export const streamedSpot = markets(streamed);

/** `openInterest` is base, as in the answers; the hours between fundings are not stated. */
export const streamedFutures = markets({
  ...streamed,
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'fundingRate',
    hours: () => null,
    next: 'nextFundingTime',
  },
  interest: {
    base: 'openInterest',
    mark: ({ markPrice, lastPrice }) => positive(markPrice) || lastPrice,
  },
});
