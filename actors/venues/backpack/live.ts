/** Prices of Backpack by stream: the ticker of each market, sent every second. https://docs.backpack.exchange/#tag/Streams/Public/Ticker */
import { ShapeError } from '../../failure.ts';
import { asRow, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, changeOf, followedOf, priceOf, type Reader } from '../rows.ts';
import { neverTradedBy } from '../wire.ts';

/** `v` is in base, `V` in quote; the time `E` in microseconds. */
const tickers: Reader<Instrument, PriceRow> = {
  id: by('s'),
  isUntraded: neverTradedBy('c', 'v'),
  read(row, market) {
    const last = positive(row.c);
    return priceOf(market, {
      ...{ last, change: changeOf(last, positive(row.o)), stated: time(row.E, 1e-3) },
      ...{ high: positive(row.h), low: positive(row.l) },
      ...{ base: required(row.v), volume: required(row.V) },
    });
  },
};

/** As many names as a frame was seen to take. */
const most = 90;

/** A subscription is not acknowledged, and a name that does not exist is not refused. */
const all: LatestStream<PriceRow> = {
  url: 'wss://ws.backpack.exchange',
  channels(instruments) {
    const names = followedOf(instruments).map((market) => `ticker.${market}`);
    return Array.from({ length: Math.ceil(names.length / most) }, (_, i) =>
      JSON.stringify({ method: 'SUBSCRIBE', params: names.slice(i * most, (i + 1) * most) }),
    );
  },
  silence: 30_000,
  collect: 'latest',
  parse(message, { instruments }) {
    const error = field(message, 'error');
    if (isRecord(error)) throw new ShapeError(`Backpack: ${text(error.message)}`);
    const data = field(message, 'data');
    if (!isRecord(data)) throw new ShapeError('data: no object');
    return changedRows([asRow(data)], instruments, tickers);
  },
};

export const livePrices = { all };
