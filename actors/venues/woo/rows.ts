/** The tables of WOO X: perpetuals out of `futures`, spot out of the candles of a day. https://docs.woox.io */
import { hour } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import { isRecord, positive, required, type WireRow } from '../../read.ts';
import { markets } from '../markets.ts';

/** How the ids of a part begin. */
export const prefixes = { spot: 'SPOT_', perp: 'PERP_' } as const;
export type PartName = keyof typeof prefixes;

/** Quantities are in base and counted as one side; `estFundingRate` is charged at `nextFundingTime`. */
export const perp = markets({
  rows: 'data.rows',
  id: 'symbol',
  stated: 'timestamp',
  // Contracts that are gone stay in the list with a funding time that has passed; for a moment after each funding that of a live
  // one has too. The index of a live one may be null.
  keep: ({ nextFundingTime }, { stated }) => !(required(nextFundingTime) + hour < required(stated)),
  price: {
    last: '24hClose',
    open: '24hOpen',
    high: '24hHigh',
    low: '24hLow',
    base: '24hVolume',
    quote: '24hAmount',
    untraded: '24hVolume',
  },
  derivative: {
    mark: 'markPrice',
    index: 'indexPrice',
    rate: 'estFundingRate',
    next: 'nextFundingTime',
    // By stream the time of the mark: a rate comes every minute, and is not older than the mark before it.
    stated: 'timestamp',
  },
  interest: { base: 'openInterest', mark: 'markPrice' },
});

/** Hourly candles that cover 24 hours, the running one among them. */
export const hoursInDay = 25;

/**
 * The newest candle with the turnover of 24 hours: of the oldest hour as much counts as lies within them. Without a readable
 * candle the row has no name, and is dropped.
 */
function dayOf(body: unknown): WireRow {
  const { data, timestamp } = isRecord(body) ? body : {};
  const rows = isRecord(data) && Array.isArray(data.rows) ? data.rows.filter(isRecord) : [];
  const from = required(timestamp) - 24 * hour;
  let newest: WireRow = {};
  let latest = 0;
  let turnover = 0;
  for (const row of rows) {
    const start = positive(row.startTimestamp);
    // Without its time there is no telling which hour is the last.
    if (!(start > 0)) return { symbol: row.symbol };
    if (start > latest) [latest, newest] = [start, row];
    turnover += required(row.amount) * Math.min(1, Math.max(0, (start + hour - from) / hour));
  }
  return { symbol: newest.symbol, close: newest.close, turnover, timestamp };
}

/** True where a market has no candle at all: it was never traded. */
const isEmpty = (body: unknown): boolean =>
  isRecord(body) &&
  isRecord(body.data) &&
  Array.isArray(body.data.rows) &&
  body.data.rows.length === 0;

/** Spot, from one body of candles a market; nothing of one whose request failed, or that was never traded. */
export const days = markets({
  rows(bodies) {
    const answers = bodies.filter((body) => body !== undefined);
    const traded = answers.filter((body) => !isEmpty(body));
    if (answers.length > 0 && traded.length === 0) throw new ShapeError('no market has candles');
    return traded.map(dayOf);
  },
  id: 'symbol',
  price: { last: 'close', quote: 'turnover', stated: 'timestamp' },
});
