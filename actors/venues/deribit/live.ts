/** Prices of Deribit by stream: the tickers of single markets. https://docs.deribit.com/subscriptions/market-data/tickerinstrument_nameinterval */

import { ShapeError } from '../../failure.ts';
import { asRow, isRecord, type WireRow } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { changedRows, followedOf } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { type PartName, price, reader } from './rows.ts';
import { connection, dataOf, subscription } from './stream.ts';

const perRequest = 100;

/** A ticker by the names of a book summary. */
function summary(data: WireRow): WireRow {
  const { volume, volume_usd, volume_notional, price_change, high, low } = asRow(data.stats);
  return {
    ...{ instrument_name: data.instrument_name, creation_timestamp: data.timestamp },
    ...{ last: data.last_price, bid_price: data.best_bid_price, ask_price: data.best_ask_price },
    ...{ volume, volume_usd, volume_notional, price_change, high, low },
  };
}

const ticking = (part: PartName): LatestStream<PriceRow> => ({
  ...connection,
  channels: (instruments) =>
    pieces(followedOf(instruments), perRequest).map((markets) =>
      subscription(markets.map((market) => `ticker.${market}.100ms`)),
    ),
  channelIn: /"channel":"ticker\.([^"]+)\.100ms"/,
  collect: 'latest',
  parse(message, { instruments }) {
    const data = dataOf(message);
    if (data === undefined) return null;
    if (!isRecord(data)) throw new ShapeError('data: no object');
    const tickers = { ...reader(part, price), isUntraded: neverTradedBy('last', 'volume') };
    return changedRows([summary(data)], instruments, tickers);
  },
});

export const livePrices = byPart(ticking, 'spot', 'linear', 'inverse');
