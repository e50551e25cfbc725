/** How rows of Gate are read: ids, contracts, tickers and candles. */

import { positive, required, text, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { barOf, type Size } from '../levels-and-bars.ts';
import { by, instrument, type Named, priceOf, type Reader } from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** Where a candle has its numbers. */
const candleKeys = { open: 5, high: 3, low: 4, close: 2, volume: 6, turnover: 1 };

/** Perpetuals are grouped by what they settle in. */
export const settles = ['usdt', 'btc', 'usd1'] as const;
export type Settle = (typeof settles)[number];

/** BTC3L and ETH5S are leveraged tokens. */
export const isLeveraged = (base: string) => /\d[LS]$/.test(base);

/** The parts of the id; BTC_USDT_20260626 is dated. */
export const fromId =
  (kind: PriceRow['kind']) =>
  (market: string): Named | null => {
    const [base, quote, ...more] = market.split('_');
    if (!base || !quote) return null;
    const followed = more.length === 0 && !(kind === 'spot' && isLeveraged(base));
    return { market, kind: followed ? kind : 'other', quote, ...canonical(base) };
  };

/** Base units per contract; an inverse contract states 0 and is 1 USD. */
export const contractOf = (row: WireRow): number =>
  row.type === 'inverse' ? 1 : positive(row.quanto_multiplier);

/** `contract_type` marks contracts on shares and metals; older answers have neither it nor a `status`. */
function kindOf(row: WireRow, settle: Settle): Instrument['kind'] {
  const trades = (text(row.status) || 'trading') === 'trading' && row.in_delisting !== true;
  const crypto = text(row.contract_type) === '' && row.is_pre_market !== true;
  // A contract that BTC settles is inverse, or a quanto whose contracts have no size in base.
  const type = settle === 'btc' ? 'inverse' : 'direct';
  return trades && crypto && row.type === type ? 'perpetual' : 'other';
}

/** An instrument from a row of `contracts`. */
export function readContract(row: WireRow, market: string, settle: Settle): Instrument | null {
  const kind = kindOf(row, settle);
  const [base = '', quote = ''] = market.split('_');
  return instrument({
    market,
    kind,
    base,
    quote,
    // One that is not followed may lack its size.
    contract: contractOf(row) || (kind === 'other' ? 1 : positive(null)),
    inverse: row.type === 'inverse',
    fundingHours: fundingHours(row) || null,
  });
}

/** `funding_interval` is in seconds. */
export const fundingHours = (row: WireRow): number => positive(row.funding_interval) / 3600;

/** `[s, quote volume, close, high, low, open, base volume, closed]`. */
export const spotCandle = (row: WireRow): Bar => barOf(row, required(row[0]) * 1000, candleKeys);

/**
 * `{t, o, h, l, c, v, sum}`: `v` counts contracts, `sum` is documented as quote. The base of an inverse candle is
 * between `v` at its high and `v` at its low: it is `sum` if that fits there, else `v` at the middle of the prices.
 */
export const contractCandle =
  ({ contract, inverse }: Size) =>
  (row: WireRow): Bar => {
    const [size, sum] = [required(row.v) * contract, required(row.sum)];
    const bar: Bar = {
      timestamp: required(row.t) * 1000,
      open: positive(row.o),
      high: positive(row.h),
      low: positive(row.l),
      close: positive(row.c),
      volume: size,
      turnover: sum,
    };
    if (!inverse) return bar;
    const middle = (bar.open + bar.high + bar.low + bar.close) / 4;
    const fits = sum >= size / bar.high && sum <= size / bar.low;
    return { ...bar, volume: fits ? sum : size / middle, turnover: size };
  };

/** No row has a time. Turnover can be "nan". */
const ticker = (
  row: WireRow,
  market: Named,
  [volume, base]: readonly [quote: unknown, base: unknown],
): PriceRow | null =>
  priceOf(market, {
    last: positive(row.last),
    volume: required(volume),
    change: required(row.change_percentage),
    stated: null,
    bid: positive(row.highest_bid),
    ask: positive(row.lowest_ask),
    high: positive(row.high_24h),
    low: positive(row.low_24h),
    base: required(base),
  });

/** Tickers of spot pairs. */
export const spotTickers: Reader<Named, PriceRow> = {
  id: by('currency_pair'),
  fromId: fromId('spot'),
  isUntraded: neverTradedBy('last', 'base_volume'),
  read: (row, market) => ticker(row, market, [row.quote_volume, row.base_volume]),
};
/** Tickers of contracts. */
export const tickers: Reader<Named, PriceRow> = {
  id: by('contract'),
  fromId: fromId('perpetual'),
  isUntraded: neverTradedBy('last', 'volume_24h'),
  read: (row, market) => ticker(row, market, [row.volume_24h_quote, row.volume_24h_base]),
};
