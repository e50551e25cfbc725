/** Kraken Futures: linear (`PF_`) and inverse (`PI_`) perpetuals, all in one list. */
import { bulk, field, isRecord, positive, required, text, type WireRow } from '../../read.ts';
import type { MarketPoll, SharedPoll } from '../../sources/venue.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import {
  by,
  changeOf,
  derivativeOf,
  instrument,
  instrumentRows,
  marketRows,
  openInterestOf,
  priceOf,
} from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import type { Ask } from './api.ts';

/** Kraken's names of assets that the field knows by another, as bases and as quotes. */
const assets: ReadonlyMap<string, string> = new Map([
  ['XBT', 'BTC'],
  ['XDG', 'DOGE'],
  ['LUNA', 'LUNC'],
  ['LUNA2', 'LUNA'],
  ['UST', 'USTC'],
  ['REP', 'REPV1'],
  ['REPV2', 'REP'],
]);

/** The usual ticker of an asset as Kraken names it. */
export const assetOf = (name: string): string => assets.get(name) ?? name;

const unknown = required(null);
const isInverse = (market: string) => market.startsWith('PI_');
const isPerpetual = (market: string) => market.startsWith('PF_') || isInverse(market);

/** Shares, metals and currencies are marked in one of two ways; `FI_` and `FF_` are dated. */
const isFollowed = (row: WireRow, market: string): boolean =>
  isPerpetual(market) &&
  row.tradeable === true &&
  row.tradfi !== true &&
  !/equit|stock|forex|commodit/i.test(text(row.category));

/** A contract is one base unit (`PF_`) or one USD (`PI_`); indices are listed too and are left out. */
export const futuresInstruments: MarketPoll<Instrument, Ask> = {
  requests: () => [{ api: 'futures', path: '/derivatives/api/v3/instruments' }],
  parse([body]) {
    const rows = bulk(field(body, 'instruments'), 'instruments');
    const contracts = rows.filter((row) => !isRecord(row) || !text(row.type).endsWith(' index'));
    return instrumentRows(contracts, 'symbol', (row, market) => {
      const [base = '', quote = ''] = text(row.pair).split(':');
      const followed = isFollowed(row, market);
      return instrument({
        market,
        kind: followed ? 'perpetual' : 'other',
        base: assetOf(text(row.base) || base),
        quote: assetOf(text(row.quote) || quote),
        contract: followed ? positive(row.contractSize) : 1,
        inverse: isInverse(market),
        fundingHours: followed ? 1 : null,
      });
    });
  },
};

const hour = 3_600_000;

/** Tickers of perpetuals that trade: the list also holds indices, dated contracts and suspended ones. */
const traded = (body: unknown): unknown[] =>
  bulk(field(body, 'tickers'), 'tickers').filter((row) => {
    const id = isRecord(row) ? text(row.symbol) : '';
    return id === '' || (isPerpetual(id) && isRecord(row) && row.suspended !== true);
  });

/** Reads the tickers with the time at which the exchange sent them; `lastTime` is that of the last trade. */
const futures =
  <Row>(read: (row: WireRow, market: Instrument, stated: number | null) => Row | null) =>
  (body: unknown, instruments: ReadonlyMap<string, Instrument>) => {
    const stated = timeOf(field(body, 'serverTime'));
    return marketRows(traded(body), instruments, {
      id: by('symbol'),
      isUntraded: neverTradedBy('last', 'vol24h'),
      read: (row, market) => read(row, market, stated),
    });
  };

/** `vol24h` is base (`PF_`) or USD (`PI_`); `volumeQuote` is quote, not always sent, and for `PF_` alone. */
const futuresTickers = futures<PriceRow>((row, market, stated) => {
  const last = positive(row.last);
  const amount = required(row.vol24h) * market.contract;
  const quoted = required(row.volumeQuote);
  const linear = quoted >= 0 ? quoted : amount * last;
  const volume = market.inverse ? amount : linear;
  return priceOf(market, {
    ...{ last, volume, change: changeOf(last, positive(row.open24h)), stated },
    ...{ bid: positive(row.bid), ask: positive(row.ask) },
    ...{ high: positive(row.high24h), low: positive(row.low24h) },
    base: market.inverse ? unknown : amount,
  });
});

/**
 * `fundingRate` is an amount an hour, not a fraction: USD per base unit (`PF_`), base per USD (`PI_`). It is
 * charged on the full hour.
 */
const futuresFunding = (received: number) =>
  futures<DerivativeRow>((row, market, stated) => {
    const mark = positive(row.markPrice);
    const rateOf = (paid: number) => (market.inverse ? paid * mark : paid / mark);
    return derivativeOf(market, {
      mark,
      index: positive(row.indexPrice),
      rate: rateOf(required(row.fundingRate)),
      predicted: rateOf(required(row.fundingRatePrediction)),
      hours: 1,
      next: (Math.floor((stated ?? received) / hour) + 1) * hour,
      stated,
    });
  });

/** One side, in base (`PF_`) or USD (`PI_`). */
const futuresInterest = futures<OpenInterestRow>((row, market, stated) => {
  const open = required(row.openInterest) * market.contract;
  const sides = market.inverse ? { base: unknown, value: open } : { base: open, value: unknown };
  return openInterestOf(market, { ...sides, mark: positive(row.markPrice), stated });
});

export const futuresPrices: MarketPoll<PriceRow, Ask> = {
  requests: () => [{ api: 'futures', path: '/derivatives/api/v3/tickers' }],
  parse: ([body], { instruments }) => futuresTickers(body, instruments),
};
export const derivatives: SharedPoll<DerivativeRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments, received }) => futuresFunding(received)(body, instruments),
};
export const openInterest: SharedPoll<OpenInterestRow> = {
  bodiesOf: 'prices',
  parse: ([body], { instruments }) => futuresInterest(body, instruments),
};
