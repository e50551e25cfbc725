/** The rows of Deribit: instrument list and book summaries. https://docs.deribit.com */
import { bulk, field, list, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Parsed } from '../../sources/define.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import {
  by,
  derivativeOf,
  instrument,
  instrumentRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';

/** Linear perpetuals settle in USDC, inverse ones in their coin. */
export type PartName = 'spot' | 'linear' | 'inverse';

/** Rows of all bodies; one currency may have none, all of them may not. */
export const resultOf = (bodies: readonly unknown[]): readonly unknown[] =>
  bulk(
    bodies.flatMap((body) => list(field(body, 'result'), 'result')),
    'result',
  );

const closed: ReadonlySet<unknown> = new Set(['halted', 'closed', 'inactive', 'terminated']);

/** Dated contracts and underlyings other than crypto (equities, commodities, indices) are not followed. */
function kindOf(row: WireRow, part: PartName): Instrument['kind'] {
  const crypto = (text(row.underlying_type) || 'crypto') === 'crypto';
  if (row.is_active !== true || closed.has(row.state) || !crypto) return 'other';
  if (part === 'spot') return 'spot';
  return row.settlement_period === 'perpetual' ? 'perpetual' : 'other';
}

/** The instruments of a part, from one body or several. */
export const readInstruments = (part: PartName, bodies: readonly unknown[]): Parsed<Instrument> =>
  instrumentRows(resultOf(bodies), 'instrument_name', (row, market) =>
    instrument({
      market,
      kind: kindOf(row, part),
      base: text(row.base_currency),
      // `quote_currency` of an option is that of its premium.
      quote: text(row.counter_currency),
      contract: 1,
      inverse: part === 'inverse',
    }),
  );

/** `BTC-PERPETUAL` is in US dollars. A linear id does not state whether its underlying is crypto. */
function inverseFromId(market: string): Named | null {
  const [base = '', type, more] = market.split('-');
  if (type !== 'PERPETUAL' || more !== undefined || base === '' || base.includes('_')) return null;
  return { market, kind: 'perpetual', quote: 'USD', ...canonical(base) };
}

/** Reads one book summary of a market. */
export type Read<Row> = (row: WireRow, market: Named) => Row | null;

/** A reader of the book summaries of a part. */
export const reader = <Row>(part: PartName, read: Read<Row>): Reader<Named, Row> => ({
  id: by('instrument_name'),
  read,
  ...(part === 'inverse' && { fromId: inverseFromId }),
});

const statedOf = (row: WireRow) => time(row.creation_timestamp);

/** `volume_notional` is quote, `volume` base (on inverse contracts too); `volume_usd` is older than the first. */
export function price(row: WireRow, market: Named): PriceRow | null {
  const last = positive(row.last);
  const [notional, usd] = [required(row.volume_notional), required(row.volume_usd)];
  const known = notional >= 0 ? notional : usd;
  const volume = known >= 0 ? known : required(row.volume) * last;
  const change = required(row.price_change);
  return priceOf(market, {
    ...{ last, volume, change, stated: statedOf(row) },
    ...{ bid: positive(row.bid_price), ask: positive(row.ask_price) },
    ...{ high: positive(row.high), low: positive(row.low), base: required(row.volume) },
  });
}

/**
 * `current_funding` is per 8 hours and accrues all the time, so that there is no next funding;
 * `estimated_delivery_price` of a perpetual is its index.
 */
export const derivative: Read<DerivativeRow> = (row, market) =>
  derivativeOf(market, {
    mark: positive(row.mark_price),
    index: positive(row.estimated_delivery_price),
    rate: required(row.current_funding),
    hours: 8,
    next: null,
    stated: statedOf(row),
  });

/** One side: US dollars on inverse contracts, base on linear ones. */
export function interest(part: PartName): Read<OpenInterestRow> {
  return (row, market) => {
    const amount = required(row.open_interest);
    return openInterestOf(market, {
      base: part === 'inverse' ? NaN : amount,
      value: part === 'inverse' ? amount : NaN,
      mark: positive(row.mark_price),
      stated: statedOf(row),
    });
  };
}
