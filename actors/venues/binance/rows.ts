/** How Binance's rows are read: units, kinds, funding hours. https://developers.binance.com/docs */
import {
  bulk,
  field,
  isRecord,
  list,
  optional,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import type { ParseContext, Parsed } from '../../sources/define.ts';
import { hoursBefore } from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, instrument, instrumentRows, type Reader } from '../rows.ts';
import { isUntraded, price } from './form.ts';

/** USD-M and COIN-M. */
export type Contracts = 'linear' | 'inverse';
export type PartName = 'spot' | Contracts;

/**
 * Dated and TRADIFI contracts are not followed. COIN-M has `contractStatus` where the others have
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

/** COIN-M states contracts, each worth `contract` USD. */
export const inverseTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded,
  read: (row, market) => price(row, market, required(row.volume) * market.contract),
};

/** The rows of `premiumIndex`: a list, but a lone object where the answer is about one symbol. */
export const premiumRows = (body: unknown): readonly unknown[] =>
  isRecord(body) && text(body.symbol) !== '' ? [body] : bulk(body, 'premium index');
