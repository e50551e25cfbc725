/** Prices, and mark prices and funding of contracts, of Gate by stream. https://www.gate.com/docs/developers/apiv4/ws/en/#tickers-channel */
import { field, positive, required, time } from '../../read.ts';
import type { LatestStream, SharedStream } from '../../sources/streams/stream.ts';
import { byPart } from '../../sources/venue.ts';
import type { DerivativeRow, PriceRow } from '../../topics/index.ts';
import { pieces } from '../liquidations.ts';
import { by, derivativeOf, marketRows, type Named, type Reader } from '../rows.ts';
import { fundingHours, type Settle, settles, spotTickers, tickers } from './rows.ts';
import { connection, rowsOf, subscription } from './stream.ts';

/** One name that Gate does not know fails its whole message, and the rest of it is subscribed to again. */
const perMessage = 20;

/**
 * The tickers of a channel, as the answers have them: what a message lacks (the quotes of contracts, and all of 24 h in
 * some frames) stays as it was polled. `t` is the time of a contract's row, `time_ms` that of the message.
 */
const stream = (
  api: 'spot' | 'futures',
  url: string,
  { id, read }: Reader<Named, PriceRow>,
): LatestStream<PriceRow> => ({
  ...connection(api),
  url,
  collect: 'latest',
  most: 100,
  channels: (instruments) =>
    pieces([...instruments.keys()], perMessage).map((names) =>
      subscription(`${api}.tickers`, names),
    ),
  parse(message, { instruments }) {
    const rows = rowsOf(message);
    if (rows === null) return null;
    const sent = time(field(message, 'time_ms'));
    return marketRows<Named, PriceRow>(rows, instruments, {
      id,
      read(row, market) {
        const found = read(row, market);
        return found && { ...found, stated: time(row.t) ?? sent };
      },
    });
  },
});

const contracts = (settle: Settle) =>
  stream('futures', `wss://fx-ws.gateio.ws/v4/ws/${settle}`, tickers);

/** Mark, index and funding. `total_size` may count both sides of the open interest, so it is not used. */
const rates = {
  messagesOf: 'prices',
  parse(message, { instruments }) {
    const rows = rowsOf(message);
    const sent = time(field(message, 'time_ms'));
    return (
      rows &&
      marketRows(rows, instruments, {
        id: by('contract'),
        read: (row, market) =>
          derivativeOf(market, {
            ...{ mark: positive(row.mark_price), index: positive(row.index_price) },
            ...{ rate: required(row.funding_rate), hours: fundingHours(row) },
            next: time(row.funding_next_apply, 1000),
            stated: time(row.t) ?? sent,
          }),
      })
    );
  },
} as const satisfies SharedStream<DerivativeRow>;

export const live = {
  prices: {
    spot: stream('spot', 'wss://api.gateio.ws/ws/v4/', spotTickers),
    ...byPart(contracts, ...settles),
  },
  derivatives: byPart(() => rates, ...settles),
};
