/** Coinbase International: every perpetual, with all that is said of it, in one list. */
import { isRecord, positive, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import type { Bar } from './candles.ts';
import { timeOf } from './iso.ts';
import {
  bulk,
  by,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  type Named,
  openInterestOf,
  priceOf,
  type WireRow,
} from './rows.ts';
import { canonical } from './symbols.ts';
import type { Part, SharedPart } from './venue.ts';

const unknown = required(null);
const hour = 3_600_000;

const listPerpetuals = () => [{ api: 'international', path: '/api/v1/instruments' }];
const isPerpetual = (row: WireRow) => row.type === 'PERP' && row.trading_state === 'TRADING';

/** Hours between fundings out of nanoseconds, as text. */
const hoursOf = (row: WireRow) => positive(row.funding_interval) / (hour * 1e6);

/** Sizes are in base. */
export const perpetualInstruments: Part<Instrument> = {
  requests: listPerpetuals,
  parse: ([body]) =>
    instrumentRows(bulk(body, 'instruments'), 'symbol', (row, market) => {
      const hours = hoursOf(row);
      return instrument({
        market,
        kind: isPerpetual(row) ? 'perpetual' : 'other',
        base: text(row.base_asset_name),
        quote: text(row.quote_asset_name),
        contract: 1,
        inverse: false,
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

/** Reads the listed perpetuals that trade; all are against USDC. What the market says stands in `quote`. */
const perpetuals =
  <Row>(read: Read<Row>) =>
  (body: unknown, instruments: ReadonlyMap<string, Named>) => {
    const rows = bulk(body, 'instruments').filter((row) => !isRecord(row) || isPerpetual(row));
    return marketRows(rows, instruments, {
      id: by('symbol'),
      fromId,
      read: (row, market) => read(row, market, isRecord(row.quote) ? row.quote : {}),
    });
  };

const perpetualTickers = perpetuals<PriceRow>((row, market, quote) =>
  priceOf(market, {
    last: positive(quote.trade_price),
    volume: required(row.notional_24hr),
    change: unknown,
    stated: timeOf(quote.timestamp),
  }),
);

export const perpetualPrices: Part<PriceRow> = {
  requests: listPerpetuals,
  parse: ([body], { instruments }) => perpetualTickers(body, instruments),
};

/** `predicted_funding` is the fraction charged at the end of the running interval, which ends on full hours. */
export const derivatives: SharedPart<DerivativeRow> = {
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
        next: next > 0 && next < Infinity ? next : null,
        stated,
      });
    })(body, instruments),
};

/** One side, in base. */
export const openInterest: SharedPart<OpenInterestRow> = {
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
export const perpetualBar = (row: WireRow): Bar => ({
  timestamp: timeOf(row.start) ?? unknown,
  open: positive(row.open),
  high: positive(row.high),
  low: positive(row.low),
  close: positive(row.close),
  volume: required(row.volume),
  turnover: null,
});
