/**
 * Contracts of MEXC by stream: prices, marks, rates, order books. Spot is sent in Protocol Buffers only, which are not read
 * here: its prices are polled. https://www.mexc.com/api-docs/futures/websocket-api#public-channels
 */
import { ShapeError } from '../../failure.ts';
import { asRow, bulk, field, text, time } from '../../read.ts';
import { bookStream, refused, snapshotReader, updateReader } from '../books.ts';
import { acknowledgedBy, forMarkets } from '../streams.ts';
import { type Ask, bookLevel, getContracts, streamed } from './markets.ts';

/** The properties of every connection. One without a ping of ours ends after a minute, with any data. */
const connection = (channel: string) => ({
  url: 'wss://contract.mexc.com/edge',
  keepAlive: { every: 15_000, message: '{"method":"ping"}' },
  acknowledges: acknowledgedBy({ channel: `rs.sub.${channel}` }),
});

const request = (method: string, symbol: string): string =>
  JSON.stringify({ method, param: { symbol } });

/** True for a message with data of a channel; ShapeError for a refusal and for anything that is not a message of MEXC. */
function isAbout(message: unknown, channel: string): boolean {
  const name = text(field(message, 'channel'));
  if (name === 'pong' || name === `rs.sub.${channel}` || name === `rs.unsub.${channel}`)
    return false;
  if (name !== `push.${channel}`)
    throw new ShapeError(`MEXC: ${name} ${text(field(message, 'data'))}`);
  return true;
}

/** Of each message the contracts that have changed. The funding rate is not stated. */
const tickers = streamed.live({
  ...connection('tickers'),
  channels: () => ['{"method":"sub.tickers","param":{}}'],
  silence: 30_000,
  read: (message) =>
    isAbout(message, 'tickers') ? { rows: bulk(field(message, 'data'), 'tickers') } : null,
});

/** The rate of a contract comes about once a minute, without its hours; no channel has all contracts. */
const rates = streamed.live({
  ...connection('funding.rate'),
  most: 100,
  pace: 50,
  channels: forMarkets((symbol) => request('sub.funding.rate', symbol)),
  silence: 120_000,
  read: (message) =>
    isAbout(message, 'funding.rate')
      ? {
          rows: [field(message, 'data')],
          stated: time(field(message, 'ts')),
          topics: ['derivatives'],
        }
      : null,
});

export const live = {
  prices: { contracts: tickers },
  derivatives: { contracts: tickers },
  funding: { contracts: rates },
};

const depth = 1_000;

const wholeBook = snapshotReader({ level: bookLevel, last: 'version', stated: 'timestamp' });
/** Messages that the exchange has merged state the first of their changes; others are one change. */
const updateIn = updateReader({
  level: bookLevel,
  first: ({ begin, version }) => begin ?? version,
  last: ({ end, version }) => end ?? version,
});

const book = bookStream<Ask>({
  ...connection('depth'),
  rule: 'counted',
  most: 2 * depth,
  window: false,
  pace: 50,
  silence: 60_000,
  request: (op, { market }) => request(`${op === 'subscribe' ? 'sub' : 'unsub'}.depth`, market),
  snapshot: {
    request: (market) =>
      getContracts(`/depth/${encodeURIComponent(market)}`, { limit: depth }, 'depth'),
    parse: (body) => wholeBook(field(body, 'data')),
  },
  parse(message) {
    const { channel, symbol, data, ts } = asRow(message);
    if (channel === 'rs.error') throw refused(data);
    if (channel !== 'push.depth') return null;
    return updateIn(false, symbol, data, { stated: time(asRow(data).cts) ?? time(ts) });
  },
});

export const books = { contracts: book };
