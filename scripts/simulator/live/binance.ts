/** `!miniTicker@arr` of Binance and Aster. */
import { fixed, plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import { tickerChannels } from './moving.ts';

function miniTicker(market: Market, { now, model }: { now: number; model: Model }) {
  const { open, high, low, close, quantity, base, turnover } = model.last24h(market, now);
  const price = (value: number) => plain(value, market.decimals);
  return {
    ...{ e: '24hrMiniTicker', E: now, s: market.id },
    ...(market.inverse && { ps: market.id.split('_')[0] }),
    ...{ c: price(close), o: price(open), h: price(high), l: price(low) },
    v: plain(quantity, Math.max(0, market.lot)),
    q: fixed(market.inverse ? base : turnover, 8),
  };
}

/** `groups` names the markets that a host tells of; what is told without the route of market streams is not heard. */
export const miniTickers = (venue: string, groups: Readonly<Record<string, string>>) =>
  tickerChannels({
    venue,
    named(frame, { host, path }) {
      const { method, params } = objectOf(frame);
      const routed = host !== 'fstream.binance.com' || path.startsWith('/market/');
      const asked = method === 'SUBSCRIBE' && routed ? textsOf(params) : [];
      const group = groups[host];
      return group !== undefined && asked.includes('!miniTicker@arr') ? [group] : [];
    },
    tell: (markets, at) => [markets.map((market) => miniTicker(market, at))],
  });
