/** How Binance's rows are read: units, kinds, funding hours. https://developers.binance.com/docs */
import { isRecord, optional, optionalNonZero, positive, required, text } from '../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../topics.ts';
import {
  bulk,
  by,
  changeOf,
  derivativeOf,
  field,
  instrument,
  instrumentRows,
  list,
  openInterestOf,
  priceOf,
  type Reader,
  type WireRow,
} from './rows.ts';
import { hoursBefore, type ParseContext, type Parsed } from './venue.ts';

/** USD-M and COIN-M. */
export type Contracts = 'linear' | 'inverse';
export type PartName = 'spot' | Contracts;

const unknown = required(undefined);

/**
 * Dated and TRADIFI contracts are not followed. COIN-M says `contractStatus` where the others say
 * `status`.
 */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  if ((row.status ?? row.contractStatus) !== 'TRADING') return 'other';
  if (part === 'spot') return row.isSpotTradingAllowed === false ? 'other' : 'spot';
  return row.contractType === 'PERPETUAL' ? 'perpetual' : 'other';
}

const usualHours = 8;

/** Hours between fundings of a perpetual; null where they are unknown. */
export type Hours = (market: string) => number | null;

/**
 * `fundingInfo` lists the symbols whose hours were ever adjusted, all others have the usual ones. Without its
 * body, what was known before.
 */
export function fundingHours(body: unknown, context: ParseContext): Hours {
  if (body === undefined) {
    const before = hoursBefore(context);
    return (market) => before.get(market) ?? null;
  }
  const rows = list(body, 'funding info').filter(isRecord);
  const adjusted = new Map(
    rows.map((row) => [text(row.symbol), optional(positive(row.fundingIntervalHours))]),
  );
  return (market) => {
    const hours = adjusted.get(market);
    return hours === undefined ? usualHours : hours;
  };
}

/** The symbols of an `exchangeInfo`. */
export function readInstruments(part: PartName, info: unknown, hours: Hours): Parsed<Instrument> {
  const rows = bulk(field(info, 'symbols'), 'symbols');
  return instrumentRows(rows, 'symbol', (row, market) => {
    const kind = kindOf(row, part);
    return instrument({
      market,
      kind,
      base: text(row.baseAsset),
      quote: text(row.quoteAsset),
      contract: part === 'inverse' ? positive(row.contractSize) : 1,
      inverse: part === 'inverse',
      fundingHours: kind === 'perpetual' ? hours(market) : null,
    });
  });
}

function price(row: WireRow, market: Instrument, volume: number): PriceRow | null {
  const last = positive(row.lastPrice);
  const change = changeOf(last, positive(row.openPrice));
  return priceOf(market, { last, volume, change, stated: optionalNonZero(row.closeTime) });
}

/** Spot and USD-M state their turnover. */
export const tickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  read: (row, market) => price(row, market, required(row.quoteVolume)),
};

/** COIN-M states contracts, each worth `contract` USD. */
export const inverseTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  read: (row, market) => price(row, market, required(row.volume) * market.contract),
};

/** Mark, index and the rate that will be charged at `nextFundingTime`. */
export const premiums: Reader<Instrument, DerivativeRow> = {
  id: by('symbol'),
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.lastFundingRate),
      hours: positive(market.funding_hours),
      next: optionalNonZero(row.nextFundingTime),
      stated: optionalNonZero(row.time),
    }),
};

/** One side. USD-M states base units, COIN-M contracts, each worth `contract` USD. */
export const interest = (
  marks: ReadonlyMap<string, number>,
): Reader<Instrument, OpenInterestRow> => ({
  id: by('symbol'),
  read: (row, market) => {
    const amount = required(row.openInterest);
    const mark = marks.get(market.market) ?? unknown;
    const sides = market.inverse
      ? { base: unknown, value: amount * market.contract }
      : { base: amount, value: unknown };
    return openInterestOf(market, { ...sides, mark, stated: optionalNonZero(row.time) });
  },
});

/** The rows of `premiumIndex`: a list, but a lone object where the answer is about one symbol. */
export const premiumRows = (body: unknown): readonly unknown[] =>
  isRecord(body) && text(body.symbol) !== '' ? [body] : bulk(body, 'premium index');

/** Mark prices by symbol. */
export function marksOf(body: unknown): ReadonlyMap<string, number> {
  const rows = premiumRows(body).filter(isRecord);
  return new Map(rows.map((row) => [text(row.symbol), positive(row.markPrice)]));
}
