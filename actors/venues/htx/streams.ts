/**
 * The connections of HTX's market data: prices, marks and indices, order books.
 * https://www.htx.com/en-us/opend (WebSocket market data: market tickers, market detail)
 */
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  at,
  bulk,
  field,
  isRecord,
  positive,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, changes, numberOf } from '../books.ts';
import { pairs, statedIn, streamed, tickers } from './markets.ts';

const isPing = (message: unknown): message is WireRow => isRecord(message) && 'ping' in message;

/**
 * The properties of every connection of market data. Frames are gzip. The server asks every 5 s and closes a connection that
 * does not answer; 40 subscriptions a second.
 */
const connection = {
  codec: 'gzip',
  pace: 30,
  perConnection: 150,
  silence: 30_000,
  reply: (message: unknown) => (isPing(message) ? JSON.stringify({ pong: message.ping }) : null),
  acknowledges: (message: unknown) =>
    isRecord(message) && message.status === 'ok' && 'subbed' in message ? 1 : 0,
} as const;

/** Subscribes to a topic; `more` are further members of the message. */
const subscription = (topic: string, more: object = {}): string =>
  JSON.stringify({ sub: topic, id: '1', ...more });

/**
 * The topic of a message with data, or of an answer to a question; null for any other. ShapeError for a refusal and for anything
 * that is not a message of HTX.
 */
function topicOf(message: unknown): string | null {
  if (field(message, 'status') === 'error')
    throw new ShapeError(`HTX error: ${text(field(message, 'err-msg'))}`);
  const topic = text(field(message, 'ch') ?? field(message, 'rep'));
  if (topic !== '') return topic;
  if (isPing(message) || field(message, 'status') === 'ok') return null;
  throw new ShapeError('ch: no text');
}

/** `market.btcusdt.mbp.150`, `market.BTC-USDT.depth.size_150.high_freq`. */
const marketIn = (topic: string): string => topic.split('.')[1] ?? '';

const spot = pairs.live({
  ...connection,
  url: 'wss://api.huobi.pro/ws',
  channels: () => [subscription('market.tickers')],
  read: (message) =>
    topicOf(message) === null
      ? null
      : { rows: bulk(field(message, 'data'), 'data'), stated: statedIn(message) },
});

/**
 * No channel has all contracts. Both sides are counted, as in the answers. `vol` counts contracts here, which the answers call
 * `number_of`.
 */
const details = (path: string) =>
  tickers.live({
    ...connection,
    url: `wss://api.hbdm.com/${path}`,
    most: 100,
    channels: (instruments) =>
      [...instruments.keys()].map((market) => subscription(`market.${market}.detail`)),
    read(message) {
      const topic = topicOf(message);
      if (topic === null) return null;
      const tick = asRow(field(message, 'tick'));
      const row = {
        ...tick,
        number_of: tick.vol,
        contract_code: marketIn(topic),
        ts: statedIn(message),
      };
      return { rows: [row] };
    },
  });

/** Mark prices and indices come as candles of a minute, whose last price is the newest one: the column of each topic. */
const columns: Readonly<Record<string, string>> = { mark_price: 'mark', index: 'index' };

/** A row of mark and index when either moves; without a mark it waits. */
const marks = streamed.live({
  ...connection,
  url: 'wss://api.hbdm.com/ws_index',
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].flatMap((market) =>
      Object.keys(columns).map((what) => subscription(`market.${market}.${what}.1min`)),
    ),
  read(message) {
    const topic = topicOf(message);
    if (topic === null) return null;
    const [, contract_code = '', what = ''] = topic.split('.');
    const column = columns[what];
    if (column === undefined) throw new ShapeError('ch: unknown');
    const close = at(message, 'tick.close');
    const stated = statedIn(message);
    // An unreadable price is not remembered.
    if (!(positive(close) > 0)) return { rows: [{ contract_code }], stated };
    return {
      rows: [{ contract_code, [column]: close }],
      stated,
      remember: Object.values(columns),
      needs: 'mark',
    };
  },
});

export const live = {
  prices: { spot, linear: details('linear-swap-ws'), inverse: details('swap-ws') },
  derivatives: { linear: marks, inverse: marks },
};

const depth = 150;

const pairTopic = ({ market }: Instrument): string => `market.${market}.mbp.${depth}`;

function pairUpdate(message: unknown, topic: string): MarketUpdate {
  const whole = field(message, 'rep') !== undefined;
  const book = asRow(field(message, whole ? 'data' : 'tick'));
  return {
    kind: whole ? 'snapshot' : 'update',
    market: marketIn(topic),
    bids: changes(book.bids),
    asks: changes(book.asks),
    last: numberOf(book.seqNum, 'seqNum'),
    ...(!whole && { previous: numberOf(book.prevSeqNum, 'prevSeqNum') }),
    stated: statedIn(message),
  };
}

/** The whole book is asked for on the connection that brings its changes. https://www.htx.com/en-us/opend (market by price) */
const pairBooks = bookStream({
  ...connection,
  url: 'wss://api.huobi.pro/feed',
  rule: 'chained',
  most: depth,
  window: true,
  subscribe: (market) => subscription(pairTopic(market)),
  unsubscribe: (market) => JSON.stringify({ unsub: pairTopic(market), id: '1' }),
  ask: (market) => JSON.stringify({ req: pairTopic(market), id: '1' }),
  parse(message) {
    const topic = topicOf(message);
    return topic === null ? null : { updates: [pairUpdate(message, topic)] };
  },
});

const contractTopic = ({ market }: Instrument): string =>
  `market.${market}.depth.size_${depth}.high_freq`;

/** Without it every message is a whole book. */
const incremental = { data_type: 'incremental' };

/**
 * `version` counts the messages of a market, those without changes too.
 * https://www.htx.com/en-us/opend (incremental market depth)
 */
const contractBooks = bookStream({
  ...connection,
  url: 'wss://api.hbdm.com/linear-swap-ws',
  rule: 'counted',
  most: depth,
  window: true,
  subscribe: (market) => subscription(contractTopic(market), incremental),
  unsubscribe: (market) =>
    JSON.stringify({ unsub: contractTopic(market), ...incremental, id: '1' }),
  parse(message) {
    const topic = topicOf(message);
    if (topic === null) return null;
    const { event, version, bids, asks, ts } = asRow(field(message, 'tick'));
    const last = numberOf(version, 'version');
    return {
      updates: [
        {
          kind: text(event) === 'snapshot' ? 'snapshot' : 'update',
          market: marketIn(topic),
          bids: changes(bids),
          asks: changes(asks),
          first: last,
          last,
          stated: time(ts),
        },
      ],
    };
  },
});

export const books = { spot: pairBooks, linear: contractBooks };
