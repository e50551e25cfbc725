/**
 * Prices, funding and open interest of Backpack by stream: the ticker and the mark price of each market, sent every second,
 * and its open interest, every minute. https://docs.backpack.exchange/#tag/Streams/Public
 */
import { ShapeError } from '../../failure.ts';
import { field, isRecord, positive, required, text, time, type WireRow } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { memoryOf } from '../memory.ts';
import {
  by,
  changedRows,
  changeOf,
  derivativeOf,
  followedOf,
  openInterestOf,
  priceOf,
  type Reader,
} from '../rows.ts';
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

/** `p` mark, `i` index, `f` the rate of the interval, `n` the next funding in ms. */
const marks: Reader<Instrument, DerivativeRow> = {
  id: by('s'),
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.p), index: positive(row.i), rate: required(row.f) },
      ...{ hours: required(market.funding_hours), next: time(row.n), stated: time(row.E, 1e-3) },
    }),
};

/** `o` is in base. The mark price is that of the messages before. */
const interests: Reader<Instrument, OpenInterestRow> = {
  id: by('s'),
  read: (row, market) =>
    openInterestOf(market, {
      ...{ base: required(row.o), value: required(null), mark: positive(row.p) },
      stated: time(row.E, 1e-3),
    }),
};

/** The sorts of streams: all markets have a ticker, perpetuals the others. */
const sorts = ['ticker', 'markPrice', 'openInterest'] as const;

/** The data of a message of a sort; null for one of another sort. */
function dataOf(message: unknown, sort: (typeof sorts)[number]): WireRow | null {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`Backpack: ${text(error.message)}`);
  const data = field(message, 'data');
  if (!isRecord(data)) throw new ShapeError('data: no object');
  const stream = text(field(message, 'stream'));
  const of = sorts.find((one) => stream.startsWith(`${one}.`));
  if (of === undefined) throw new ShapeError('stream: unknown');
  return of === sort ? data : null;
}

const reading =
  <Row>(
    sort: (typeof sorts)[number],
    reader: Reader<Instrument, Row>,
  ): LatestStream<Row>['parse'] =>
  (message, { instruments }) => {
    const data = dataOf(message, sort);
    return data && changedRows([data], instruments, reader);
  };

/** The mark prices of a connection, by market. */
const known = memoryOf(() => new Map<string, unknown>());

/** Sent every minute, without a price: what has no mark price yet waits for the next one. */
const openInterest: SharedStream<OpenInterestRow> = {
  messagesOf: 'prices',
  parse(message, { instruments, connection }) {
    const last = known(connection);
    const mark = dataOf(message, 'markPrice');
    if (mark && instruments.has(text(mark.s))) last.set(text(mark.s), mark.p);
    const data = dataOf(message, 'openInterest');
    const p = data && last.get(text(data.s));
    return p ? changedRows([{ ...data, p }], instruments, interests) : null;
  },
};

/** As many names as a frame was seen to take. */
const most = 90;

/** A subscription is not acknowledged, and a name that does not exist is not refused. */
const all: LatestStream<PriceRow> = {
  url: 'wss://ws.backpack.exchange',
  channels(instruments) {
    const names = followedOf(instruments).flatMap((market) =>
      sorts
        .slice(0, instruments.get(market)?.kind === 'perpetual' ? 3 : 1)
        .map((sort) => `${sort}.${market}`),
    );
    return pieces(names, most).map((params) => JSON.stringify({ method: 'SUBSCRIBE', params }));
  },
  silence: 30_000,
  collect: 'latest',
  parse: reading('ticker', tickers),
};

export const live = {
  prices: { all },
  derivatives: { all: { messagesOf: 'prices', parse: reading('markPrice', marks) } as const },
  openInterest: { all: openInterest },
};
