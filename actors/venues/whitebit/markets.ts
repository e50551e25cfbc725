/** The tables of WhiteBIT: instruments and tickers. https://docs.whitebit.com */
import { ShapeError } from '../../failure.ts';
import { bulk, isRecord, positive, text, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { digitsIn } from '../listings.ts';
import { markets } from '../markets.ts';
import type { Facts } from '../rows.ts';

function kindOf(row: WireRow, market: string): Instrument['kind'] {
  if (row.tradesEnabled !== true) return 'other';
  if (row.type === 'futures' || row.type === 'tradfiFutures')
    return market.endsWith('_PERP') ? 'perpetual' : 'other';
  return row.type === 'spot' ? 'spot' : 'other';
}

const isSpot = (row: unknown): boolean => isRecord(row) && row.type === 'spot';

/** One list holds both parts; unreadable rows go with the futures. */
export const listOf = (part: 'spot' | 'futures') => ({
  rows: ([body]: readonly unknown[]) =>
    bulk(
      bulk(body, 'markets').filter((row) => isSpot(row) === (part === 'spot')),
      'markets of the part',
    ),
  id: 'name',
  /** Quantities are in base everywhere. */
  read: (row: WireRow, market: string): Omit<Facts, 'market'> => ({
    kind: kindOf(row, market),
    base: text(row.stock),
    quote: row.money === 'PERP' ? 'USDT' : text(row.money),
  }),
  tick: digitsIn('moneyPrec'),
});

/** A map from id to ticker: without perpetuals, which it lists too, and frozen markets. */
function spotRows([body]: readonly unknown[]): readonly unknown[] {
  const tickers = isRecord(body) ? body : {};
  const rows: WireRow[] = [];
  let isKnown = false;
  for (const market of Object.keys(tickers)) {
    const ticker = tickers[market];
    const row: WireRow = isRecord(ticker) ? ticker : {};
    isKnown ||= 'last_price' in row;
    if (market.endsWith('_PERP') || row.isFrozen === true) continue;
    const { last_price, change, base_volume, quote_volume } = row;
    rows.push({ market, last_price, change, base_volume, quote_volume });
  }
  if (!isKnown) throw new ShapeError('tickers: no ticker in it');
  return rows;
}

/** `change` is in percent. */
export const spot = markets({
  rows: spotRows,
  id: 'market',
  price: {
    last: 'last_price',
    percent: 'change',
    base: 'base_volume',
    quote: 'quote_volume',
    untraded: 'base_volume',
  },
});

/** There is neither a change nor an open. An unknown mark is '', an unknown index 0. */
export const futures = markets({
  rows: 'result',
  id: 'ticker_id',
  price: {
    last: 'last_price',
    bid: 'bid',
    ask: 'ask',
    high: 'high',
    low: 'low',
    base: 'stock_volume',
    quote: 'money_volume',
    untraded: 'stock_volume',
  },
  // The rate is the one predicted for the next settlement, a fraction per interval.
  derivative: {
    mark: 'mark_price',
    index: 'index_price',
    rate: 'funding_rate',
    hours: ({ funding_interval_minutes }) => positive(funding_interval_minutes) / 60,
    next: 'next_funding_rate_timestamp',
  },
  // WhiteBIT does not document how it counts; one side is assumed.
  interest: {
    base: 'open_interest',
    mark: ({ mark_price, last_price }) => positive(mark_price) || last_price,
  },
});
