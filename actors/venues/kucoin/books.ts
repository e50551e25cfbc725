/** Order books of KuCoin, by the public connections that require no token. https://www.kucoin.com/docs-new (Orderbook - increment) */
import { asRow, field, list, required, text, time } from '../../read.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import { connection, type TradeType } from './stream.ts';

/** The only interval that there is. */
const depth = 'increment@10ms';

/** A level with the price 0 only counts on. */
const levels = (rows: unknown): number[] =>
  changes(list(rows, 'levels').filter((row) => required(asRow(row)[0]) !== 0));

const stream = (tradeType: TradeType) => {
  const said = (action: string, symbol: string): string =>
    JSON.stringify({ id: '1', action, channel: 'obu', tradeType, symbol, depth });
  return bookStream({
    ...connection(tradeType),
    ...{ rule: 'counted', most: 1_000, window: false },
    perConnection: 300,
    subscribe: ({ market }) => said('SUBSCRIBE', market),
    unsubscribe: ({ market }) => said('UNSUBSCRIBE', market),
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
  spot: stream('SPOT'),
  futures: stream('FUTURES'),
};
