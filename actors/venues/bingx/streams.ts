/**
 * The WebSocket of BingX: a connection for each part, frames in gzip, one subscription a message. Tickers and marks of single
 * markets, every second, and order books.
 * https://bingx-api.github.io/docs-v3/#/en/Swap/Websocket%20Market%20Data/Subscribe%20to%2024-hour%20price%20changes
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, text, time } from '../../read.ts';
import { byPart } from '../../sources/venue.ts';
import { bookStream, updateReader } from '../books.ts';
import { bySort } from '../cells.ts';
import { type LiveForm, markets } from '../markets.ts';
import { forMarkets, objectIn } from '../streams.ts';

import type { PartName } from './markets.ts';

const urls: Readonly<Record<PartName, string>> = {
  spot: 'wss://open-api-ws.bingx.com/market',
  linear: 'wss://open-api-swap.bingx.com/swap-market',
  inverse: 'wss://open-api-cswap-ws.bingx.com/market',
};

/** The server's question whether we live: a text, or an object whose values the answer repeats. */
const isPing = (message: unknown): boolean =>
  message === 'Ping' || (isRecord(message) && 'ping' in message);

/** Ten subscriptions a second, 200 on a connection. */
const connection = (part: PartName) => ({
  url: urls[part],
  perConnection: 200,
  pace: 120,
  silence: 30_000,
  reply(message: unknown): string | null {
    if (!isPing(message)) return null;
    const { ping, time: sent } = asRow(message);
    return isRecord(message) ? JSON.stringify({ pong: ping, time: sent }) : 'Pong';
  },
  acknowledges: (message: unknown): number =>
    isRecord(message) && message.code === 0 && text(message.id) !== '' ? 1 : 0,
});

/** The message that subscribes to a topic of a market (`sub`), or ends that (`unsub`). */
const request = (reqType: 'sub' | 'unsub', market: string, topic: string): string =>
  JSON.stringify({ id: market, reqType, dataType: `${market}@${topic}` });

/** What a message is about; null for a ping and an acknowledgement. Throws ShapeError where the exchange refuses. */
function dataIn(message: unknown): Record<string, unknown> | null {
  if (isPing(message)) return null;
  const code = field(message, 'code');
  if (code !== 0) throw new ShapeError(`BingX: ${text(field(message, 'msg'))}`);
  if (field(message, 'data') === null && text(field(message, 'id')) !== '') return null;
  return objectIn(message, 'data');
}

/** A channel has the messages of one market. */
const channel = (part: PartName, topic: string): LiveForm => ({
  ...connection(part),
  most: 100,
  channels: forMarkets((market) => request('sub', market, topic)),
  read(message) {
    const data = dataIn(message);
    return data && { rows: [data] };
  },
});

/** `v` is in base and `q` in quote; of inverse contracts `v` counts contracts, `m` is in base and `q` in dollars. */
const tickers = markets({
  id: 's',
  time: 'E',
  price: {
    last: 'c',
    open: 'o',
    bid: 'B',
    ask: 'A',
    high: 'h',
    low: 'l',
    base: bySort('v', 'm'),
    quote: 'q',
    untraded: 'v',
  },
});

/** The mark price alone. That inverse contracts have the channel is not documented. */
const marks = markets({ id: 's', time: 'E', derivative: { mark: 'p' } });

/** No channel of all markets is documented. */
export const live = {
  prices: byPart(
    (part: PartName) => tickers.live(channel(part, 'ticker')),
    'spot',
    'linear',
    'inverse',
  ),
  derivatives: { linear: marks.live(channel('linear', 'markPrice')) },
};

const bookIn = updateReader({ last: ({ lastUpdateId = null }) => lastUpdateId });

/**
 * Books of 100 levels. The numbers of `incrDepth` skip, so that a missing message would not be noticed; here every message is a
 * whole book. https://bingx-api.github.io/docs-v3/#/en/Swap/Websocket%20Market%20Data/Partial%20Order%20Book%20Depth
 */
const book = (part: 'spot' | 'linear', topic: string) =>
  bookStream({
    ...connection(part),
    rule: 'whole',
    most: 100,
    window: true,
    request: (op, { market }) => request(op === 'subscribe' ? 'sub' : 'unsub', market, topic),
    parse(message) {
      const data = dataIn(message);
      if (data === null) return null;
      const { dataType, ts, timestamp } = asRow(message);
      const [market] = text(dataType).split('@');
      return bookIn(true, market, data, { stated: time(ts) ?? time(timestamp) });
    },
  });

export const books = { spot: book('spot', 'depth100'), linear: book('linear', 'depth100@500ms') };
