/**
 * Prices and mark prices of MEXC's contracts by stream: each message has those that have changed. Spot tells its prices in Protocol
 * Buffers only, which are not read here: it is polled.
 * https://www.mexc.com/api-docs/futures/websocket-api#public-channels
 */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { DerivativeRow, Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, derivativeOf, type Reader } from '../rows.ts';
import { contractTickers } from './rows.ts';

/** Messages that are no tickers: the answers to our own. */
const answers: ReadonlySet<string> = new Set(['pong', 'rs.sub.tickers']);

const reading =
  <Row>(reader: Reader<Instrument, Row>): LatestStream<Row>['parse'] =>
  (message, { instruments }) => {
    const channel = text(field(message, 'channel'));
    if (answers.has(channel)) return null;
    const data = field(message, 'data');
    if (channel !== 'push.tickers') throw new ShapeError(`MEXC: ${channel} ${text(data)}`);
    return changedRows(bulk(data, 'tickers'), instruments, reader);
  };

/** Mark and index price; the funding rate is not stated. */
const marks: Reader<Instrument, DerivativeRow> = {
  id: by('symbol'),
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.fairPrice), index: positive(row.indexPrice) },
      ...{ rate: required(null), hours: required(null), next: null },
      stated: time(row.timestamp),
    }),
};

/** A connection without a ping of ours ends after a minute, with any data. */
const contracts: LatestStream<PriceRow> = {
  url: 'wss://contract.mexc.com/edge',
  channels: () => ['{"method":"sub.tickers","param":{}}'],
  keepAlive: { every: 15_000, message: '{"method":"ping"}' },
  acknowledges: (message) => (isRecord(message) && message.channel === 'rs.sub.tickers' ? 1 : 0),
  silence: 30_000,
  collect: 'latest',
  parse: reading(contractTickers),
};

export const live = {
  prices: { contracts },
  derivatives: { contracts: { messagesOf: 'prices', parse: reading(marks) } as const },
};
