/**
 * Order books of MEXC's contracts. Spot sends its books in Protocol Buffers only, which are not read here.
 * https://www.mexc.com/api-docs/futures/websocket-api#public-channels
 */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { type Ask, contracts } from './api.ts';

const depth = 1_000;

/** `[price, contracts, orders]`. */
const form = { price: 0, quantity: 1, columns: 3 };

const said = (method: string, symbol: string): string =>
  JSON.stringify({ method, param: { symbol } });

/** Messages that the exchange has merged state the first of their changes; others are one change. */
const stream = bookStream<Ask>({
  url: 'wss://contract.mexc.com/edge',
  ...{ rule: 'counted', most: 2 * depth, window: false },
  pace: 50,
  keepAlive: { every: 15_000, message: '{"method":"ping"}' },
  silence: 60_000,
  subscribe: ({ market }) => said('sub.depth', market),
  unsubscribe: ({ market }) => said('unsub.depth', market),
  acknowledges: (message) => (asRow(message).channel === 'rs.sub.depth' ? 1 : 0),
  snapshot: {
    request: (market) => contracts(`/depth/${market}`, 'depth', { limit: depth }),
    parse(body) {
      const { bids, asks, version, timestamp } = asRow(field(body, 'data'));
      return {
        ...{ bids: changes(bids, form), asks: changes(asks, form) },
        last: numberOf(version, 'version'),
        ...{ stated: time(timestamp), limited: true },
      };
    },
  },
  parse(message) {
    const { channel, symbol, data, ts } = asRow(message);
    if (channel === 'rs.error') throw refused(data);
    if (channel !== 'push.depth') return null;
    const { bids, asks, begin, end, version, cts } = asRow(data);
    return {
      updates: [
        {
          ...{ kind: 'update', market: text(symbol) },
          ...{ bids: changes(bids, form), asks: changes(asks, form) },
          first: numberOf(begin ?? version, 'begin'),
          last: numberOf(end ?? version, 'end'),
          stated: time(cts) ?? time(ts),
        },
      ],
    };
  },
});

export const books = { contracts: stream };
