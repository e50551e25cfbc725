/** Readers of KuCoin's rows. */
import {
  bulk,
  field,
  isRecord,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { Parsed } from '../../sources/define.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { barOf, ohlc, type Size } from '../levels-and-bars.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  type Named,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical, pairOf } from '../symbols.ts';
import { neverTradedBy } from '../wire.ts';

/** Where a candle has its numbers. */
const candleKeys = { open: 1, high: 3, low: 4, close: 2, volume: 5, turnover: 6 };

/** The parts of a spot id: `BTC-USDT`. */
export function fromId(market: string): Named | null {
  const pair = pairOf(market, '-');
  return pair && { market, kind: 'spot', quote: pair.quote, ...canonical(pair.base) };
}

/** A leveraged token (BTC3L, BTCUP) has its own market group, or the name of another base before its suffix. */
function isLeveraged(row: WireRow, bases: ReadonlySet<string>): boolean {
  if (row.market === 'ETF') return true;
  const [, base] = /^(.+?)(?:[2-5][LS]|UP|DOWN)$/.exec(text(row.baseCurrency)) ?? [];
  return base !== undefined && bases.has(base);
}

/** `v2/symbols`. */
export function spotInstruments(body: unknown): Parsed<Instrument> {
  const rows = bulk(field(body, 'data'), 'symbols');
  const bases = new Set(rows.filter(isRecord).map((row) => text(row.baseCurrency)));
  return instrumentRows(rows, 'symbol', (row, market) =>
    instrument({
      market,
      kind: row.enableTrading === true && !isLeveraged(row, bases) ? 'spot' : 'other',
      base: text(row.baseCurrency),
      quote: text(row.quoteCurrency),
    }),
  );
}

const hour = 3_600_000;

/** Hours from `fundingRateGranularity` (ms), on older rows from the name of the rate: `.XBTUSDTMFPI8H`. */
function hoursOf(row: WireRow): number {
  const stated = positive(row.fundingRateGranularity) / hour;
  if (stated > 0) return stated;
  const [, named] = /FPI(\d+)H$/.exec(text(row.fundingRateSymbol)) ?? [];
  return positive(named);
}

/**
 * `contracts/active`: `FFWCSX` is a perpetual, the rest is dated. `multiplier` is base per contract; inverse
 * contracts have -1, one USD each.
 */
export const contractInstruments = (body: unknown): Parsed<Instrument> =>
  instrumentRows(bulk(field(body, 'data'), 'contracts'), 'symbol', (row, market) =>
    instrument({
      market,
      kind: row.type === 'FFWCSX' && row.status === 'Open' ? 'perpetual' : 'other',
      base: text(row.baseCurrency),
      quote: text(row.quoteCurrency),
      contract:
        row.isInverse === true ? Math.abs(required(row.multiplier)) : positive(row.multiplier),
      inverse: row.isInverse === true,
      fundingHours: optional(hoursOf(row)),
    }),
  );

/**
 * `volValue` is quote, `changePrice` the change in quote, `changeRate` a rounded fraction; a pair that never traded has
 * nulls.
 */
export const spotTickers = (stated: number | null): Reader<Named, PriceRow> => ({
  id: by('symbol'),
  fromId,
  isUntraded: neverTradedBy('last', 'vol'),
  read(row, market) {
    const last = positive(row.last);
    const open = last - required(row.changePrice);
    return priceOf(market, {
      last,
      volume: required(row.volValue),
      change: changeOf(last, open, required(row.changeRate) * 100),
      stated,
      bid: positive(row.buy),
      ask: positive(row.sell),
      high: positive(row.high),
      low: positive(row.low),
      base: required(row.vol),
    });
  },
});

/**
 * `turnoverOf24h` is quote on linear contracts and base on inverse ones, whose `volumeOf24h` is in USD. `priceChg` is
 * the change in quote, `priceChgPct` a rounded fraction.
 */
export const contractTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded: neverTradedBy('lastTradePrice', 'volumeOf24h'),
  read(row, market) {
    const last = positive(row.lastTradePrice);
    const volume = required(market.inverse ? row.volumeOf24h : row.turnoverOf24h);
    const open = last - required(row.priceChg);
    const change = changeOf(last, open, required(row.priceChgPct) * 100);
    return priceOf(market, {
      ...{ last, volume, change, stated: null },
      ...{ high: positive(row.highPrice), low: positive(row.lowPrice) },
      base: required(market.inverse ? row.turnoverOf24h : row.volumeOf24h),
    });
  },
};

const minute = 60_000;

/**
 * `fundingFeeRate` is charged in `nextFundingRateTime` ms from now: a countdown. Fundings are on whole hours, so that
 * rounding to the minute takes away the time that the answer travelled.
 */
export const derivatives = (received: number): Reader<Instrument, DerivativeRow> => ({
  id: by('symbol'),
  read(row, market) {
    const next = Math.round((received + positive(row.nextFundingRateTime)) / minute) * minute;
    return derivativeOf(market, {
      mark: positive(row.markPrice),
      index: positive(row.indexPrice),
      rate: required(row.fundingFeeRate),
      predicted: required(row.predictedFundingFeeRate),
      hours: hoursOf(row),
      next: time(next),
      stated: null,
    });
  },
});

/** `openInterest` counts contracts, one side. */
export const interests: Reader<Instrument, OpenInterestRow> = {
  id: by('symbol'),
  read(row, market) {
    const contracts = required(row.openInterest) * market.contract;
    return openInterestOf(market, {
      base: market.inverse ? required(null) : contracts,
      value: market.inverse ? contracts : required(null),
      mark: positive(row.markPrice),
      stated: null,
    });
  },
};

/** `[time in s, open, close, high, low, base, quote]`. */
export const spotCandle = (row: WireRow): Bar => barOf(row, required(row[0]) * 1000, candleKeys);

/**
 * `[time in ms, open, high, low, close, contracts]`. Base of inverse contracts is not stated: their USD at the mean of
 * the four prices. Quote of linear ones is not stated either.
 */
export const contractCandle =
  ({ contract, inverse }: Size) =>
  (row: WireRow): Bar => {
    const amount = required(row[5]) * contract;
    if (!inverse) return ohlc(row, amount, null);
    const bar = ohlc(row, amount, amount);
    bar.volume = (amount * 4) / (bar.open + bar.high + bar.low + bar.close);
    return bar;
  };
