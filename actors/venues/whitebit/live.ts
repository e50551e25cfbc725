/** Prices of WhiteBIT by stream: the markets that have changed, every second. https://docs.whitebit.com/public/websocket/#market */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, isRecord, positive, required, text } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, changeOf, followedOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';

/** `volume` is in base, `deal` in quote, both of 24 h; there is no time. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('market'),
  isUntraded: neverTradedBy('last', 'volume'),
  read(row, market) {
    const last = positive(row.last);
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.open)), stated: null },
      ...{ high: positive(row.high), low: positive(row.low) },
      ...{ base: required(row.volume), volume: required(row.deal) },
    });
  },
};

/** A subscription replaces the one before it: all markets go into one. After a minute without a ping of ours it ends. */
const ticking: LatestStream<PriceRow> = {
  url: 'wss://wss.whitebit.com/ws',
  channels: (instruments) => [
    JSON.stringify({ id: 1, method: 'market_subscribe', params: followedOf(instruments) }),
  ],
  keepAlive: { every: 30_000, message: '{"id":0,"method":"ping","params":[]}' },
  acknowledges: (message) =>
    isRecord(message) && message.id === 1 && isRecord(message.result) ? 1 : 0,
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    const error = field(message, 'error');
    if (isRecord(error)) throw new ShapeError(`WhiteBIT: ${text(error.message)}`);
    if (error === null) return null;
    if (field(message, 'method') !== 'market_update') throw new ShapeError('method: unknown');
    const [market, values] = bulk(field(message, 'params'), 'params');
    return changedRows([{ ...asRow(values), market }], instruments, tickers);
  },
};

export const livePrices = { spot: ticking, futures: ticking };
