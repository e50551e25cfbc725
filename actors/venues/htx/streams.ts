import { ShapeError } from '../../failure.ts';
import {
  asRow,
  at,
  bulk,
  field,
  isRecord,
  list,
  positive,
  required,
  text,
  type WireRow,
} from '../../read.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, updateReader } from '../books.ts';
import { closedBy, type LiquidationColumns, liquidationStream } from '../liquidations.ts';
import { forMarkets } from '../streams.ts';
import { pairs, statedIn, streamed, tickers } from './markets.ts';

const isPing = (message: unknown): message is WireRow => isRecord(message) && 'ping' in message;

/**
 * The properties of every connection of market data. Frames are gzip. The server asks every 5 s and closes a connection that
 * does not answer; 40 subscriptions a second.
 */
const connection = {
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
    channels: forMarkets((market) => subscription(`market.${market}.detail`)),
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

/** A row has one of the two: a mark whose topic has stopped is not stated again beside a newer index. */
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
    const row = { contract_code, [column]: at(message, 'tick.close') };
    return { rows: [row], stated: statedIn(message) };
  },
});

const opOf = (message: unknown): string => (isRecord(message) ? text(message.op) : '');

/** The error code of an acknowledgement; NaN where there is none. */
const codeOf = (message: unknown): number => required(field(message, 'err-code'));

/**
 * A connection that subscribes to one topic, whose messages are about all contracts. Frames are gzip, and pings have another form
 * than those of market data.
 */
export const notification = (path: string, topic: string) =>
  ({
    url: `wss://api.hbdm.com/${path}`,
    channels: () => [JSON.stringify({ op: 'sub', cid: '1', topic })],
    reply: (message: unknown) =>
      isRecord(message) && message.op === 'ping'
        ? JSON.stringify({ op: 'pong', ts: message.ts })
        : null,
    silence: 30_000,
    acknowledges: (message: unknown) => (opOf(message) === 'sub' && codeOf(message) === 0 ? 1 : 0),
  }) as const;

/** The rows of a message with data; null for any other. ShapeError for a refusal and for anything that is no notification. */
export function notified(message: unknown): readonly unknown[] | null {
  const op = opOf(message);
  if (op === '') throw new ShapeError('op: no text');
  if (codeOf(message) > 0) throw new ShapeError(`HTX error ${codeOf(message)}`);
  if (op !== 'notify') return null;
  return list(field(message, 'data'), 'data');
}

/** Dated contracts have no funding. */
const isSwap = (row: unknown): boolean => !isRecord(row) || row.business_type !== 'futures';

/** The funding of all contracts. https://www.htx.com/en-us/opend (funding rate) */
const fundings = (path: string) =>
  streamed.live({
    ...notification(path, 'public.*.funding_rate'),
    read(message) {
      const rows = notified(message);
      return rows && { rows: rows.filter(isSwap), stated: statedIn(message) };
    },
  });

const funding = {
  linear: fundings('linear-swap-notification'),
  inverse: fundings('swap-notification'),
};

export const live = {
  prices: { spot, linear: details('linear-swap-ws'), inverse: details('swap-ws') },
  derivatives: { linear: marks, inverse: marks },
  funding,
};

const depth = 150;

/** Subscribes to the book of a topic, or ends that. */
const request = (op: string, topic: string, more: object = {}): string =>
  op === 'subscribe'
    ? subscription(topic, more)
    : JSON.stringify({ unsub: topic, ...more, id: '1' });

const pairTopic = ({ market }: Instrument): string => `market.${market}.mbp.${depth}`;

const pairUpdate = updateReader({ last: 'seqNum', previous: 'prevSeqNum' });

/** The whole book is asked for on the connection that brings its changes. https://www.htx.com/en-us/opend (market by price) */
const pairBooks = bookStream({
  ...connection,
  url: 'wss://api.huobi.pro/feed',
  rule: 'chained',
  most: depth,
  window: true,
  request: (op, market) => request(op, pairTopic(market)),
  ask: (market) => JSON.stringify({ req: pairTopic(market), id: '1' }),
  parse(message) {
    const topic = topicOf(message);
    if (topic === null) return null;
    const whole = field(message, 'rep') !== undefined;
    const book = field(message, whole ? 'data' : 'tick');
    return pairUpdate(whole, marketIn(topic), book, { stated: statedIn(message) });
  },
});

const contractTopic = ({ market }: Instrument): string =>
  `market.${market}.depth.size_${depth}.high_freq`;

/** Without it every message is a whole book. */
const incremental = { data_type: 'incremental' };

const contractUpdate = updateReader({ first: 'version', last: 'version', stated: 'ts' });

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
  request: (op, market) => request(op, contractTopic(market), incremental),
  parse(message) {
    const topic = topicOf(message);
    if (topic === null) return null;
    const tick = asRow(field(message, 'tick'));
    return contractUpdate(tick.event === 'snapshot', marketIn(topic), tick);
  },
});

export const books = { spot: pairBooks, linear: contractBooks };

/** `direction` is that of the order, `price` the bankruptcy price, `amount` base, `trade_turnover` quote. */
const liquidated: LiquidationColumns = {
  market: 'contract_code',
  side: ({ direction }) => closedBy(direction),
  price: 'price',
  kind: 'bankruptcy',
  // Base already: the size of a contract is not needed.
  quantity: ({ amount }, { contract }) => positive(amount) / contract,
  value: 'trade_turnover',
  at: 'created_at',
};

/** Every liquidation of linear contracts, dated ones too. https://www.htx.com/en-us/opend (subscribe liquidation order data) */
export const liquidations = {
  linear: liquidationStream({
    ...notification('linear-swap-notification', 'public.*.liquidation_orders'),
    rows: notified,
    columns: liquidated,
  }),
};
