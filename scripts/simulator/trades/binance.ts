/**
 * `<symbol>@aggTrade` of Binance USD-M: two trades a second, what takers bought in it at its highest price and what they sold
 * at its lowest, so that they add up to the candles.
 */
import { plain } from '../format.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Channels } from '../venue.ts';

const second = 1_000;
const host = 'fstream.binance.com';
const group = 'fapi';
const name = ({ id }: Market): string => `${id.toLowerCase()}@aggTrade`;

/** The trades of the second before `now`; none is smaller than a lot, so that every second has two ids. */
function tradesOf(market: Market, now: number) {
  const { high, low, quantity, bought } = market.stretch(now - second, now);
  const lots = Math.max(0, market.lot);
  return [
    { price: high, size: bought, at: now - 600, maker: false },
    { price: low, size: quantity - bought, at: now - 300, maker: true },
  ].map(({ price, size, at, maker }, i) => ({
    ...{ e: 'aggTrade', E: now, a: (now / second) * 2 + i, s: market.id },
    ...{ p: plain(price, market.decimals), q: plain(Math.max(size, 10 ** -lots), lots) },
    ...{ T: at, m: maker },
  }));
}

export const aggTrades: Channels = {
  every: second,
  named(frame, to) {
    const { method, params } = objectOf(frame);
    const isRouted = to.host === host && to.path.startsWith('/market/');
    const asked = method === 'SUBSCRIBE' && isRouted ? textsOf(params) : [];
    return asked.filter((stream) => stream.endsWith('@aggTrade'));
  },
  messages(channels, { now, model, first }) {
    // The subscription itself is followed by nothing: each second is sent once.
    if (first) return [];
    return model
      .markets('binance', now, group)
      .filter((market) => market.state === 'live' && channels.has(name(market)))
      .flatMap((market) => tradesOf(market, now));
  },
};
