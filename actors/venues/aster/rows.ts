/**
 * How Aster's rows are read: kinds, units, funding hours.
 * https://github.com/asterdex/api-docs
 */
import { bulk, field, isRecord, list, positive, text, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { Instrument } from '../../topics/index.ts';
import type { HoursOf } from '../binance/form.ts';
import { instrument, instrumentRows } from '../rows.ts';

export type PartName = 'spot' | 'linear';

/** TEST and what begins so are the venue's own test symbols; `underlyingType` is COIN or a share, metal, index. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  const base = text(row.baseAsset);
  if (row.status !== 'TRADING' || base === '' || base.startsWith('TEST')) return 'other';
  if (part === 'spot') return 'spot';
  const isCoin = (text(row.underlyingType) || 'COIN') === 'COIN';
  return isCoin && row.contractType === 'PERPETUAL' ? 'perpetual' : 'other';
}

/** The symbols of an `exchangeInfo`. Some contracts state no base: they keep their symbol as one, unfollowed. */
export const readInstruments = (part: PartName, info: unknown): Parsed<Instrument> =>
  instrumentRows(bulk(field(info, 'symbols'), 'symbols'), 'symbol', (row, market) =>
    instrument({
      market,
      kind: kindOf(row, part),
      base: text(row.baseAsset) || market,
      quote: text(row.quoteAsset),
    }),
  );

/** Hours between fundings by symbol, from `fundingInfo`. */
export const hoursOf = (body: unknown): ReadonlyMap<string, number> =>
  new Map(
    list(body, 'funding info')
      .filter(isRecord)
      .map((row) => [text(row.symbol), positive(row.fundingIntervalHours)]),
  );

const eightHours = 28_800_000;

/**
 * It is not documented that `fundingInfo` has every symbol. One that is missing has the usual 8 hours, if its
 * next funding is at a time that those can give; else they are unknown.
 */
const usualHours = (next: number | null): number =>
  next !== null && next % eightHours === 0 ? 8 : NaN;

/** Without `hours`, by symbol, none are known. */
export const hoursIn =
  (hours: ReadonlyMap<string, number> | null): HoursOf =>
  ({ market }, next) =>
    hours === null ? NaN : (hours.get(market) ?? usualHours(next));
