/** The channels of Lighter: prices and marks, order books, liquidations. https://apidocs.lighter.xyz/docs/websocket-reference */
import { ShapeError } from '../../failure.ts';
import { bulk, field, isRecord, list, positive, required, text, time } from '../../read.ts';
import { bookStream, updateReader } from '../books.ts';
import { liquidationStream, perpetualsOf } from '../liquidations.ts';
import { acknowledgedBy } from '../streams.ts';
import { idOf, stats } from './markets.ts';

const typeOf = (message: unknown): string => (isRecord(message) ? text(message.type) : '');

/** Shared by all channels. Idle connections end after two minutes; 200 messages a minute are allowed to an address. */
const connection = {
  url: 'wss://mainnet.zklighter.elliot.ai/stream',
  keepAlive: { every: 30_000, message: '{"type":"ping"}' },
  reply: (message: unknown) => (typeOf(message) === 'ping' ? '{"type":"pong"}' : null),
  silence: 60_000,
  pace: 350,
  paceOf: 'host',
} as const;

/** The type of a message; ShapeError for an error and for what has none. */
function checkedType(message: unknown): string {
  const error = field(message, 'error');
  if (isRecord(error)) throw new ShapeError(`Lighter error ${required(error.code)}`);
  const type = typeOf(message);
  if (type === '') throw new ShapeError('type: no text');
  return type;
}

/** Where a message of a type has its map of markets by id: those that have changed, or all of them. */
const maps: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    'subscribed/market_stats': 'market_stats',
    'update/market_stats': 'market_stats',
    'subscribed/spot_market_stats': 'spot_market_stats',
    'update/spot_market_stats': 'spot_market_stats',
  }),
);

const all = stats.live({
  ...connection,
  channels: () =>
    ['market_stats/all', 'spot_market_stats/all'].map((channel) =>
      JSON.stringify({ type: 'subscribe', channel }),
    ),
  acknowledges: (message) => (/^subscribed\/(spot_)?market_stats$/.test(typeOf(message)) ? 1 : 0),
  read(message) {
    const key = maps.get(checkedType(message));
    if (key === undefined) return null;
    const markets = field(message, key);
    return {
      rows: bulk(isRecord(markets) ? Object.values(markets) : null, key),
      stated: time(field(message, 'timestamp')),
    };
  },
});

export const live = { prices: { all }, derivatives: { all } };

/** `nonce` numbers the changes of a market, and `begin_nonce` is that of the message before. */
const updateIn = updateReader({
  level: { price: 'price', quantity: 'size' },
  last: 'nonce',
  previous: 'begin_nonce',
});

const book = bookStream({
  ...connection,
  rule: 'chained',
  most: 1_000,
  window: false,
  perConnection: 100,
  request: (type, { market }) => JSON.stringify({ type, channel: `order_book/${market}` }),
  acknowledges: acknowledgedBy({ type: 'subscribed/order_book' }),
  parse(message) {
    const type = checkedType(message);
    const whole = type === 'subscribed/order_book';
    if (!whole && type !== 'update/order_book') return null;
    const [, market = ''] = text(field(message, 'channel')).split(':');
    return updateIn(whole, market, field(message, 'order_book'), {
      stated: time(field(message, 'timestamp')),
    });
  },
});

export const books = { all: book };

/** The side of the position: the taker is liquidated, and has sold where the bid was the maker. */
function sideOf({ is_maker_ask: bought }: { is_maker_ask?: unknown }) {
  if (typeof bought !== 'boolean') return null;
  return bought ? 'short' : 'long';
}

const isLiquidation = (row: unknown): boolean => isRecord(row) && row.type === 'liquidation';

/** Beside the trades of each market. A hundred markets a connection. */
export const liquidations = {
  all: liquidationStream({
    ...connection,
    channels: (instruments) =>
      perpetualsOf(instruments).map((id) =>
        JSON.stringify({ type: 'subscribe', channel: `trade/${id}` }),
      ),
    perConnection: 100,
    concerns: (frame) => frame.includes('"liquidation"') || !frame.includes('"update/trade"'),
    acknowledges: acknowledgedBy({ type: 'subscribed/trade' }),
    rows(message) {
      const type = checkedType(message);
      if (type !== 'subscribed/trade' && type !== 'update/trade') return null;
      const rows = list(field(message, 'liquidation_trades') ?? [], 'liquidation_trades');
      return rows.filter(isLiquidation);
    },
    columns: {
      market: idOf,
      side: sideOf,
      price: 'price',
      kind: 'fill',
      quantity: 'size',
      // Dollars.
      value: 'usd_amount',
      at: 'timestamp',
      id: ({ trade_id }) => (positive(trade_id) > 0 ? `${trade_id}` : ''),
    },
  }),
};
