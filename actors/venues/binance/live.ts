/**
 * Prices of all markets of Binance by stream; each second brings the markets that have changed.
 * https://developers.binance.com/docs/binance-spot-api-docs/web-socket-streams#all-market-mini-tickers-stream
 */
import { bulk, positive, required, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changeOf, marketRows, priceOf, type Reader } from '../rows.ts';
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

/** `!miniTicker@arr` of an address in Binance's form. */
export const miniTickers = (url: string): LatestStream<PriceRow> => ({
  ...connection,
  url,
  channels: () => [subscription('!miniTicker@arr')],
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    if (!Array.isArray(message) && isAnswer(message)) return null;
    return marketRows(bulk(message, 'tickers'), instruments, miniTicker);
  },
});

/** USD-M has a route for market streams; without it the connection opens and stays silent. */
export const livePrices = {
  spot: miniTickers('wss://data-stream.binance.vision/ws'),
  linear: miniTickers('wss://fstream.binance.com/market/ws'),
  inverse: miniTickers('wss://dstream.binance.com/ws'),
};
