/**
 * Prices of BingX by stream: the tickers of single markets, every second.
 * https://bingx-api.github.io/docs-v3/#/en/Swap/Websocket%20Market%20Data/Subscribe%20to%2024-hour%20price%20changes
 */

import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, changeOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import type { PartName } from './api.ts';

const urls: Readonly<Record<PartName, string>> = {
  spot: 'wss://open-api-ws.bingx.com/market',
  linear: 'wss://open-api-swap.bingx.com/swap-market',
  inverse: 'wss://open-api-cswap-ws.bingx.com/market',
};

/** `v` is in base and `q` in quote; of inverse contracts `v` counts contracts, `m` is in base and `q` in dollars. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('s'),
  isUntraded: neverTradedBy('c', 'v'),
  read(row, market) {
    const last = positive(row.c);
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.o)), stated: time(row.E) },
      ...{ base: required(market.inverse ? row.m : row.v), volume: required(row.q) },
      ...{ bid: positive(row.B), ask: positive(row.A) },
      ...{ high: positive(row.h), low: positive(row.l) },
    });
  },
};

/** The server's question whether we live: a text, or an object whose values the answer repeats. */
const isPing = (message: unknown): boolean =>
  message === 'Ping' || (isRecord(message) && 'ping' in message);

/** Frames are gzip. No channel of all markets is documented; ten subscriptions a second, 200 on a connection. */
const ticking = (part: PartName): LatestStream<PriceRow> => ({
  url: urls[part],
  codec: 'gzip',
  ...{ most: 100, perConnection: 200, pace: 120 },
  channels: (instruments) =>
    [...instruments.keys()].map((market) =>
      JSON.stringify({ id: market, reqType: 'sub', dataType: `${market}@ticker` }),
    ),
  reply(message) {
    if (!isPing(message)) return null;
    const { ping, time: sent } = asRow(message);
    return isRecord(message) ? JSON.stringify({ pong: ping, time: sent }) : 'Pong';
  },
  acknowledges: (message) =>
    isRecord(message) && message.code === 0 && text(message.id) !== '' ? 1 : 0,
  channelIn: /"e":"24hTicker".*?"s":"([^"]+)"/,
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    if (isPing(message)) return null;
    const code = field(message, 'code');
    if (code !== 0) throw new ShapeError(`BingX: ${text(field(message, 'msg'))}`);
    const data = field(message, 'data');
    if (data === null && text(field(message, 'id')) !== '') return null;
    if (!isRecord(data)) throw new ShapeError('data: no object');
    return changedRows([data], instruments, tickers);
  },
});

export const livePrices = byPart(ticking, 'spot', 'linear', 'inverse');
