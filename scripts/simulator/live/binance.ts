/** `!miniTicker@arr` and `!markPrice@arr@1s` of Binance and Aster. */
import { fixed, plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
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

/** Mark, index and funding of every contract. */
function markPrice(market: Market, { now }: { now: number }) {
  const { next } = market.fundingTimes(now);
  const index = fixed(market.index(now), 8);
  const perpetual = market.expires === undefined;
  return {
    ...{ e: 'markPriceUpdate', E: now, s: market.id, p: fixed(market.exact(now), 8) },
    ...{ i: index, P: index, r: perpetual ? fixed(market.fundingRate(next), 8) : '' },
    T: perpetual ? next : 0,
  };
}

/** `!markPrice@arr@1s` of the contracts of a group. */
export const markPrices = (venue: string, host: string, group: string): Channels => ({
  every: 1_000,
  named(frame, to) {
    const { method, params } = objectOf(frame);
    const asked = method === 'SUBSCRIBE' && to.host === host ? textsOf(params) : [];
    return asked.includes('!markPrice@arr@1s') ? [group] : [];
  },
  messages: (_groups, { now, model }) => {
    const live = model.markets(venue, now, group).filter(({ state }) => state === 'live');
    return [live.map((market) => markPrice(market, { now }))];
  },
});

/** `groups` names the markets of a host; messages without the route of market streams do not arrive. */
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
