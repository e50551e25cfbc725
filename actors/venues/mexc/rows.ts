/** Readers of MEXC's rows. */
import { bulk, field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { Bar } from '../../sources/candles.ts';
import type { InstrumentMap, Parsed } from '../../sources/define.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { ohlc, type Size } from '../levels-and-bars.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
import { canonical } from '../symbols.ts';
import { neverTradedBy, numberOr, rowsFromColumns } from '../wire.ts';

/** Status "1" is online, "ENABLED" in older answers. A leveraged token (BTC3L) has another base in its name. */
function isTraded(row: WireRow, bases: ReadonlySet<string>): boolean {
  const [, leveraged] = /^(.+?)[2-5][LS]$/.exec(text(row.baseAsset)) ?? [];
  if (leveraged !== undefined && bases.has(leveraged)) return false;
  return (row.status === '1' || row.status === 'ENABLED') && row.isSpotTradingAllowed === true;
}

/** `exchangeInfo`. */
export function spotInstruments(body: unknown): Parsed<Instrument> {
  const rows = bulk(field(body, 'symbols'), 'symbols');
  const bases = new Set(rows.filter(isRecord).map((row) => text(row.baseAsset)));
  return instrumentRows(rows, 'symbol', (row, market) =>
    instrument({
      market,
      kind: isTraded(row, bases) ? 'spot' : 'other',
      base: text(row.baseAsset),
      quote: text(row.quoteAsset),
    }),
  );
}

/**
 * State 0 is enabled; contracts on shares end in STOCK, those on metals name their token in brackets; `futureType`,
 * which older answers lack, is 1 for perpetuals.
 */
const isPerpetual = (row: WireRow, base: string) =>
  row.state === 0 &&
  row.isHidden !== true &&
  (row.futureType === undefined || row.futureType === 1) &&
  !base.endsWith('STOCK') &&
  !base.includes('(');

/** Prices are those of the name: where `baseCoin` of 1000BONK_USDT is BONK, the name holds the scale. */
function baseOf(stated: string, market: string): string {
  const [named = ''] = market.split('_');
  const { symbol, scale } = canonical(named);
  return scale !== 1 && symbol === stated.toUpperCase() ? named : stated;
}

/**
 * `contract/detail`: `contractSize` is base per contract where the quote settles, USD per contract where the base
 * does; anything else has no unit that is known.
 */
export const contractInstruments = (body: unknown): Parsed<Instrument> =>
  instrumentRows(bulk(field(body, 'data'), 'contracts'), 'symbol', (row, market) => {
    const [base, quote] = [baseOf(text(row.baseCoin), market), text(row.quoteCoin)];
    const inverse = row.settleCoin === row.baseCoin && row.settleCoin !== quote;
    const contract = positive(inverse || row.settleCoin === quote ? row.contractSize : null);
    const kind = isPerpetual(row, base) ? 'perpetual' : 'other';
    return instrument({ market, kind, base, quote, contract, inverse });
  });

/** `priceChangePercent` is a rounded fraction. The turnover may be absent. */
export const spotTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded: neverTradedBy('lastPrice', 'volume'),
  read(row, market) {
    const last = positive(row.lastPrice);
    return priceOf(market, {
      last,
      volume: numberOr(row.quoteVolume, required(row.volume) * last),
      change: changeOf(last, positive(row.openPrice), required(row.priceChangePercent) * 100),
      stated: time(row.closeTime),
      bid: positive(row.bidPrice),
      ask: positive(row.askPrice),
      high: positive(row.highPrice),
      low: positive(row.lowPrice),
      base: required(row.volume),
    });
  },
};

/**
 * `amount24` is quote on linear contracts; inverse ones are counted by `volume24` contracts of `contract` USD.
 * `riseFallValue` is the change in quote, `riseFallRate` a rounded fraction.
 */
export const contractTickers: Reader<Instrument, PriceRow> = {
  id: by('symbol'),
  isUntraded: neverTradedBy('lastPrice', 'volume24'),
  read(row, market) {
    const last = positive(row.lastPrice);
    const contracts = required(row.volume24) * market.contract;
    const open = last - required(row.riseFallValue);
    return priceOf(market, {
      last,
      volume: market.inverse ? contracts : numberOr(row.amount24, contracts * last),
      change: changeOf(last, open, required(row.riseFallRate) * 100),
      stated: time(row.timestamp),
      bid: positive(row.bid1),
      ask: positive(row.ask1),
      high: positive(row.high24Price),
      low: positive(row.lower24Price),
      base: market.inverse ? required(null) : contracts,
    });
  },
};

/** Bodies: `contract/ticker` for mark (`fairPrice`) and index, `contract/funding_rate` for rate, hours and time. */
export function derivatives(
  [tickers, fundings]: readonly unknown[],
  instruments: InstrumentMap,
): Parsed<DerivativeRow> {
  const funding = new Map<string, WireRow>();
  const listed = fundings === undefined ? [] : bulk(field(fundings, 'data'), 'funding rates');
  for (const row of listed) {
    if (isRecord(row)) funding.set(text(row.symbol), row);
  }
  return marketRows(bulk(field(tickers, 'data'), 'tickers'), instruments, {
    id: by('symbol'),
    read(row, market) {
      const own = funding.get(market.market) ?? {};
      return derivativeOf(market, {
        mark: positive(row.fairPrice),
        index: positive(row.indexPrice),
        rate: required(own.fundingRate ?? own.rate ?? row.fundingRate),
        hours: positive(own.collectCycle),
        next: time(own.nextSettleTime),
        stated: time(row.timestamp),
      });
    },
  });
}

/** `holdVol` counts contracts, one side. */
export const interests: Reader<Instrument, OpenInterestRow> = {
  id: by('symbol'),
  read(row, market) {
    const contracts = required(row.holdVol) * market.contract;
    return openInterestOf(market, {
      base: market.inverse ? required(null) : contracts,
      value: market.inverse ? contracts : required(null),
      mark: positive(row.fairPrice),
      stated: time(row.timestamp),
    });
  },
};

/** `[time in ms, open, high, low, close, base, close time, quote]`. */
export const spotCandle = (row: WireRow): Bar => ohlc(row, required(row[5]), required(row[7]));

const columns = ['time', 'open', 'high', 'low', 'close', 'vol', 'amount'] as const;

/** Rows `[time in s, open, high, low, close, contracts, quote]` of an answer that has a list for each of them. */
export const contractRows = (body: unknown): unknown[][] =>
  rowsFromColumns(field(body, 'data'), columns);

/** Base of inverse contracts is not stated: their USD at the mean of the four prices. */
export const contractCandle =
  ({ contract, inverse }: Size) =>
  (row: WireRow): Bar => {
    const amount = required(row[5]) * contract;
    const bar = ohlc(row, amount, inverse ? amount : required(row[6]));
    bar.timestamp *= 1000;
    if (inverse) bar.volume = (amount * 4) / (bar.open + bar.high + bar.low + bar.close);
    return bar;
  };
