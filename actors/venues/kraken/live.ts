/**
 * Prices, and funding and open interest of futures, of Kraken by stream. https://docs.kraken.com/api/docs/websocket-v2/ticker and
 * https://docs.kraken.com/api/docs/futures-api/websocket/ticker
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, OpenInterestRow, PriceRow } from '../../topics/index.ts';
import { marketsByName } from '../books.ts';
import { timeOf } from '../iso.ts';
import { pieces } from '../liquidations.ts';
import { by, derivativeOf, marketRows, openInterestOf, priceOf, type Reader } from '../rows.ts';
import { connection, feedOf, nameOf, subscriptions } from './stream.ts';

const unknown = required(null);

/** The answers state no change of 24 h, so the one that is stated here (`change_pct`) is not used either. */
const pairTicker: Omit<Reader<Instrument, PriceRow>, 'id'> = {
  read(row, market) {
    const base = required(row.volume);
    return priceOf(market, {
      ...{ last: positive(row.last), volume: base * required(row.vwap), base },
      ...{ change: unknown, stated: timeOf(row.timestamp) },
      ...{ bid: positive(row.bid), ask: positive(row.ask) },
      ...{ high: positive(row.high), low: positive(row.low) },
    });
  },
};

/** Pairs that one message names; the API states no bound. */
const perMessage = 100;

/** A heartbeat comes every second in which nothing else does. Each pair is acknowledged by itself. */
const spot: LatestStream<PriceRow> = {
  url: 'wss://ws.kraken.com/v2',
  keepAlive: { every: 30_000, message: '{"method":"ping"}' },
  silence: 60_000,
  collect: 'latest',
  most: 100,
  channels: (instruments) =>
    pieces([...marketsByName(instruments, nameOf).keys()], perMessage).map((symbol) =>
      JSON.stringify({ method: 'subscribe', params: { channel: 'ticker', symbol } }),
    ),
  acknowledges(message) {
    const { method, success } = asRow(message);
    return method === 'subscribe' && success === true ? 1 : 0;
  },
  parse(message, { instruments }) {
    if (field(message, 'success') === false)
      throw new ShapeError(`refused: ${text(asRow(message).error)}`);
    if (text(field(message, 'method')) !== '') return null;
    const channel = text(field(message, 'channel'));
    if (channel === '') throw new ShapeError('channel: no text');
    if (channel !== 'ticker') return null;
    const ids = marketsByName(instruments, nameOf);
    return marketRows(bulk(field(message, 'data'), 'data'), instruments, {
      ...pairTicker,
      id: ({ symbol }) => ids.get(text(symbol)) ?? text(symbol),
    });
  },
};

/** `volume` is base (`PF_`) or USD (`PI_`). `open`, `high` and `low` contradict `change`, so they are not used. */
const contractTicker: Reader<Instrument, PriceRow> = {
  id: by('product_id'),
  read(row, market) {
    const last = positive(row.last);
    const amount = required(row.volume) * market.contract;
    const quoted = required(row.volumeQuote);
    const linear = quoted >= 0 ? quoted : amount * last;
    return priceOf(market, {
      ...{ last, volume: market.inverse ? amount : linear },
      ...{ change: required(row.change), stated: time(row.time) },
      ...{ bid: positive(row.bid), ask: positive(row.ask) },
      base: market.inverse ? unknown : amount,
    });
  },
};

/** The rates are fractions an hour. */
const funding: Reader<Instrument, DerivativeRow> = {
  id: by('product_id'),
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.markPrice), index: positive(row.index), hours: 1 },
      rate: required(row.relative_funding_rate),
      predicted: required(row.relative_funding_rate_prediction),
      ...{ next: time(row.next_funding_rate_time), stated: time(row.time) },
    }),
};

/** One side, in base (`PF_`) or USD (`PI_`). */
const interest: Reader<Instrument, OpenInterestRow> = {
  id: by('product_id'),
  read(row, market) {
    const open = required(row.openInterest) * market.contract;
    const sides = market.inverse ? { base: unknown, value: open } : { base: open, value: unknown };
    return openInterestOf(market, {
      ...sides,
      ...{ mark: positive(row.markPrice), stated: time(row.time) },
    });
  },
};

const reading =
  <Row>(reader: Reader<Instrument, Row>): LatestStream<Row>['parse'] =>
  (message, { instruments }) => {
    if (feedOf(message) !== 'ticker') return null;
    const rows = field(message, 'suspended') === true ? [] : [message];
    return marketRows(rows, instruments, reader);
  };

const futures: LatestStream<PriceRow> = {
  ...connection('ticker'),
  collect: 'latest',
  most: 100,
  channels: (instruments) => subscriptions('ticker', [...instruments.keys()]),
  parse: reading(contractTicker),
};

export const live = {
  prices: { spot, futures },
  derivatives: { futures: { messagesOf: 'prices', parse: reading(funding) } as const },
  openInterest: { futures: { messagesOf: 'prices', parse: reading(interest) } as const },
};
