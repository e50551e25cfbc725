/**
 * The public connections of KuCoin that require no token: last price and best quotes of single markets; mark prices, funding and
 * open interest; order books. A channel of all markets exists on the older connections alone, which want a token before each of
 * them. https://www.kucoin.com/docs-new (Pro API, WebSocket)
 */
import { hour } from '../../../config/time.ts';
import { ShapeError } from '../../failure.ts';
import {
  asRow,
  bulk,
  field,
  isRecord,
  list,
  optional,
  positive,
  required,
  text,
  time,
} from '../../read.ts';
import { bookStream, refused, updateReader } from '../books.ts';
import { markets } from '../markets.ts';
import { forMarkets, forPieces } from '../streams.ts';

const hosts = { SPOT: 'x-push-spot.kucoin.com', FUTURES: 'x-push-futures.kucoin.com' };
type TradeType = keyof typeof hosts;

/**
 * The properties of every connection. Frames are binary, and uncompressed text. A greeting comes first; 30 messages a second, one
 * ping at least every 18 s.
 */
const connection = (tradeType: TradeType) => ({
  url: `wss://${hosts[tradeType]}`,
  pace: 100,
  settle: 1_000,
  keepAlive: { every: 15_000, message: '{"id":"2","type":"ping"}' },
  silence: 45_000,
  acknowledges(message: unknown) {
    const { id, result } = asRow(message);
    return result === true ? (optional(id) ?? 0) : 0;
  },
});

type Action = 'subscribe' | 'unsubscribe';

/**
 * Subscribes to a channel, or ends that. The number of symbols goes along as the id of the message, which the acknowledgement repeats: 0
 * where the channel ends, since the answer to that is the same.
 */
const request = (action: Action, about: object, count = 1): string => {
  const id = action === 'subscribe' ? count : 0;
  return JSON.stringify({ id: `${id}`, action: action.toUpperCase(), ...about });
};

/** The topic of a message, and its data; null for one without. ShapeError for a refusal and for what is no message of KuCoin. */
function readMessage(message: unknown): { topic: string; data: unknown } | null {
  if (field(message, 'result') === false)
    throw new ShapeError(`KuCoin: ${text(asRow(message).msg)}`);
  const topic = text(field(message, 'T'));
  if (topic === '' && !('d' in asRow(message))) return null;
  return { topic, data: field(message, 'd') };
}

const perMessage = 50;

/** Without the numbers of 24 h. */
const tickers = markets({ id: 's', price: { last: 'l', bid: 'b', ask: 'a' } });

const ticking = (tradeType: TradeType) => {
  const requests = (action: Action) =>
    forPieces(perMessage, (symbols) =>
      request(action, { channel: 'ticker', tradeType, symbols }, symbols.length),
    );
  return tickers.live({
    ...connection(tradeType),
    most: 100,
    channels: requests('subscribe'),
    unsubscribe: requests('unsubscribe'),
    read(message) {
      const sent = readMessage(message);
      if (sent === null) return null;
      const { topic, data } = sent;
      if (!topic.startsWith('ticker.') || !isRecord(data)) throw new ShapeError('T: no ticker');
      return { rows: [data], stated: time(field(message, 'P'), 1e-6) };
    },
  });
};

/** `fr` is the running rate of `gl` ms, charged at `nt`; `oi` counts contracts. */
const contracts = markets({
  id: 's',
  time: 'ts',
  derivative: {
    mark: 'mp',
    index: 'ip',
    rate: 'fr',
    hours: ({ gl }) => positive(gl) / hour,
    next: 'nt',
  },
  interest: { contracts: 'oi', mark: 'mp' },
});

const tradeType = 'FUTURES';
const marksOf = (action: Action) =>
  forMarkets((symbol) => request(action, { channel: 'mark-price', tradeType, symbol }));

/** A connection has 600 topics at most. */
const marks = contracts.live({
  ...connection('FUTURES'),
  most: 500,
  channels: (instruments) =>
    instruments.size === 0
      ? []
      : [
          request('subscribe', { channel: 'funding-fee-all-symbols', tradeType }),
          ...marksOf('subscribe')(instruments),
        ],
  unsubscribe: marksOf('unsubscribe'),
  read(message) {
    const sent = readMessage(message);
    if (sent === null) return null;
    const { topic, data } = sent;
    // Rates of all markets come in one message, once a minute.
    if (topic.startsWith('funding-fee'))
      return {
        rows: bulk(Array.isArray(data) ? data : [data], 'rates'),
        topics: ['derivatives'],
      };
    if (topic !== 'mark-price' || !isRecord(data)) throw new ShapeError('T: no mark price');
    return { rows: [data] };
  },
});

export const live = {
  prices: { spot: ticking('SPOT'), futures: ticking('FUTURES') },
  derivatives: { futures: marks },
  openInterest: { futures: marks },
};

/** The only interval that there is. */
const depth = 'increment@10ms';

const updateIn = updateReader({
  bids: 'b',
  asks: 'a',
  first: 'O',
  last: 'C',
  stated: 'M',
  unit: 1e-6,
});

/** A level with the price 0 only counts on; a side may be absent or null. */
const priced = (rows: unknown) =>
  list(rows ?? [], 'levels').filter((row) => required(asRow(row)[0]) !== 0);

/** https://www.kucoin.com/docs-new (Orderbook - increment) */
const book = (tradeType: TradeType) =>
  bookStream({
    ...connection(tradeType),
    rule: 'counted',
    most: 1_000,
    window: false,
    perConnection: 300,
    request: (op, { market: symbol }) => request(op, { channel: 'obu', tradeType, symbol, depth }),
    parse(message) {
      const { T: topic, t: type, d: data, result, msg } = asRow(message);
      if (result === false) throw refused(msg);
      if (!text(topic).startsWith('obu.')) return null;
      const whole = type === 'snapshot';
      const row = asRow(data);
      const sent = { ...row, b: priced(row.b), a: priced(row.a) };
      return updateIn(whole, row.s, sent, { limited: whole });
    },
  });

export const books = { spot: book('SPOT'), futures: book('FUTURES') };
