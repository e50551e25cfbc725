/** Prices of Bitstamp by stream: those of its trades, since it has no stream of tickers. https://www.bitstamp.net/websocket/v2/ (Live ticker) */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, followedOf, priceOf, type Reader } from '../rows.ts';
import { connection, said } from './stream.ts';

const prefix = 'live_trades_';
const unknown = required(null);

/** The time is that of the trade, in microseconds. */
const trades: Reader<Instrument, PriceRow> = {
  id: by('market'),
  read: (row, market) =>
    priceOf(market, {
      ...{ last: positive(row.price), volume: unknown, change: unknown },
      stated: time(row.microtimestamp, 1e-3),
    }),
};

const markets: LatestStream<PriceRow> = {
  ...connection,
  channels: (instruments) =>
    followedOf(instruments).map((market) => said('subscribe', `${prefix}${market}`)),
  collect: 'latest',
  parse(message, { instruments }) {
    const event = text(field(message, 'event'));
    const data = field(message, 'data');
    if (event === '') throw new ShapeError('event: no text');
    if (event === 'bts:error') throw new ShapeError(`refused: ${text(asRow(data).message)}`);
    if (event !== 'trade') return null;
    if (!isRecord(data)) throw new ShapeError('data: no object');
    const market = text(field(message, 'channel')).slice(prefix.length);
    return changedRows([{ ...data, market }], instruments, trades);
  },
};

export const livePrices = { markets };
