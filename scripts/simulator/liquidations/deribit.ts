/** `trades.future.<currency>.100ms` of Deribit: trades, some of which liquidate, and its questions whether we live. */
import { type Forced, isEvery, liquidationChannels, objectOf, textsOf } from './forced.ts';

/** The maker is liquidated by every third, which a taker on the other side meets. */
const trade = ({ market, long, quantity, price, time, id }: Forced) => {
  const maker = id % 3 === 0;
  return {
    trade_seq: id % 1e8,
    trade_id: `${id}`,
    timestamp: time,
    tick_direction: 1,
    price,
    mark_price: price,
    liquidation: maker ? 'M' : 'T',
    instrument_name: market.id,
    index_price: price,
    direction: long === maker ? 'buy' : 'sell',
    amount: quantity,
  };
};

const currencyOf = (market: Forced['market']): string => (market.inverse ? market.symbol : 'USDC');

const channelOf = (market: Forced['market']) => `trades.future.${currencyOf(market)}.100ms`;

const isTrades = (channel: string): boolean => channel.startsWith('trades.');

const subscription = (channel: string, data: readonly unknown[]) => ({
  jsonrpc: '2.0',
  method: 'subscription',
  params: { channel, data },
});

export const channels = liquidationChannels({
  venue: 'deribit',
  named(frame) {
    const { method, params } = objectOf(frame);
    const asked = objectOf(JSON.stringify(params ?? {})).channels;
    return method === 'public/subscribe' ? textsOf(asked).filter(isTrades) : [];
  },
  channel: channelOf,
  tell: (forced) =>
    [...Map.groupBy(forced, ({ market }) => channelOf(market))].map(([channel, rows]) =>
      subscription(channel, rows.map(trade)),
    ),
  beside(channels, now) {
    const channel = [...channels].find(isTrades);
    const usual = { trade_id: `${now}`, timestamp: now, price: 1, amount: 10, direction: 'buy' };
    const test = { jsonrpc: '2.0', method: 'heartbeat', params: { type: 'test_request' } };
    const trades = channel === undefined ? [] : [subscription(channel, [usual])];
    return [...trades, ...(isEvery(30, now) ? [test] : [])];
  },
});
