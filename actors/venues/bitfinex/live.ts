/** Prices of Bitfinex by stream: the tickers of single markets. https://docs.bitfinex.com/reference/ws-public-ticker */
import { ShapeError } from '../../failure.ts';
import { isRecord, list, text } from '../../read.ts';
import type { LatestStream } from '../../sources/stream.ts';
import type { PriceRow } from '../../topics/index.ts';
import { changedRows } from '../rows.ts';
import { tickers } from './rows.ts';
import { channelsOf, connection, noteChannel } from './stream.ts';

/** Two connections. The row of a message is that of an answer, without its first column, the name of the market. */
const all: LatestStream<PriceRow> = {
  ...connection,
  most: 50,
  channels: (instruments) =>
    [...instruments.keys()].map((symbol) =>
      JSON.stringify({ event: 'subscribe', channel: 'ticker', symbol }),
    ),
  channelIn: /^\[(\d+),\[/,
  collect: 'latest',
  parse(message, { instruments, connection: by }) {
    if (isRecord(message)) {
      if (text(message.event) === '') throw new ShapeError('event: no text');
      noteChannel(by, 'ticker', message);
      return null;
    }
    const [chanId, row] = list(message, 'message');
    if (row === 'hb') return null;
    const market = typeof chanId === 'number' && channelsOf(by).get(chanId);
    const named = [market || `channel ${chanId}`, ...list(row, 'ticker')];
    return changedRows([named], instruments, tickers);
  },
};

export const livePrices = { all };
