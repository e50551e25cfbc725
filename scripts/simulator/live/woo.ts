/** The topic `tickers` of WOO X. */
import { plain } from '../format.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
import { movingMarkets } from './moving.ts';

function ticker(market: Market, { model, now }: { model: Model; now: number }) {
  const { open, high, low, close, quantity, turnover, trades } = model.last24h(market, now);
  const number = (value: number) => Number(plain(value, market.decimals));
  return {
    symbol: market.id,
    ...{ open: number(open), close: number(close), high: number(high), low: number(low) },
    ...{ volume: quantity, amount: turnover, count: trades },
  };
}

/** Both kinds of markets in one message. */
export const channels: Channels = {
  every: 1_000,
  named: (frame) => (objectOf(frame).topic === 'tickers' ? ['tickers'] : []),
  messages: (_, at) => {
    const markets = ['spot', 'perp'].flatMap((group) =>
      movingMarkets(at.model, 'woo', group, at.now),
    );
    return [{ topic: 'tickers', ts: at.now, data: markets.map((market) => ticker(market, at)) }];
  },
};
