/** Order books of Bybit. https://bybit-exchange.github.io/docs/v5/websocket/public/orderbook */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';

const depth = 200;
const said = (op: string, market: string): string =>
  JSON.stringify({ op, req_id: '1', args: [`orderbook.${depth}.${market}`] });

/** `u` counts the messages of a market; 1 follows a restart of the exchange, with a whole book. */
const stream = (category: 'spot' | 'linear') =>
  bookStream<Ask>({
    url: `wss://stream.bybit.com/v5/public/${category}`,
    ...{ rule: 'counted', most: depth, window: true },
    pace: 100,
    keepAlive: { every: 20_000, message: '{"op":"ping"}' },
    silence: 60_000,
    subscribe: ({ market }) => said('subscribe', market),
    unsubscribe: ({ market }) => said('unsubscribe', market),
    acknowledges(message) {
      const { op, success } = asRow(message);
      return op === 'subscribe' && success === true ? 1 : 0;
    },
    parse(message) {
      const { op, success, ret_msg, topic, type, data, ts, cts } = asRow(message);
      if (op !== undefined && success === false) throw refused(ret_msg);
      if (op !== undefined || !text(topic).startsWith('orderbook.')) return null;
      const last = numberOf(field(data, 'u'), 'u');
      return {
        updates: [
          {
            kind: type === 'snapshot' || last === 1 ? 'snapshot' : 'update',
            market: text(field(data, 's')),
            bids: changes(field(data, 'b')),
            asks: changes(field(data, 'a')),
            ...{ first: last, last },
            stated: time(cts) ?? time(ts),
          },
        ],
      };
    },
  });

export const books = { spot: stream('spot'), linear: stream('linear') };
