/** Coinbase International: every perpetual in one list, with its prices and its funding. */

import { asRow, bulk, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { MarketPoll, SharedPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import { barOf, spelled } from '../levels-and-bars.ts';
import {
  by,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTraded } from '../wire.ts';
import type { Ask } from './api.ts';

const unknown = required(null);
const hour = 3_600_000;

const listPerpetuals = (): Ask[] => [{ api: 'international', path: '/api/v1/instruments' }];
const isPerpetual = (row: WireRow) => row.type === 'PERP' && row.trading_state === 'TRADING';

/**
 * Why no perpetual is traded: there is none in a list that can be read, or each states that it is paused. Null while
 * one trades, or where a row does not state its type or its state.
 */
function closedBy(rows: readonly unknown[]): string | null {
  const listed = rows.map(asRow);
  if (!listed.every((row) => text(row.type) !== '' && text(row.trading_state) !== '')) return null;
  const perpetuals = listed.filter((row) => row.type === 'PERP');
  if (perpetuals.some(isPerpetual)) return null;
  const states = new Set(perpetuals.map((row) => text(row.trading_state).slice(0, 20)));
  return states.size === 0
    ? 'no perpetual is listed'
    : `every perpetual is ${[...states].join(' or ')}`;
}

/** Hours between fundings out of nanoseconds, as text. */
const hoursOf = (row: WireRow) => positive(row.funding_interval) / (hour * 1e6);

/** Sizes are in base. */
export const perpetualInstruments: MarketPoll<Instrument, Ask> = {
  requests: listPerpetuals,
  parse: ([body]) =>
    instrumentRows(bulk(body, 'instruments'), 'symbol', (row, market) => {
      const hours = hoursOf(row);
      return instrument({
        market,
        kind: isPerpetual(row) ? 'perpetual' : 'other',
        base: text(row.base_asset_name),
        quote: text(row.quote_asset_name),
        fundingHours: hours > 0 ? hours : null,
      });
    }),
};

function fromId(market: string): Named | null {
  const base = market.replace(/-PERP$/, '');
  return base === '' || base === market
    ? null
    : { market, kind: 'perpetual', quote: 'USDC', ...canonical(base) };
}

type Read<Row> = (row: WireRow, market: Named, quote: WireRow) => Row | null;

/** Reads the listed perpetuals that trade; all are against USDC. Market data stands in `quote`. */
const perpetuals =
  <Row>(read: Read<Row>, isUntraded?: Reader<Named, Row>['isUntraded']) =>
  (body: unknown, instruments: ReadonlyMap<string, Named>) => {
    const all = bulk(body, 'instruments');
    const rows = all.filter((row) => !isRecord(row) || isPerpetual(row));
    const closed = closedBy(all);
    return {
      ...marketRows(rows, instruments, {
        id: by('symbol'),
        fromId,
        read: (row, market) => read(row, market, isRecord(row.quote) ? row.quote : {}),
        ...(isUntraded && { isUntraded }),
      }),
      ...(closed !== null && { closed }),
    };
  };

const perpetualTickers = perpetuals<PriceRow>(
  (row, market, quote) =>
    priceOf(market, {
      last: positive(quote.trade_price),
      volume: required(row.notional_24hr),
      change: unknown,
      stated: timeOf(quote.timestamp),
      bid: positive(quote.best_bid_price),
      ask: positive(quote.best_ask_price),
      base: required(row.qty_24hr),
    }),
  (row) => isRecord(row.quote) && neverTraded(row.quote.trade_price, row.qty_24hr),
);

export const perpetualPrices: MarketPoll<PriceRow, Ask> = {
  requests: listPerpetuals,
  parse: ([body], { instruments }) => perpetualTickers(body, instruments),
};

/** `predicted_funding` is the fraction charged at the end of the running interval, which ends on full hours. */
export const derivatives: SharedPoll<DerivativeRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments, received }) =>
    perpetuals<DerivativeRow>((row, market, quote) => {
      const hours = hoursOf(row);
      const stated = timeOf(quote.timestamp);
      const interval = hours * hour;
      const next = (Math.floor((stated ?? received) / interval) + 1) * interval;
      return derivativeOf(market, {
        mark: positive(quote.mark_price),
        index: positive(quote.index_price),
        rate: required(quote.predicted_funding),
        hours,
        next: time(next),
        stated,
      });
    })(body, instruments),
};

/** One side, in base. */
export const openInterest: SharedPoll<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments }) =>
    perpetuals<OpenInterestRow>((row, market, quote) =>
      openInterestOf(market, {
        base: required(row.open_interest),
        value: unknown,
        mark: positive(quote.mark_price),
        stated: timeOf(quote.timestamp),
      }),
    )(body, instruments),
};

/** A candle of `aggregations`: its open time is text, its volume base. */
export const perpetualBar = (row: WireRow): Bar =>
  barOf(row, timeOf(row.start) ?? unknown, spelled);
