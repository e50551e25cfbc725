/** Prices of Crypto.com by stream: the tickers of single markets, as they change. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#ticker-instrument_name */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, required, text } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { changedRows } from '../rows.ts';
import { dataOf, tickers } from './rows.ts';

/** No channel has all markets. The server asks every 30 s whether we live, and closes what does not answer in 5 s. */
const all: LatestStream<PriceRow> = {
  url: 'wss://stream.crypto.com/exchange/v1/market',
  most: 100,
  pace: 50,
  channels: (instruments) =>
    [...instruments.keys()].map((market, at) =>
      JSON.stringify({
        ...{ id: at + 1, method: 'subscribe' },
        params: { channels: [`ticker.${market}`] },
      }),
    ),
  reply: (message) =>
    isRecord(message) && message.method === 'public/heartbeat'
      ? JSON.stringify({ id: message.id, method: 'public/respond-heartbeat' })
      : null,
  /** A subscription is answered under its id, with the first ticker; later ones have the id -1. */
  acknowledges: (message) =>
    isRecord(message) && message.method === 'subscribe' && required(message.id) > 0 ? 1 : 0,
  channelIn: /"subscription":"(ticker\.[^"]+)"/,
  silence: 45_000,
  collect: 'latest',
  parse(message, { instruments }) {
    const code = field(message, 'code');
    if (code !== undefined && code !== 0)
      throw new ShapeError(`Crypto.com ${code}: ${text(field(message, 'message'))}`);
    const method = text(field(message, 'method'));
    if (method === 'public/heartbeat') return null;
    if (method !== 'subscribe') throw new ShapeError('method: unknown');
    if (field(message, 'result') === undefined) return null;
    return changedRows(bulk(dataOf(message), 'tickers'), instruments, tickers);
  },
};

export const livePrices = { all };
