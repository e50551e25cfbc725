/** The tables of Crypto.com: instruments, tickers, valuations. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html */
import { isRecord, required, text, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { type MarketForm, markets } from '../markets.ts';
import { type DerivativeTable, nextHour } from '../tables.ts';

/** Sizes are base units; of a contract that is not 1 they might not be. */
export function kindOf(row: WireRow): Instrument['kind'] {
  if (row.tradable !== true) return 'other';
  if (row.inst_type === 'CCY_PAIR') return 'spot';
  return row.inst_type === 'PERPETUAL_SWAP' && required(row.contract_size) === 1
    ? 'perpetual'
    : 'other';
}

/**
 * `a` last, which is null where nothing has ever traded, `c` change as a fraction, `vv` turnover in US dollars whatever the
 * quote: dollar quotes are within a few thousandths of it. The open interest is of one side, in base; the tickers have no mark
 * price, so the last one values it.
 */
const ticker = {
  id: 'i',
  time: 't',
  price: {
    last: 'a',
    bid: 'b',
    ask: 'k',
    high: 'h',
    low: 'l',
    base: 'v',
    quote: 'vv',
    fraction: 'c',
    untraded: 'v',
  },
  interest: { base: 'oi', mark: 'a' },
} as const satisfies MarketForm;

export const tickers = markets({ ...ticker, rows: 'result.data' });

/**
 * `rate` is a fraction per hour, charged at every full hour and fixed for a block of 4 hours; the rate of the next block,
 * `estimated_funding_rate`, is not asked for.
 */
const derivative: DerivativeTable = {
  mark: 'mark',
  index: 'index',
  rate: 'rate',
  hours: () => 1,
  next: nextHour,
};

/** The requests about every single perpetual, in this order. */
export const valuationTypes = ['funding_rate', 'mark_price', 'index_price'] as const;

/** The index of `BTCUSD-PERP` is `BTCUSD-INDEX`. */
export const indexOf = (market: string): string => market.replace(/-PERP$/, '-INDEX');
export const perpetualOf = (index: string): string => index.replace(/-INDEX$/, '-PERP');

/** `{ instrument_name, data: [{ v, t }] }`, flat. An index answers under its own name. */
function valuation(body: unknown): WireRow {
  const result = isRecord(body) && isRecord(body.result) ? body.result : {};
  const [newest] = Array.isArray(result.data) ? result.data : [];
  const market = perpetualOf(text(result.instrument_name));
  return { ...(isRecord(newest) && newest), market };
}

/** A row of each market, out of its answers to `valuationTypes`; none of a market that was not answered at all. */
function valuationRows(bodies: readonly unknown[]): WireRow[] {
  const rows: WireRow[] = [];
  for (let at = 0; at < bodies.length; at += valuationTypes.length) {
    const about = bodies.slice(at, at + valuationTypes.length);
    if (about.every((body) => body === undefined)) continue;
    const values = about.map(valuation);
    const [funding, mark, index] = values;
    const market = values.map((value) => text(value.market)).find((id) => id !== '');
    // The mark and the index are renewed every second, the rate every minute at best.
    const t = mark?.t ?? index?.t ?? funding?.t;
    rows.push({ market, rate: funding?.v, mark: mark?.v, index: index?.v, t });
  }
  return rows;
}

export const valuations = markets({ rows: valuationRows, id: 'market', time: 't', derivative });

/** Tickers and valuations by stream. The time of a mark is its own, under `marked`. */
export const streamed = markets({ ...ticker, derivative: { ...derivative, stated: 'marked' } });
