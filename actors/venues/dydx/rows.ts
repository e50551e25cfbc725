/** How dYdX's rows are read; one row of a market has everything. https://docs.dydx.xyz/indexer-client/http */
import { openOf } from '../../../indicators/market/candles.ts';
import { bulk, field, isRecord, positive, required, type WireRow } from '../../read.ts';
import {
  type DerivativeRow,
  intervals,
  type OpenInterestRow,
  type PriceRow,
} from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import {
  by,
  changeOf,
  derivativeOf,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** `BTC-USD`; a coin of a decentralised exchange is `NAME,DEX,ADDRESS-USD`. */
export function fromId(market: string): Named | null {
  const dash = market.lastIndexOf('-');
  const [base = ''] = market.slice(0, Math.max(0, dash)).split(/[,-]/);
  const quote = market.slice(dash + 1);
  if (base === '' || quote === '') return null;
  return { market, kind: 'perpetual', quote, ...canonical(base) };
}

export function rowsOf(body: unknown): readonly unknown[] {
  const markets = field(body, 'markets');
  return bulk(isRecord(markets) ? Object.values(markets) : markets, 'markets');
}

/** True for a market that does not trade (PAUSED, FINAL_SETTLEMENT, …): its price is that of its end. */
export const isStopped = (row: unknown) => isRecord(row) && row.status !== 'ACTIVE';

export const reader = <Row>(read: Reader<Named, Row>['read']): Reader<Named, Row> => ({
  id: by('ticker'),
  fromId,
  read,
});

export const trading = (body: unknown) =>
  bulk(
    rowsOf(body).filter((row) => !isStopped(row)),
    'active markets',
  );

/** No last trade is published in bulk: the oracle's price, which the margin is computed with too. */
function price(row: WireRow, market: Named): PriceRow | null {
  const last = positive(row.oraclePrice);
  return priceOf(market, {
    last,
    volume: required(row.volume24H),
    // An absolute difference, in USD.
    change: changeOf(last, last - required(row.priceChange24H)),
    stated: timeOf(row.effectiveAt),
  });
}

export const tickers: Reader<Named, PriceRow> = {
  ...reader(price),
  isUntraded: neverTradedBy('oraclePrice', 'volume24H'),
};

/** `nextFundingRate` is the running rate of the hour; it is charged when the hour is full. */
export const derivative =
  (received: number) =>
  (row: WireRow, market: Named): DerivativeRow | null => {
    const oracle = positive(row.oraclePrice);
    return derivativeOf(market, {
      ...{ mark: oracle, index: oracle, rate: required(row.nextFundingRate), hours: 1 },
      next: openOf(received, '1h') + intervals['1h'],
      stated: timeOf(row.effectiveAt),
    });
  };

/** Base units of one side; `baseOpenInterest` beside it is a parameter of the margin. */
export const interest = (row: WireRow, market: Named): OpenInterestRow | null =>
  openInterestOf(market, {
    base: required(row.openInterest),
    value: NaN,
    mark: positive(row.oraclePrice),
    stated: null,
  });
