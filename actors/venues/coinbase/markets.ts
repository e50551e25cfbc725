/**
 * The tables of Coinbase: spot as Advanced Trade lists it, and the perpetuals of Coinbase International, all of them in one
 * list with their prices and their funding.
 */
import { hour } from '../../../config/time.ts';
import {
  asRow,
  bulk,
  field,
  isRecord,
  list,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import { timeOf } from '../iso.ts';
import { listing } from '../listings.ts';
import { markets } from '../markets.ts';
import { type Cell, endOfHours } from '../tables.ts';

const listSpot = {
  api: 'advanced',
  path: '/api/v3/brokerage/market/products',
  query: { product_type: 'SPOT' },
} as const;

const isTraded = (row: WireRow): boolean =>
  row.status === 'online' &&
  row.product_venue === 'CBE' &&
  [row.is_disabled, row.trading_disabled, row.view_only, row.auction_mode].every(
    (flag) => flag !== true,
  );

export const spotInstruments = listing({
  venue: 'coinbase',
  requests: listSpot,
  rows: 'products',
  id: 'product_id',
  read: (row) => ({
    kind: isTraded(row) ? 'spot' : 'other',
    base: text(row.base_currency_id),
    quote: text(row.quote_currency_id),
  }),
  // Older answers have no `price_increment`.
  tick: ({ price_increment, quote_increment }) => price_increment ?? quote_increment,
});

/** BTC-USDC is a view of the book of BTC-USD and shows its volume: a product that states an `alias` is not counted again. */
const isCounted = (row: unknown): boolean =>
  !isRecord(row) || (isTraded(row) && text(row.alias) === '');

export const spotTickers = markets({
  rows: ([body]) => bulk(field(body, 'products'), 'products').filter(isCounted),
  id: 'product_id',
  price: {
    last: 'price',
    bid: 'best_bid_price',
    ask: 'best_ask_price',
    base: 'volume_24h',
    quote: 'approximate_quote_24h_volume',
    percent: 'price_percentage_change_24h',
    untraded: 'volume_24h',
  },
}).poll(listSpot);

/** The tickers of a stream do not state the turnover: it is the volume at the last price. */
export const streamedTickers = markets({
  id: 'product_id',
  price: {
    last: 'price',
    bid: 'best_bid',
    ask: 'best_ask',
    high: 'high_24_h',
    low: 'low_24_h',
    base: 'volume_24_h',
    quote: ({ volume_24_h, price }) => required(volume_24_h) * positive(price),
    percent: 'price_percent_chg_24_h',
    untraded: 'volume_24_h',
  },
});

/**
 * Coinbase International is read-only since 2026-10-01: that its list is empty, missing or refused is no outage.
 */
const listPerpetuals = {
  api: 'international',
  path: '/api/v1/instruments',
  optional: true,
} as const;
const isPerpetual = (row: WireRow) => row.type === 'PERP' && row.trading_state === 'TRADING';

/** Hours between fundings out of nanoseconds, as text. */
const hoursOf = (row: WireRow) => positive(row.funding_interval) / (hour * 1e6);

/** Sizes are in base. */
const listedPerpetuals = listing({
  venue: 'coinbase',
  requests: listPerpetuals,
  rows: '',
  id: 'symbol',
  read: (row) => ({
    kind: isPerpetual(row) ? 'perpetual' : 'other',
    base: text(row.base_asset_name),
    quote: text(row.quote_asset_name),
    fundingHours: hoursOf(row) || null,
  }),
  tick: 'quote_increment',
});

/** Market data stand in `quote`. A row without it is unreadable, not one of a market that was never traded. */
const inQuote =
  (key: string): Cell =>
  ({ quote }) =>
    isRecord(quote) ? quote[key] : required(undefined);

const statedIn = ({ quote }: WireRow) => timeOf(asRow(quote).timestamp);

/**
 * The listed perpetuals that trade. `predicted_funding` is the fraction charged at the end of the running interval, which ends
 * on full hours. Open interest is one side, in base.
 */
const perpetuals = markets({
  rows: ([body]) => bulk(body, 'instruments').filter((row) => !isRecord(row) || isPerpetual(row)),
  id: 'symbol',
  time: statedIn,
  price: {
    last: inQuote('trade_price'),
    bid: inQuote('best_bid_price'),
    ask: inQuote('best_ask_price'),
    base: 'qty_24hr',
    quote: 'notional_24hr',
    untraded: 'qty_24hr',
  },
  derivative: {
    mark: inQuote('mark_price'),
    index: inQuote('index_price'),
    rate: inQuote('predicted_funding'),
    hours: hoursOf,
    next: (row, _market, { received }) => endOfHours(hoursOf(row), statedIn(row) ?? received),
  },
  interest: { base: 'open_interest', mark: inQuote('mark_price') },
}).poll(listPerpetuals);

/**
 * Why no perpetual is traded: there is no list of them, none in a list that can be read, or each states that it is paused. Null while
 * one trades, or where a row does not state its type or its state.
 */
function closedBy(body: unknown): string | null {
  if (body === undefined) return 'the exchange does not give its list of perpetuals any more';
  const listed = list(body, 'instruments').map(asRow);
  if (!listed.every((row) => text(row.type) !== '' && text(row.trading_state) !== '')) return null;
  const contracts = listed.filter((row) => row.type === 'PERP');
  if (contracts.some(isPerpetual)) return null;
  const states = new Set(contracts.map((row) => text(row.trading_state).slice(0, 20)));
  return states.size === 0
    ? 'no perpetual is listed'
    : `every perpetual is ${[...states].join(' or ')}`;
}

const isListed = (body: unknown): boolean => Array.isArray(body) && body.length > 0;
const none = { rows: [], dropped: [] };

export const perpetualInstruments: typeof listedPerpetuals = {
  ...listedPerpetuals,
  parse(bodies, context) {
    const closed = closedBy(bodies[0]);
    if (isListed(bodies[0]) || closed === null) return listedPerpetuals.parse(bodies, context);
    return { instruments: { ...none, closed } };
  },
};

export const perpetualTickers: typeof perpetuals = {
  ...perpetuals,
  parse(bodies, context) {
    const closed = closedBy(bodies[0]);
    const found = isListed(bodies[0])
      ? perpetuals.parse(bodies, context)
      : { prices: none, derivatives: none, openInterest: none };
    if (closed === null) return found;
    return {
      prices: { ...found.prices, closed },
      derivatives: { ...found.derivatives, closed },
      openInterest: { ...found.openInterest, closed },
    };
  },
};
