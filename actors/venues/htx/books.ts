/** Order books of HTX: 150 levels. https://www.htx.com/en-us/opend (market by price, incremental market depth) */
import { asRow, field, text, time } from '../../read.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import type { Instrument } from '../../topics/index.ts';
import { bookStream, changes, numberOf } from '../books.ts';
import { statedIn } from './rows.ts';
import { connection, subscription, topicOf } from './stream.ts';

const depth = 150;

/** `market.btcusdt.mbp.150`, `market.BTC-USDT.depth.size_150.high_freq`. */
const marketIn = (topic: string): string => topic.split('.')[1] ?? '';

const spotTopic = ({ market }: Instrument): string => `market.${market}.mbp.${depth}`;

function spotUpdate(message: unknown, topic: string): MarketUpdate {
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

/** The whole book is asked for on the connection that brings its changes. */
const spot = bookStream({
  ...connection,
  url: 'wss://api.huobi.pro/feed',
  ...{ rule: 'chained', most: depth, window: true },
  subscribe: (market) => subscription(spotTopic(market)),
  unsubscribe: (market) => JSON.stringify({ unsub: spotTopic(market), id: '1' }),
  ask: (market) => JSON.stringify({ req: spotTopic(market), id: '1' }),
  parse(message) {
    const topic = topicOf(message);
    return topic === null ? null : { updates: [spotUpdate(message, topic)] };
  },
});

const contractTopic = ({ market }: Instrument): string =>
  `market.${market}.depth.size_${depth}.high_freq`;

/** `version` counts the messages of a market, those without changes too. Without the data type every message is a whole book. */
const linear = bookStream({
  ...connection,
  url: 'wss://api.hbdm.com/linear-swap-ws',
  ...{ rule: 'counted', most: depth, window: true },
  subscribe: (market) => subscription(contractTopic(market), { data_type: 'incremental' }),
  unsubscribe: (market) =>
    JSON.stringify({ unsub: contractTopic(market), data_type: 'incremental', id: '1' }),
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
          ...{ first: last, last },
          stated: time(ts),
        },
      ],
    };
  },
});

export const books = { spot, linear };
