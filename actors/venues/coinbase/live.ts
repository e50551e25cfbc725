/**
 * Prices of Coinbase by stream: the tickers of single products, at each trade. The perpetuals require a key there.
 * https://docs.cdp.coinbase.com/advanced-trade/docs/ws-channels#ticker-channel
 */
import { ShapeError } from '../../failure.ts';
import { asRow, field, list, positive, required, text } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { timeOf } from '../iso.ts';
import { pieces } from '../liquidations.ts';
import { by, changedRows, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';
import { connection, said } from './stream.ts';

/** Products that one message names; the API states no bound. */
const perMessage = 50;

/** The time is that of the message. The turnover is not stated: the volume at the last price. */
const tickers = (stated: number | null): Reader<Instrument, PriceRow> => ({
  id: by('product_id'),
  isUntraded: neverTradedBy('price', 'volume_24_h'),
  read(row, market) {
    const last = positive(row.price);
    const base = required(row.volume_24_h);
    return priceOf(market, {
      ...{ last, volume: base * last, base, stated },
      change: required(row.price_percent_chg_24_h),
      ...{ bid: positive(row.best_bid), ask: positive(row.best_ask) },
      ...{ high: positive(row.high_24_h), low: positive(row.low_24_h) },
    });
  },
});

const spot: LatestStream<PriceRow> = {
  ...connection,
  most: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perMessage).map((ids) => said('subscribe', 'ticker', ids)),
  collect: 'latest',
  parse(message, { instruments }) {
    const channel = text(field(message, 'channel'));
    if (channel === '') throw new ShapeError(`Coinbase: ${text(field(message, 'message'))}`);
    if (channel !== 'ticker') return null;
    const events = list(field(message, 'events'), 'events');
    const rows = events.flatMap((event) => list(asRow(event).tickers, 'tickers'));
    return changedRows(rows, instruments, tickers(timeOf(field(message, 'timestamp'))));
  },
};

export const livePrices = { spot };
