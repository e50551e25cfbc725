/** The tables of dYdX; one row of a market has everything. https://docs.dydx.xyz/indexer-client/http */
import { at, bulk, isRecord, required, type WireRow } from '../../read.ts';
import { timeOf } from '../iso.ts';
import { type MarketForm, markets } from '../markets.ts';
import { nextHour } from '../tables.ts';

/** `BTC-USD`; a coin of a decentralised exchange is `NAME,DEX,ADDRESS-USD`. */
export function named(market: string): { base: string; quote: string } | null {
  const dash = market.lastIndexOf('-');
  const [base = ''] = market.slice(0, Math.max(0, dash)).split(/[,-]/);
  const quote = market.slice(dash + 1);
  return base === '' || quote === '' ? null : { base, quote };
}

/** The rows of all markets. */
export function everything([body]: readonly unknown[]): readonly unknown[] {
  const rows = at(body, 'markets');
  return bulk(isRecord(rows) ? Object.values(rows) : rows, 'markets');
}

/** True for a market that does not trade (PAUSED, FINAL_SETTLEMENT, …): its price is that of its end. */
export const isStopped = (row: unknown): boolean => isRecord(row) && row.status !== 'ACTIVE';

const effective = ({ effectiveAt }: WireRow) => timeOf(effectiveAt);

/**
 * No last trade is published in bulk: the price is that of the oracle, which the margin is computed with too.
 * `priceChange24H` is an absolute difference, in USD. `nextFundingRate` is the running rate of the hour; it is charged when the
 * hour is full. The open interest is in base units of one side; `baseOpenInterest` beside it is a parameter of the margin.
 */
const ticker = {
  id: 'ticker',
  price: {
    last: 'oraclePrice',
    open: ({ oraclePrice, priceChange24H }) => required(oraclePrice) - required(priceChange24H),
    quote: 'volume24H',
    untraded: 'volume24H',
    stated: effective,
  },
  derivative: {
    mark: 'oraclePrice',
    index: 'oraclePrice',
    rate: 'nextFundingRate',
    hours: () => 1,
    next: nextHour,
    stated: effective,
  },
  interest: { base: 'openInterest', mark: 'oraclePrice' },
} as const satisfies MarketForm;

export const tickers = markets({
  ...ticker,
  rows: (bodies) =>
    bulk(
      everything(bodies).filter((row) => !isStopped(row)),
      'active markets',
    ),
});

/** Rows by stream have a status only where it changes. */
export const streamed = markets({
  ...ticker,
  listedOnly: true,
  keep: ({ status = 'ACTIVE' }) => status === 'ACTIVE',
});
