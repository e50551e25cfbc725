/**
 * Prices of all markets of Binance by stream, where each second brings the markets that have changed, and mark prices.
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams#all-market-mini-tickers-stream
 */
import { bulk, positive, required, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, PriceRow } from '../../topics/index.ts';
import { by, changeOf, derivativeOf, marketRows, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { connection, isAnswer, subscription } from './stream.ts';

/** COIN-M counts `v` in contracts, each worth `contract` USD, and `q` in base. */
const miniTicker: Reader<Instrument, PriceRow> = {
  id: by('s'),
  isUntraded: neverTradedBy('c', 'v'),
  read(row, market) {
    const last = positive(row.c);
    const [v, q] = [required(row.v), required(row.q)];
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.o)), stated: time(row.E) },
      ...{ high: positive(row.h), low: positive(row.l) },
      ...(market.inverse ? { volume: v * market.contract, base: q } : { volume: q, base: v }),
    });
  },
};

/** The running rate `r` is charged at `T`; the hours between two fundings are not stated. */
const markPrice: Reader<Instrument, DerivativeRow> = {
  id: by('s'),
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.p), index: positive(row.i), rate: required(row.r) },
      ...{ hours: required(null), next: time(row.T), stated: time(row.E) },
    }),
};

/** A stream of all markets of an address in Binance's form. */
const ofAll = <Row>(
  url: string,
  channel: string,
  reader: Reader<Instrument, Row>,
): LatestStream<Row> => ({
  ...connection,
  url,
  channels: () => [subscription(channel)],
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    if (!Array.isArray(message) && isAnswer(message)) return null;
    return marketRows(bulk(message, 'rows'), instruments, reader);
  },
});

export const miniTickers = (url: string) => ofAll(url, '!miniTicker@arr', miniTicker);
/** All markets every second, whether they have changed or not. */
export const markPrices = (url: string) => ofAll(url, '!markPrice@arr@1s', markPrice);

/** USD-M has a route for market streams; without it the connection opens and stays silent. */
const linear = 'wss://fstream.binance.com/market/ws';

export const live = {
  prices: {
    spot: miniTickers('wss://data-stream.binance.vision/ws'),
    linear: miniTickers(linear),
    inverse: miniTickers('wss://dstream.binance.com/ws'),
  },
  derivatives: { linear: markPrices(linear) },
};
