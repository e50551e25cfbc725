/** Prices, and mark prices and funding of contracts, of Gate by stream. https://www.gate.com/docs/developers/apiv4/ws/en/#tickers-channel */
import { field, time } from '../../read.ts';
import { byPart } from '../../sources/venue.ts';
import { pieces } from '../liquidations.ts';
import type { LiveForm } from '../markets.ts';
import { type Settle, settles, spotTickers, streamedTickers } from './rows.ts';
import { connection, rowsOf, subscription } from './stream.ts';

/** One name that Gate does not know fails its whole message, and the rest of it is subscribed to again. */
const perMessage = 20;

/**
 * The tickers of a channel, as the answers have them: what a message lacks (the quotes of contracts, and all of 24 h in
 * some frames) stays as it was polled. `t` is the time of a contract's row, `time_ms` that of the message.
 */
const stream = (api: 'spot' | 'futures', url: string): LiveForm => ({
  ...connection(api),
  url,
  most: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perMessage).map((names) =>
      subscription(`${api}.tickers`, names),
    ),
  read(message) {
    const rows = rowsOf(message);
    return rows && { rows, stated: time(field(message, 'time_ms')) };
  },
});

const contracts = byPart(
  (settle: Settle) =>
    streamedTickers.live(stream('futures', `wss://fx-ws.gateio.ws/v4/ws/${settle}`)),
  ...settles,
);

export const live = {
  prices: {
    spot: spotTickers.live(stream('spot', 'wss://api.gateio.ws/ws/v4/')),
    ...contracts,
  },
  derivatives: contracts,
};
