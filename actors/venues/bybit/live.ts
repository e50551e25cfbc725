/**
 * Prices, funding and open interest of Bybit by stream: the tickers of single markets. Of contracts the first message about a market has everything,
 * those after it what has changed. https://bybit-exchange.github.io/docs/v5/websocket/public/ticker
 */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, text, time, type WireRow } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { PriceRow } from '../../topics/index.ts';
import { memoryOf, readOnce } from '../memory.ts';
import { marketRows } from '../rows.ts';
import { type Category, derivative, openInterest, price, type RowReader, reader } from './rows.ts';
import { connection, isAbout, subscriptions } from './stream.ts';

const topics = 'tickers.';

/** The tickers of a connection, by market. */
const known = memoryOf(() => new Map<string, WireRow>());

/** The whole ticker of the market that a message is about. */
const whole = readOnce((message, { connection: by }): WireRow => {
  const tickers = known(by);
  const data = field(message, 'data');
  if (!isRecord(data)) throw new ShapeError('data: no object');
  const market = text(data.symbol);
  const row = field(message, 'type') === 'delta' ? { ...tickers.get(market), ...data } : data;
  if (market !== '') tickers.set(market, row);
  return row;
});

/** A market that was never traded, or is not listed yet, has no price: a message about it alone is not a fault. */
const isPriced = ({ symbol, lastPrice, curPreListingPhase }: WireRow): boolean =>
  text(symbol) === '' || (text(lastPrice) !== '' && !curPreListingPhase);

const reading =
  <Row>(category: Category, read: RowReader<Row>): LatestStream<Row>['parse'] =>
  (message, context) => {
    if (!isAbout(message, topics)) return null;
    const row = whole(message, context);
    const stated = time(field(message, 'ts'));
    const rows = isPriced(row) ? [row] : [];
    return marketRows(rows, context.instruments, reader(category, read, stated));
  };

const ticking = (category: Category): LatestStream<PriceRow> => ({
  ...connection(category),
  most: 100,
  channels: (instruments) =>
    subscriptions([...instruments.keys()].map((market) => `${topics}${market}`)),
  collect: 'latest',
  parse: reading(category, price),
});

const beside = <Row>(category: Category, read: RowReader<Row>): SharedStream<Row> => ({
  messagesOf: 'prices',
  parse: reading(category, read),
});

export const live = {
  prices: byPart(ticking, 'spot', 'linear', 'inverse'),
  derivatives: byPart((part) => beside(part, derivative), 'linear', 'inverse'),
  openInterest: byPart((part) => beside(part, openInterest), 'linear', 'inverse'),
};
