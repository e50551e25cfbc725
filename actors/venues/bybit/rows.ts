/** How Bybit's tickers are read. https://bybit-exchange.github.io/docs/v5/market/tickers */
import { positive, required, time, type WireRow } from '../../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';

export type Category = 'spot' | 'linear' | 'inverse';

const contractIds = { linear: /^(.+?)(USDT|PERP)$/, inverse: /^(.+)(USD)$/ } as const;

/** The parts of a contract's id, for one beyond the page of instruments: `BTCPERP` quotes in USDC. */
const fromId = (category: Exclude<Category, 'spot'>) => (market: string) => {
  const [, base = '', suffix = ''] = contractIds[category].exec(market) ?? [];
  const quote = suffix === 'PERP' ? 'USDC' : suffix;
  const inverse = category === 'inverse';
  return instrument({ market, kind: 'perpetual', base, quote, contract: 1, inverse });
};

/** Reads a ticker, which does not state its time. */
export type RowReader<Row> = (
  row: WireRow,
  market: Instrument,
  stated: number | null,
) => Row | null;

/** A reader of the tickers of a category that are of one time. Before its listing a market has auction prices. */
export const reader = <Row>(
  category: Category,
  read: RowReader<Row>,
  stated: number | null,
): Reader<Instrument, Row> => ({
  id: by('symbol'),
  read: (row, market) => (row.curPreListingPhase ? null : read(row, market, stated)),
  ...(category !== 'spot' && { fromId: fromId(category) }),
});

/** Spot and linear state quote in `turnover24h`, inverse in `volume24h`. `price24hPcnt` is rounded. */
export const price: RowReader<PriceRow> = (row, market, stated) => {
  const last = positive(row.lastPrice);
  return priceOf(market, {
    last,
    volume: required(market.inverse ? row.volume24h : row.turnover24h),
    change: changeOf(last, positive(row.prevPrice24h), required(row.price24hPcnt) * 100),
    stated,
    bid: positive(row.bid1Price),
    ask: positive(row.ask1Price),
    high: positive(row.highPrice24h),
    low: positive(row.lowPrice24h),
    base: required(market.inverse ? row.turnover24h : row.volume24h),
  });
};

export const derivative: RowReader<DerivativeRow> = (row, market, stated) =>
  derivativeOf(market, {
    mark: positive(row.markPrice),
    index: positive(row.indexPrice),
    rate: required(row.fundingRate),
    hours: positive(row.fundingIntervalHour) || (market.funding_hours ?? positive(null)),
    next: time(row.nextFundingTime),
    stated,
  });

/** The one-sided number, or half of the other, which counts both sides. */
function oneSide(single: unknown, both: unknown): number {
  const number = required(single);
  return number >= 0 ? number : required(both) / 2;
}

/** `openInterest` is base and its value quote; on inverse contracts it is USD and its value base. */
export const openInterest: RowReader<OpenInterestRow> = (row, market, stated) => {
  const count = oneSide(row.singleOpenInterest, row.openInterest);
  const worth = oneSide(row.singleOpenInterestValue, row.openInterestValue);
  const [base, value] = market.inverse ? [worth, count] : [count, worth];
  return openInterestOf(market, { base, value, mark: positive(row.markPrice), stated });
};
