/** Prices of OKX by stream: the tickers of single markets. https://www.okx.com/docs-v5/en/#order-book-trading-market-data-ws-tickers-channel */
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { changedRows } from '../rows.ts';
import { tickers } from './rows.ts';
import { connection, rowsOf } from './stream.ts';

/** A connection may send 480 requests an hour, each of 64 KB. */
const perRequest = 50;

/** No channel has all markets. */
const ticking: LatestStream<PriceRow> = {
  ...connection,
  most: 100,
  pace: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perRequest).map((ids) =>
      JSON.stringify({
        op: 'subscribe',
        args: ids.map((instId) => ({ channel: 'tickers', instId })),
      }),
    ),
  channelIn: /"instId":"([^"]+)"\},"data"/,
  collect: 'latest',
  parse(message, { instruments }) {
    const rows = rowsOf(message);
    return rows && changedRows(rows, instruments, tickers);
  },
};

export const livePrices = { spot: ticking, swap: ticking };
