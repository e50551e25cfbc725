/**
 * Prices and mark prices of MEXC's contracts by stream, of which each message has those that have changed, and the funding of single
 * contracts. Spot sends its prices in Protocol Buffers only, which are not read here: it is polled.
 * https://www.mexc.com/api-docs/futures/websocket-api#public-channels
 */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, positive, required, text, time } from '../../read.ts';
import type { LatestStream } from '../../sources/streams/stream.ts';
import type { DerivativeRow, Instrument, PriceRow } from '../../topics/index.ts';
import { by, changedRows, derivativeOf, marketRows, type Reader } from '../rows.ts';
import { contractTickers } from './rows.ts';

const unknown = required(null);

/** True for a message with data of a channel; ShapeError for a refusal and for anything that is not a message of MEXC. */
function isAbout(message: unknown, channel: string): boolean {
  const name = text(field(message, 'channel'));
  if (name === 'pong' || name === `rs.sub.${channel}`) return false;
  if (name !== `push.${channel}`)
    throw new ShapeError(`MEXC: ${name} ${text(field(message, 'data'))}`);
  return true;
}

const reading =
  <Row>(reader: Reader<Instrument, Row>): LatestStream<Row>['parse'] =>
  (message, { instruments }) =>
    isAbout(message, 'tickers')
      ? changedRows(bulk(field(message, 'data'), 'tickers'), instruments, reader)
      : null;

/** Mark and index price; the funding rate is not stated. */
const marks: Reader<Instrument, DerivativeRow> = {
  id: by('symbol'),
  read: (row, market) =>
    derivativeOf(market, {
      ...{ mark: positive(row.fairPrice), index: positive(row.indexPrice) },
      ...{ rate: unknown, hours: unknown, next: null },
      stated: time(row.timestamp),
    }),
};

/** A connection without a ping of ours ends after a minute, with any data. */
const connection = (channel: string) =>
  ({
    url: 'wss://contract.mexc.com/edge',
    keepAlive: { every: 15_000, message: '{"method":"ping"}' },
    acknowledges: (message: unknown) =>
      isRecord(message) && message.channel === `rs.sub.${channel}` ? 1 : 0,
    collect: 'latest',
  }) as const;

const contracts: LatestStream<PriceRow> = {
  ...connection('tickers'),
  channels: () => ['{"method":"sub.tickers","param":{}}'],
  silence: 30_000,
  parse: reading(contractTickers),
};

/** The rate of a contract comes about once a minute, without its hours; no channel has all contracts. */
const funding: LatestStream<DerivativeRow> = {
  ...connection('funding.rate'),
  most: 100,
  pace: 50,
  channels: (instruments) =>
    [...instruments.keys()].map((symbol) =>
      JSON.stringify({ method: 'sub.funding.rate', param: { symbol } }),
    ),
  silence: 120_000,
  parse(message, { instruments }) {
    if (!isAbout(message, 'funding.rate')) return null;
    return marketRows([field(message, 'data')], instruments, {
      id: by('symbol'),
      read: (row, market) =>
        derivativeOf(market, {
          ...{ mark: unknown, index: unknown, rate: required(row.rate), hours: unknown },
          ...{ next: time(row.nextSettleTime), stated: time(field(message, 'ts')) },
        }),
    });
  },
};

export const live = {
  prices: { contracts },
  derivatives: { contracts: { messagesOf: 'prices', parse: reading(marks) } as const },
  funding: { contracts: funding },
};
