/** Prices, funding and open interest of Deribit by stream: the tickers of single markets. https://docs.deribit.com/subscriptions/market-data/tickerinstrument_nameinterval */
import { ShapeError } from '../../failure.ts';
import { asRow, isRecord, type WireRow } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { readOnce } from '../memory.ts';
import { changedRows, followedOf, type Named, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { derivative, interest, type PartName, price, type Read, reader } from './rows.ts';
import { connection, dataOf, subscription } from './stream.ts';

const perRequest = 100;

/** A ticker by the names of a book summary; null for a message without data. */
const summaryIn = readOnce((message): WireRow | null => {
  const data = dataOf(message);
  if (data === undefined) return null;
  if (!isRecord(data)) throw new ShapeError('data: no object');
  const { volume, volume_usd, volume_notional, price_change, high, low } = asRow(data.stats);
  return {
    ...{ instrument_name: data.instrument_name, creation_timestamp: data.timestamp },
    ...{ last: data.last_price, bid_price: data.best_bid_price, ask_price: data.best_ask_price },
    ...{ volume, volume_usd, volume_notional, price_change, high, low },
    ...{ mark_price: data.mark_price, estimated_delivery_price: data.index_price },
    ...{ current_funding: data.current_funding, open_interest: data.open_interest },
  };
});

const reading =
  <Row>(tickers: Reader<Named, Row>): LatestStream<Row>['parse'] =>
  (message, context) => {
    const found = summaryIn(message, context);
    return found && changedRows([found], context.instruments, tickers);
  };

const ticking = (part: PartName): LatestStream<PriceRow> => ({
  ...connection,
  channels: (instruments) =>
    pieces(followedOf(instruments), perRequest).map((markets) =>
      subscription(markets.map((market) => `ticker.${market}.100ms`)),
    ),
  collect: 'latest',
  parse: reading({ ...reader(part, price), isUntraded: neverTradedBy('last', 'volume') }),
});

const beside = <Row>(part: PartName, read: Read<Row>): SharedStream<Row> => ({
  messagesOf: 'prices',
  parse: reading(reader(part, read)),
});

export const live = {
  prices: byPart(ticking, 'spot', 'linear', 'inverse'),
  derivatives: byPart((part) => beside(part, derivative), 'linear', 'inverse'),
  openInterest: byPart((part) => beside(part, interest(part)), 'linear', 'inverse'),
};
