/** The tables of Backpack: spot and linear perpetuals in one list. https://docs.backpack.exchange */
import { hour } from '../../../config/time.ts';
import { asRow, bulk, optionalNonZero, positive, text, time, type WireRow } from '../../read.ts';
import type { Apis, RequestOf } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import type { Faults } from '../../upstream/faults.ts';
import { codesOf, getter } from '../apis.ts';
import { listing } from '../listings.ts';
import { byId, joined, markets } from '../markets.ts';

/** `{code, message}`; parameters of a wrong form and unknown paths are answered in plain text. */
const faults: Faults = {
  name: 'Backpack',
  at: 'code',
  when: ({ code, message }) => text(code) !== '' && typeof message === 'string',
  codes: codesOf(
    ['rate_limited', 'TOO_MANY_REQUESTS'],
    ['blocked', 'FORBIDDEN'],
    ['unavailable', 'MAINTENANCE', 'SERVER_ERROR', 'TIMEOUT', 'TRADING_PAUSED'],
    // The last one is the order book of a closed market.
    ['unknown_instrument', 'INVALID_MARKET', 'INVALID_SYMBOL', 'RESOURCE_NOT_FOUND'],
  ),
  message: 'message',
  patterns: [
    // "Invalid market symbol", "Symbol not found"
    { code: /^INVALID_CLIENT_REQUEST$/, text: /symbol/i, means: 'unknown_instrument' },
  ],
};

export const apis = {
  rest: {
    hosts: ['https://api.backpack.exchange'],
    // `history` is for requests about a range of time.
    budgets: { default: { weight: 2000, per: 60_000 }, history: { weight: 30, per: 60_000 } },
    faults,
  },
} as const satisfies Apis;

export type Ask = RequestOf<typeof apis>;
export const get = getter<Ask>('rest', '/api/v1');

const kinds: ReadonlyMap<unknown, Instrument['kind']> = new Map([
  ['SPOT', 'spot'],
  ['PERP', 'perpetual'],
]);

/** States of an order book in which orders are matched. */
const matching: ReadonlySet<unknown> = new Set(['Open', 'LimitOnly']);

const kindOf = (row: WireRow): Instrument['kind'] =>
  matching.has(row.orderBookState) ? (kinds.get(row.marketType) ?? 'other') : 'other';

/** Quantities are in base everywhere. `fundingInterval` is in ms and means nothing on spot. */
export const instruments = listing({
  venue: 'backpack',
  requests: get('/markets'),
  rows: '',
  id: 'symbol',
  read: (row) => ({
    kind: kindOf(row),
    base: text(row.baseSymbol),
    quote: text(row.quoteSymbol),
    fundingHours:
      row.marketType === 'PERP' ? optionalNonZero(positive(row.fundingInterval) / hour) : null,
  }),
  tick: ({ filters }) => asRow(asRow(filters).price).tickSize,
});

/** `priceChangePercent` is rounded, or `N/A`; `firstPrice` is the price 24 h ago. */
export const prices = markets({
  id: 'symbol',
  price: {
    last: 'lastPrice',
    open: 'firstPrice',
    high: 'high',
    low: 'low',
    base: 'volume',
    quote: 'quoteVolume',
    untraded: 'volume',
  },
}).poll(get('/tickers'));

/** The running estimate of the rate, a fraction per interval of the market. */
export const derivatives = markets({
  id: 'symbol',
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'fundingRate',
    next: 'nextFundingTimestamp',
  },
}).poll(get('/markPrices'));

/** `openInterest` is in base; Backpack does not document how it counts; one side is assumed. */
export const openInterest = markets({
  rows: ([body, marks]) =>
    joined(bulk(body, 'open interest'), 'symbol', {
      rows: byId(marks, '', 'symbol'),
      take: ['markPrice'],
    }),
  id: 'symbol',
  time: 'timestamp',
  interest: { base: 'openInterest', mark: 'markPrice' },
}).poll(() => [get('/openInterest'), get('/markPrices')]);

/**
 * By stream. Tickers: `v` in base, `V` in quote, `o` the price 24 h ago. Marks: `p` mark, `i` index, `f` the rate of the
 * interval, `n` the next funding in ms. Open interest: `o` in base. The time of all of them, `E`, is in microseconds.
 */
export const streamed = markets({
  id: 's',
  time: ({ E }) => time(E, 1e-3),
  price: { last: 'c', open: 'o', high: 'h', low: 'l', base: 'v', quote: 'V', untraded: 'v' },
  derivative: { mark: 'p', index: 'i', rate: 'f', next: 'n' },
  interest: { base: 'o', mark: 'p' },
});
