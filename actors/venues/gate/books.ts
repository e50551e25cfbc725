/** Order books of Gate: 400 levels. https://www.gate.com/docs/developers/apiv4/ws/en/#order-book-v2-subscription */
import { asRow, text, time, type WireRow } from '../../read.ts';
import type { MarketUpdate } from '../../sources/streams/stream.ts';
import { bookStream, changes, numberOf, refused } from '../books.ts';
import type { Ask } from './api.ts';
import { connection, subscription } from './stream.ts';

const depth = 400;

const nameOf = (market: string): string => `ob.${market}.${depth}`;
/** `ob.BTC_USDT.400`. */
const marketIn = /^ob\.(.+)\.\d+$/;

/** A message without levels only counts on. */
function updateOf(book: WireRow): MarketUpdate {
  const last = numberOf(book.u, 'u');
  const whole = book.full === true;
  return {
    kind: whole ? 'snapshot' : 'update',
    market: marketIn.exec(text(book.s))?.[1] ?? '',
    bids: changes(book.b ?? []),
    asks: changes(book.a ?? []),
    first: whole ? last : numberOf(book.U, 'U'),
    last,
    stated: time(book.t),
  };
}

const stream = (url: string, name: 'spot' | 'futures') =>
  bookStream<Ask>({
    ...connection(name),
    url,
    ...{ rule: 'counted', most: depth, window: true },
    pace: 50,
    subscribe: ({ market }) => subscription(`${name}.obu`, [nameOf(market)]),
    unsubscribe: ({ market }) => subscription(`${name}.obu`, [nameOf(market)], 'unsubscribe'),
    parse(message) {
      const { event, error, channel, result } = asRow(message);
      if (error !== undefined && error !== null) throw refused(asRow(error).message);
      if (channel !== `${name}.obu` || event !== 'update') return null;
      return { updates: [updateOf(asRow(result))] };
    },
  });

export const books = {
  spot: stream('wss://api.gateio.ws/ws/v4/', 'spot'),
  usdt: stream('wss://fx-ws.gateio.ws/v4/ws/usdt', 'futures'),
};
