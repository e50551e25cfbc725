/** The streams of Binance: prices, marks, liquidations, trades, order books. */
import type { Trade } from '../../../indicators/derivatives/trade-fold.ts';
import { ShapeError } from '../../failure.ts';
import { asRow, positive, required, text, time, type WireRow } from '../../read.ts';
import type { TradeStream } from '../../sources/streams/stream.ts';
import type { Instrument } from '../../topics/index.ts';
import { type Ask, get } from './api.ts';
import { futuresBookWeight, spotBookWeight } from './form.ts';
import {
  connection,
  depthStream,
  isAnswer,
  liquidationsAt,
  marksAt,
  pricesAt,
  subscription,
} from './stream-form.ts';

/** Market streams of USD-M have a route of their own; without it the connection opens and stays silent. */
const linear = 'wss://fstream.binance.com/market/ws';
const inverse = 'wss://dstream.binance.com/ws';

export const live = {
  prices: {
    spot: pricesAt('wss://data-stream.binance.vision/ws'),
    linear: pricesAt(linear),
    inverse: pricesAt(inverse),
  },
  derivatives: { linear: marksAt(linear) },
};

export const liquidations = { linear: liquidationsAt(linear), inverse: liquidationsAt(inverse) };

/** Null where a field is unreadable. */
function tradeIn(row: WireRow, { market, scale, contract }: Instrument): Trade | null {
  const [price, quantity, id] = [positive(row.p), positive(row.q), required(row.a)];
  const timestamp = time(row.T);
  if (!(price * quantity < Infinity) || timestamp === null) return null;
  if (!(id > 0 && id % 1 === 0) || typeof row.m !== 'boolean') return null;
  return {
    market,
    id,
    timestamp,
    price: price / scale,
    quantity: quantity * contract * scale,
    bought: !row.m,
  };
}

/**
 * Public trades, one row for each taker order and price. `m` states that the buyer was the maker: the taker bought where it is false.
 * Trades with the insurance fund and those of deleveraging are not among them.
 * https://developers.binance.com/docs/derivatives/usds-margined-futures/websocket-market-streams/Aggregate-Trade-Streams
 */
export const trades = {
  linear: {
    ...connection,
    collect: 'trades',
    url: linear,
    channels: (markets) =>
      [...markets.keys()].map((market) => subscription(`${market.toLowerCase()}@aggTrade`)),
    // Ten messages a second are allowed.
    pace: 150,
    silence: 60_000,
    parse(message, { instruments }) {
      const row = asRow(message);
      if (row.e !== 'aggTrade') {
        if (!isAnswer(message) && text(row.e) === '') throw new ShapeError('e: no text');
        return null;
      }
      const id = text(row.s);
      const market = instruments.get(id);
      // After a change of the markets the old connection goes on for a moment.
      if (!market && id !== '') return { rows: [], dropped: [] };
      const trade = market ? tradeIn(row, market) : null;
      return trade
        ? { rows: [trade], dropped: [] }
        : { rows: [], dropped: [{ key: id, code: 'bad_row' }] };
    },
  },
} satisfies Readonly<Record<string, TradeStream>>;

/** Only this host serves market data alone; books of USD-M have a route of their own. */
export const books = {
  spot: depthStream(
    { url: 'wss://data-stream.binance.vision/ws', rule: 'counted', pace: 250 },
    (symbol, limit): Ask => get('spot', '/depth', spotBookWeight(limit), { symbol, limit }),
  ),
  linear: depthStream(
    { url: 'wss://fstream.binance.com/public/ws', rule: 'chained', pace: 150 },
    (symbol, limit): Ask => get('linear', '/depth', futuresBookWeight(limit), { symbol, limit }),
  ),
};
