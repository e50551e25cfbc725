/** How OKX's rows are read: names, kinds, units. https://www.okx.com/docs-v5/en */
import {
  bulk,
  field,
  isRecord,
  list,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
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

const unknown = required(undefined);

/** The parts of the id: `BTC-USDT` is spot, `BTC-USD-SWAP` a perpetual, any longer form is dated. */
function fromId(market: string): Named | null {
  const [base, quote, type, ...more] = market.split('-');
  if (!base || !quote) return null;
  const kind = type === undefined ? 'spot' : 'perpetual';
  const other = more.length > 0 || (type !== undefined && type !== 'SWAP');
  return { market, kind: other ? 'other' : kind, quote, ...canonical(base) };
}

/**
 * `instCategory` 1 is crypto, 3 and above shares, metals, currencies; older answers have none.
 * `USD_UM` is a quote of the US venue and `xperp` a dated contract.
 */
const isTraded = (row: WireRow, quote: string): boolean =>
  row.state === 'live' &&
  row.ruleType !== 'xperp' &&
  quote !== 'USD_UM' &&
  (text(row.instCategory) || '1') === '1';

/**
 * NaN when a contract that trades does not state its size; before its opening none does, and none
 * is needed.
 */
function contractOf(row: WireRow): number {
  const known = row.ctType === 'linear' || row.ctType === 'inverse';
  const size = known ? positive(positive(row.ctVal) * positive(row.ctMult)) : unknown;
  return row.state === 'live' || size > 0 ? size : 1;
}

/** A row of `instruments`; null, which drops it, when it trades and is unreadable. */
export function readInstrument(row: WireRow, market: string): Instrument | null {
  const named = fromId(market);
  const contract = row.instType === 'SPOT' ? 1 : contractOf(row);
  if (!named || !(contract > 0)) return null;
  const kind = isTraded(row, named.quote) ? named.kind : 'other';
  return { ...named, kind, contract, inverse: row.ctType === 'inverse', funding_hours: null };
}

/** `volCcy24h` is quote on spot and base on swaps, both linear and inverse. */
export const tickers: Reader<Named, PriceRow> = {
  id: by('instId'),
  fromId,
  isUntraded: neverTradedBy('last', 'vol24h'),
  read(row, market) {
    const last = positive(row.last);
    const volume = required(row.volCcy24h) * (market.kind === 'spot' ? 1 : last);
    const change = changeOf(last, positive(row.open24h));
    return priceOf(market, {
      ...{ last, volume, change, stated: time(row.ts) },
      ...{ bid: positive(row.bidPx), ask: positive(row.askPx) },
      ...{ high: positive(row.high24h), low: positive(row.low24h) },
      base: required(market.kind === 'spot' ? row.vol24h : row.volCcy24h),
    });
  },
};

/** Rows of the answers that are there, which may be empty but for one, by their id. */
export const rowsById = (what: string, ...bodies: unknown[]): ReadonlyMap<string, WireRow> => {
  const answered = bodies.filter((body) => body !== undefined);
  const byId = new Map<string, WireRow>();
  if (answered.length === 0) return byId;
  for (const row of bulk(
    answered.flatMap((body) => list(field(body, 'data'), what)),
    what,
  )) {
    if (isRecord(row)) byId.set(text(row.instId), row);
  }
  return byId;
};

const hour = 3_600_000;

/** `fundingRate` is charged at `fundingTime`, the one after it at `nextFundingTime`. */
export const derivative = (
  rates: ReadonlyMap<string, WireRow>,
  indices: ReadonlyMap<string, WireRow>,
): Reader<Named, DerivativeRow> => ({
  id: by('instId'),
  fromId,
  read(row, market) {
    const funding = rates.get(market.market);
    const next = time(funding?.fundingTime);
    return derivativeOf(market, {
      mark: positive(row.markPx),
      index: positive(indices.get(market.market.replace('-SWAP', ''))?.idxPx),
      rate: required(funding?.fundingRate),
      hours: (positive(funding?.nextFundingTime) - positive(next)) / hour,
      next,
      stated: time(row.ts),
    });
  },
});

/** A market with its contract, where the instrument list holds it. */
type Contract = Named & Partial<Pick<Instrument, 'contract' | 'inverse'>>;

/** Base units of a number of contracts, each worth `contract` base units, or US dollars when inverse. */
const baseOf = (contracts: number, { contract = unknown, inverse }: Contract, mark: number) =>
  (contracts * contract) / (inverse ? mark : 1);

/**
 * One side: `oiCcy` in base, `oi` in contracts. `oiUsd` is in dollars, not in the quote: used where no mark is known.
 */
export const interest = (
  marks: ReadonlyMap<string, WireRow>,
): Reader<Contract, OpenInterestRow> => ({
  id: by('instId'),
  fromId,
  read(row, market) {
    const mark = positive(marks.get(market.market)?.markPx);
    return openInterestOf(market, {
      base: required(row.oiCcy),
      value: mark > 0 ? unknown : required(row.oiUsd),
      mark,
      stated: time(row.ts),
      again: baseOf(required(row.oi), market, mark),
    });
  },
});
