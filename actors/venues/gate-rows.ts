/** How rows of Gate are read: refusals, ids, contracts and candles. See gate.ts. */
import { isRecord, positive, required, text } from '../read.ts';
import type { Failure, FailureCode, Instrument, PriceRow } from '../topics.ts';
import type { Bar } from './candles.ts';
import { instrument, type Named, type Size, type WireRow } from './rows.ts';
import { canonical } from './symbols.ts';

const faults: ReadonlyMap<string, FailureCode> = new Map([
  ['CONTRACT_NOT_FOUND', 'unknown_instrument'],
  ['INVALID_CURRENCY', 'unknown_instrument'],
  ['INVALID_CURRENCY_PAIR', 'unknown_instrument'],
  ['TOO_MANY_REQUESTS', 'rate_limited'],
  ['TOO_FAST', 'rate_limited'],
  ['FORBIDDEN', 'blocked'],
  ['IP_FORBIDDEN', 'blocked'],
  ['TOO_BUSY', 'unavailable'],
  ['SERVER_ERROR', 'unavailable'],
  ['INTERNAL', 'unavailable'],
]);

/** Refusals are `{label, message}`, or `detail` in the place of the message. */
export function fault(status: number, body: unknown): Failure | null {
  if (!isRecord(body) || typeof body.label !== 'string') return null;
  const message = text(body.message) || text(body.detail);
  const code = faultCode(status, body.label, message);
  const label = /^[A-Z_]{1,40}$/.test(body.label) ? body.label : 'without a known label';
  return { code, message: `Gate error ${label}`, status };
}

function faultCode(status: number, label: string, message: string): FailureCode {
  // Of all parameters only these two are a client's.
  const unknown = label === 'INVALID_PARAM_VALUE' && /currency_pair|contract/.test(message);
  const known = unknown ? 'unknown_instrument' : faults.get(label);
  if (known) return known;
  if (status === 429) return 'rate_limited';
  if (status === 403) return 'blocked';
  return status >= 500 ? 'unavailable' : 'refused';
}

/** Perpetuals are grouped by what they settle in. */
export type Settle = 'usdt' | 'btc';

/** BTC3L and ETH5S are leveraged tokens. */
export const isLeveraged = (base: string) => /\d[LS]$/.test(base);

/** What the id states; BTC_USDT_20260626 is dated. */
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

/** `contract_type` names what is no crypto (shares, metals); older answers have neither it nor a `status`. */
function kindOf(row: WireRow, settle: Settle): Instrument['kind'] {
  const trades = (text(row.status) || 'trading') === 'trading' && row.in_delisting !== true;
  const crypto = text(row.contract_type) === '' && row.is_pre_market !== true;
  // What BTC settles is inverse, or a quanto whose contracts have no size in base.
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

/** A time in units of `unit` ms, possibly with a fraction, as ms; null where it is absent. */
export function milliseconds(time: unknown, unit: number): number | null {
  const ms = Math.round(positive(time) * unit);
  return ms < Infinity ? ms : null;
}

/** `[s, quote volume, close, high, low, open, base volume, closed]`. */
export const spotCandle = (row: WireRow): Bar => ({
  timestamp: required(row[0]) * 1000,
  open: positive(row[5]),
  high: positive(row[3]),
  low: positive(row[4]),
  close: positive(row[2]),
  volume: required(row[6]),
  turnover: required(row[1]),
});

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
