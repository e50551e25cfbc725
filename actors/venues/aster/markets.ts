/** The tables of Aster, in the form of Binance's. https://github.com/asterdex/api-docs */
import { bulk, isRecord, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { interests, premium, ticker } from '../binance/form.ts';
import { listing } from '../listings.ts';
import { markets } from '../markets.ts';
import { get, type PartName } from './api.ts';

/** TEST and what begins so are the venue's own test symbols; `underlyingType` is COIN or a share, metal, index. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  const base = text(row.baseAsset);
  if (row.status !== 'TRADING' || base === '' || base.startsWith('TEST')) return 'other';
  if (part === 'spot') return 'spot';
  const isCoin = (text(row.underlyingType) || 'COIN') === 'COIN';
  return isCoin && row.contractType === 'PERPETUAL' ? 'perpetual' : 'other';
}

/** Some contracts state no base: they keep their symbol as one, unfollowed. */
export const instruments = (part: PartName) =>
  listing({
    requests: get(part, '/exchangeInfo', 1),
    rows: 'symbols',
    id: 'symbol',
    read: (row, market) => ({
      kind: kindOf(row, part),
      base: text(row.baseAsset) || market,
      quote: text(row.quoteAsset),
    }),
  });

export const tickers = markets(ticker);

const eightHours = 28_800_000;

/**
 * The hours between fundings that a row of `fundingInfo` states. It is not documented that the list has every symbol: one that is
 * missing (`listed` is false) has the usual 8 hours, if its next funding is at a time that those can give; else they are unknown, as
 * they all are without the list (`listed` is null).
 */
function hoursOf({ listed, fundingIntervalHours, nextFundingTime }: WireRow): number {
  if (listed === true) return positive(fundingIntervalHours);
  const next = time(nextFundingTime);
  return listed === false && next !== null && next % eightHours === 0 ? 8 : required(null);
}

/** The marks with what `fundingInfo` says of their symbols. */
function withHours(index: unknown, info: unknown): readonly WireRow[] {
  const rows = info === undefined ? null : list(info, 'funding info').filter(isRecord);
  const stated = rows && new Map(rows.map((row) => [text(row.symbol), row.fundingIntervalHours]));
  return bulk(index, 'premium index')
    .map((row) => (isRecord(row) ? row : {}))
    .map((row) => ({
      ...row,
      listed: stated?.has(text(row.symbol)) ?? null,
      fundingIntervalHours: stated?.get(text(row.symbol)),
    }));
}

/** `premiumIndex` also has contracts that no list holds; new ones are noticed by the tickers. */
export const derivatives = markets({
  ...premium,
  listedOnly: true,
  rows: ([index, info]) => withHours(index, info),
  derivative: { ...premium.derivative, hours: hoursOf },
}).poll(() => [
  get('linear', '/premiumIndex', 1),
  { ...get('linear', '/fundingInfo', 1), optional: true as const },
]);

/** `openInterest` is not documented, but answers: one symbol at a time, one side (the venue's pages show two). */
export const openInterest = interests(get('linear', '/premiumIndex', 1), (symbol) =>
  get('linear', '/openInterest', 1, { symbol }),
);
