/** Prices of Crypto.com by stream: the tickers of single markets, as they change. https://exchange-docs.crypto.com/exchange/v1/rest-ws/index.html#ticker-instrument_name */
import { bulk } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { changedRows } from '../rows.ts';
import { dataOf, tickers } from './rows.ts';
import { connection, resultOf } from './stream.ts';

/** No channel has all markets. */
const all: LatestStream<PriceRow> = {
  ...connection,
  most: 100,
  channels: (instruments) =>
    [...instruments.keys()].map((market, at) =>
      JSON.stringify({
        ...{ id: at + 1, method: 'subscribe' },
        params: { channels: [`ticker.${market}`] },
      }),
    ),
  channelIn: /"subscription":"(ticker\.[^"]+)"/,
  collect: 'latest',
  parse(message, { instruments }) {
    if (resultOf(message) === null) return null;
    return changedRows(bulk(dataOf(message), 'tickers'), instruments, tickers);
  },
};

export const livePrices = { all };
