/** How Phemex's rows are read: its scaled integers and its decimals. https://phemex-docs.github.io */
import { positive, required, text, time, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import type { Size } from '../levels-and-bars.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { neverTradedBy, numberOr } from '../wire.ts';

export type PartName = 'spot' | 'linear' | 'inverse';

const scaled = {
  last: 'lastEp',
  open: 'openEp',
  bid: 'bidEp',
  ask: 'askEp',
  high: 'highEp',
  low: 'lowEp',
} as const;

/**
 * Names of the numbers. Those that end in `Ep`, `Er`, `Ev` are integers scaled by 10^`priceScale`, 10^8 and
 * 10^`valueScale` of their currency; those in `Rp`, `Rr`, `Rv`, `Rq` are decimals.
 */
const names = {
  spot: { ...scaled, volume: 'volumeEv' },
  linear: {
    last: 'lastRp',
    open: 'openRp',
    bid: 'bidRp',
    ask: 'askRp',
    high: 'highRp',
    low: 'lowRp',
    volume: 'volumeRq',
    mark: 'markRp',
    index: 'indexRp',
    rate: 'fundingRateRr',
    interest: 'openInterestRv',
  },
  inverse: {
    ...scaled,
    volume: 'volume',
    mark: 'markEp',
    index: 'indexEp',
    rate: 'fundingRateEr',
    interest: 'openInterest',
  },
} as const;

/** Decimals of amounts and of ratios. A few bases have others: a unit of SHIB is 0.01. */
export const usualScale = 8;
const unit = 10 ** -usualScale;

const types = { spot: 'Spot', linear: 'PerpetualV2', inverse: 'Perpetual' } as const;

/** True for a product of the part; spot and inverse share a list. */
export const isOf = (part: PartName, row: WireRow): boolean => row.type === types[part];

/** Shares and announced coins trade among the linear contracts. */
const notCrypto: ReadonlySet<unknown> = new Set(['TradFi', 'PreMarket']);

/** `1.0`, or `1 USD`; NaN for any other text. */
const dollars = (size: unknown): number => positive(text(size).replace(/ USD$/, '') || size);

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
  const followed = usual && row.status === 'Listed' && !notCrypto.has(row.perpProductSubType);
  const kind = part === 'spot' ? 'spot' : 'perpetual';
  const seconds = positive(row.fundingInterval);
  const found = instrument({
    market,
    kind: followed ? kind : 'other',
    base,
    quote: text(row.quoteCurrency),
    // Delisted products may lack it, and nothing uses it.
    contract: followed ? contract : contract || 1,
    inverse: part === 'inverse',
    fundingHours: part !== 'spot' && seconds >= 3600 ? seconds / 3600 : null,
  });
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

/**
 * 24 h turnover in quote: a contract of an inverse market is worth so many dollars. Linear rows may lack theirs; their
 * volume is in base.
 */
function turnover(part: PartName, row: WireRow, { contract }: Instrument): number {
  if (part === 'spot') return required(row.turnoverEv) * unit;
  if (part === 'inverse') return required(row.volume) * contract;
  return numberOr(row.turnoverRv, required(row.volumeRq) * positive(row.lastRp));
}

/** 24 h volume in native base units; that of an inverse market is stated in the coin that settles. */
function baseVolume(part: PartName, row: WireRow, { contract, scale }: Instrument): number {
  if (part === 'spot') return required(row.volumeEv) * contract;
  return part === 'linear' ? required(row.volumeRq) : (required(row.turnoverEv) * unit) / scale;
}

export const tickers = (part: PartName): Reader<Instrument, PriceRow> => ({
  id: by('symbol'),
  isUntraded: neverTradedBy(names[part].last, names[part].volume),
  read(row, market) {
    const last = positive(row[names[part].last]);
    return priceOf(market, {
      last,
      volume: turnover(part, row, market),
      change: changeOf(last, positive(row[names[part].open])),
      stated: millis(row.timestamp),
      bid: positive(row[names[part].bid]),
      ask: positive(row[names[part].ask]),
      high: positive(row[names[part].high]),
      low: positive(row[names[part].low]),
      base: baseVolume(part, row, market),
    });
  },
});

const hour = 3_600_000;

/** Funding is charged at the multiples of its interval since midnight UTC; no ticker states the time. */
function nextFunding(hours: number | null, now: number): number | null {
  if (hours === null) return null;
  const interval = hours * hour;
  return (Math.floor(now / interval) + 1) * interval;
}

/** Mark, index and funding in a contract's ticker; `now` is when it was received. */
export const derivatives = (
  part: 'linear' | 'inverse',
  now: number,
): Reader<Instrument, DerivativeRow> => ({
  id: by('symbol'),
  read: (row, market) =>
    derivativeOf(market, {
      mark: positive(row[names[part].mark]),
      index: positive(row[names[part].index]),
      rate: required(row[names[part].rate]) * (part === 'inverse' ? unit : 1),
      hours: market.funding_hours ?? required(null),
      next: nextFunding(market.funding_hours, now),
      stated: millis(row.timestamp),
    }),
});

/** One side: base units when linear, contracts when inverse. */
export const interest = (part: 'linear' | 'inverse'): Reader<Instrument, OpenInterestRow> => ({
  id: by('symbol'),
  read(row, market) {
    const count = required(row[names[part].interest]);
    const unknown = required(null);
    return openInterestOf(market, {
      base: market.inverse ? unknown : count,
      value: market.inverse ? count * market.contract : unknown,
      mark: positive(row[names[part].mark]),
      stated: millis(row.timestamp),
    });
  },
});

/** Base and quote of a candle in native units; inverse ones count contracts, then the coin that settles. */
function traded(part: string, row: WireRow, { contract, scale }: Size): [number, number] {
  const [volume, value] = [required(row[7]), required(row[8])];
  if (part === 'spot') return [volume * contract, value * unit];
  return part === 'linear' ? [volume, value] : [(value * unit) / scale, volume * contract];
}

/** `[time, interval, close before, open, high, low, close, volume, turnover]`, time in s. */
export function candle(part: string, row: WireRow, size: Size): Bar {
  const [volume, value] = traded(part, row, size);
  return {
    timestamp: required(row[0]) * 1000,
    open: positive(row[3]),
    high: positive(row[4]),
    low: positive(row[5]),
    close: positive(row[6]),
    volume,
    turnover: value,
  };
}
