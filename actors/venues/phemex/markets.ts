/**
 * The tables of Phemex: instruments, tickers and candles. https://phemex-docs.github.io
 *
 * Fields whose names end in `Ep`, `Er`, `Ev` are integers scaled by 10^`priceScale`, 10^8 and 10^`valueScale` of their currency;
 * those in `Rp`, `Rr`, `Rv`, `Rq` are decimals.
 */
import { classOf } from '../../../config/assets/resolve.ts';
import { positive, required, text, time, type WireRow } from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { type Cell as CellOf, type Key, numberOr } from '../cells.ts';
import { candles } from '../levels-and-bars.ts';
import { type MarketForm, markets } from '../markets.ts';
import { instrument } from '../rows.ts';
import { type Cell, endOfHours, sizeIn } from '../tables.ts';

export type PartName = 'spot' | 'linear' | 'inverse';

/** Decimals of amounts and of ratios. A few bases have others: a unit of SHIB is 0.01. */
export const usualScale = 8;
const unit = 10 ** -usualScale;

const types = { spot: 'Spot', linear: 'PerpetualV2', inverse: 'Perpetual' } as const;

/** True for a product of the part; spot and inverse share a list. */
export const isOf = (part: PartName, row: WireRow): boolean => row.type === types[part];

/** `1.0`, or `1 USD`; NaN for any other text. */
const dollars = (size: unknown): number => positive(text(size).replace(/ USD$/, '') || size);

/** A number, or a text such as `0.1` or `0.01 USDT`, in the quote: no integer as prices are. */
const tickOf = ({ tickSize, quoteTickSize }: WireRow): number =>
  positive(tickSize ?? text(quoteTickSize).replace(/ \w+$/, ''));

interface Facts {
  base: string;
  contract: number;
  /** False where an amount is not scaled as documented, so that it could not be read. */
  usual: boolean;
}

/** `1000 SHIB` is a base of 1000SHIB. An inverse contract names its base only as what settles it. */
function factsOf(part: PartName, row: WireRow, scaleOf: (currency: string) => number): Facts {
  const [base, quote] = [text(row.baseCurrency), text(row.quoteCurrency)];
  if (part === 'linear') return { base: base.replace(' ', ''), contract: 1, usual: true };
  if (part === 'spot')
    return { base, contract: 10 ** -scaleOf(base), usual: scaleOf(quote) === usualScale };
  const settle = text(row.settleCurrency);
  const usual = scaleOf(settle) === usualScale && required(row.ratioScale) === usualScale;
  return { base: settle, contract: dollars(row.contractSize), usual: usual && settle !== quote };
}

/** A row of `products`; `scaleOf` gives the decimals of a currency's amounts. */
export function readProduct(
  part: PartName,
  row: WireRow,
  market: string,
  scaleOf: (currency: string) => number,
): Instrument | null {
  const { base, contract, usual } = factsOf(part, row, scaleOf);
  const followed = usual && row.status === 'Listed';
  const kind = part === 'spot' ? 'spot' : 'perpetual';
  const seconds = positive(row.fundingInterval);
  const facts = {
    market,
    kind: followed ? kind : 'other',
    base,
    quote: text(row.quoteCurrency),
    // Delisted products may lack it, and nothing uses it.
    contract: followed ? contract : contract || 1,
    inverse: part === 'inverse',
    fundingHours: part !== 'spot' && seconds >= 3600 ? seconds / 3600 : null,
    tick: tickOf(row),
  } as const;
  const found = instrument('phemex', facts, (symbol) => classOf(row, symbol, 'phemex'));
  return found && part !== 'linear' ? inIntegers(found, required(row.priceScale)) : found;
}

/**
 * An integer price is that of 10^`decimals` coins at once: so many the native base unit has, and of
 * them a quantity counts so much less. Every formula then holds for the integers as they come.
 */
function inIntegers(market: Instrument, decimals: number): Instrument | null {
  const coins = 10 ** decimals;
  if (!(coins >= 1 && coins <= 1e16)) return null;
  const contract = market.inverse ? market.contract : market.contract / coins;
  return { ...market, scale: market.scale * coins, contract };
}

/** Unix ms of a time in ns. */
export const millis = (nanoseconds: unknown): number | null => time(nanoseconds, 1e-6);

const ofTickers = {
  rows: 'result',
  id: 'symbol',
  time: ({ timestamp }: WireRow) => millis(timestamp),
} as const satisfies MarketForm;

const scaledPrices = {
  last: 'lastEp',
  open: 'openEp',
  bid: 'bidEp',
  ask: 'askEp',
  high: 'highEp',
  low: 'lowEp',
} as const;

/** An amount or a ratio that is an integer. */
const scaled =
  (key: Key) =>
  (row: WireRow): number =>
    required(row[key]) * unit;

export const spot = markets({
  ...ofTickers,
  price: {
    ...scaledPrices,
    base: sizeIn('volumeEv'),
    quote: scaled('turnoverEv'),
    untraded: 'volumeEv',
  },
});

/** Funding is charged at the multiples of its interval since midnight UTC; no ticker states the time. */
const nextFunding: Cell = (_row, { funding_hours: hours }, { received }) =>
  hours && endOfHours(hours, received);

/** Volume and open interest are in base, one side. */
export const linear = markets({
  ...ofTickers,
  price: {
    last: 'lastRp',
    open: 'openRp',
    bid: 'bidRp',
    ask: 'askRp',
    high: 'highRp',
    low: 'lowRp',
    base: 'volumeRq',
    // Rows may lack their turnover.
    quote: ({ turnoverRv, volumeRq, lastRp }) =>
      numberOr(turnoverRv, required(volumeRq) * positive(lastRp)),
    untraded: 'volumeRq',
  },
  derivative: { mark: 'markRp', index: 'indexRp', rate: 'fundingRateRr', next: nextFunding },
  interest: { base: 'openInterestRv', mark: 'markRp' },
});

/** Volume and open interest are contracts, one side, each worth so many dollars; the turnover is in the coin that settles. */
export const inverse = markets({
  ...ofTickers,
  price: {
    ...scaledPrices,
    base: ({ turnoverEv }, { scale }) => (required(turnoverEv) * unit) / scale,
    quote: sizeIn('volume'),
    untraded: 'volume',
  },
  derivative: {
    mark: 'markEp',
    index: 'indexEp',
    rate: scaled('fundingRateEr'),
    next: nextFunding,
  },
  interest: { contracts: 'openInterest', mark: 'markEp' },
});

/** `[time, interval, close before, open, high, low, close, volume, turnover]`, time in s. */
const candle = (base: CellOf<Instrument>, quote: CellOf<Instrument>) =>
  candles({
    rows: 'data.rows',
    time: 0,
    unit: 1000,
    columns: { open: 3, high: 4, low: 5, close: 6, base, quote },
    width: 9,
  });

/** Inverse ones count contracts, then the coin that settles. */
export const candlesOf = {
  spot: candle(sizeIn(7), scaled(8)),
  linear: candle(7, 8),
  inverse: candle((row, { scale }) => (required(row[8]) * unit) / scale, sizeIn(7)),
};
