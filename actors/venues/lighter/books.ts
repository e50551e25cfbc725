/** Order books of Lighter. https://apidocs.lighter.xyz/docs/websocket-reference#order-book */
import { asRow, field, text, time } from '../../read.ts';
import { bookStream, changes, numberOf } from '../books.ts';
import { checkedType, connection, typeOf } from './rows.ts';

const form = { price: 'price', quantity: 'size' };

const said = (type: string, market: string): string =>
  JSON.stringify({ type, channel: `order_book/${market}` });

/** `nonce` numbers the changes of a market, and `begin_nonce` is that of the message before. */
const all = bookStream({
  ...connection,
  ...{ rule: 'chained', most: 1_000, window: false },
  ...{ pace: 350, perConnection: 100 },
  subscribe: ({ market }) => said('subscribe', market),
  unsubscribe: ({ market }) => said('unsubscribe', market),
  acknowledges: (message) => (typeOf(message) === 'subscribed/order_book' ? 1 : 0),
  parse(message) {
    const type = checkedType(message);
    const whole = type === 'subscribed/order_book';
    if (!whole && type !== 'update/order_book') return null;
    const { bids, asks, nonce, begin_nonce } = asRow(field(message, 'order_book'));
    return {
      updates: [
        {
          kind: whole ? 'snapshot' : 'update',
          market: text(field(message, 'channel')).split(':')[1] ?? '',
          bids: changes(bids, form),
          asks: changes(asks, form),
          last: numberOf(nonce, 'nonce'),
          ...(!whole && { previous: numberOf(begin_nonce, 'begin_nonce') }),
          stated: time(field(message, 'timestamp')),
        },
      ],
    };
  },
});

export const books = { all };
