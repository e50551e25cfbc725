/** Order books of KuCoin, by the public connections that want no token. https://www.kucoin.com/docs-new (Orderbook - increment) */
import { asRow, field, isRecord, list, required, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';

/** The only interval that there is. */
const depth = 'increment@10ms';

/** A level with the price 0 only counts on. */
const levels = (rows: unknown): number[] =>
  changes(list(rows, 'levels').filter((row) => required(asRow(row)[0]) !== 0));

/** Frames are binary, and uncompressed text. A greeting comes first; 30 messages a second, one ping at least every 18 s. */
const stream = (host: string, tradeType: 'SPOT' | 'FUTURES') => {
  const said = (action: string, symbol: string): string =>
    JSON.stringify({ id: '1', action, channel: 'obu', tradeType, symbol, depth });
  return bookStream({
    url: `wss://${host}`,
    ...{ rule: 'counted', most: 1_000, window: false },
    ...{ pace: 100, settle: 1_000, perConnection: 300 },
    keepAlive: { every: 15_000, message: '{"id":"2","type":"ping"}' },
    silence: 45_000,
    subscribe: ({ market }) => said('SUBSCRIBE', market),
    unsubscribe: ({ market }) => said('UNSUBSCRIBE', market),
    acknowledges: (message) =>
      isRecord(message) && message.id === '1' && message.result === true ? 1 : 0,
    channelIn: /"T":"obu\..*?"s":"([^"]+)"/,
    parse(message) {
      const { T: topic, t: type, d: book, result, msg } = asRow(message);
      if (result === false) throw refused(msg);
      if (!text(topic).startsWith('obu.')) return null;
      const whole = type === 'snapshot';
      const market = text(field(book, 's'));
      return {
        updates: [
          {
            ...{ kind: whole ? 'snapshot' : 'update', market, limited: whole },
            bids: levels(field(book, 'b')),
            asks: levels(field(book, 'a')),
            first: numberOf(field(book, 'O'), 'O'),
            last: numberOf(field(book, 'C'), 'C'),
            stated: time(field(book, 'M'), 1e-6),
          },
        ],
      };
    },
  });
};

export const books = {
  spot: stream('x-push-spot.kucoin.com', 'SPOT'),
  futures: stream('x-push-futures.kucoin.com', 'FUTURES'),
};
