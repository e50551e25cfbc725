/** `fastAssetCtxs` of Hyperliquid, every second, and `allDexsAssetCtxs`, every fourteen seconds. */
import { deflateRawSync } from 'node:zlib';
import { asRow, text } from '../../../actors/read.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
import { movingMarkets } from './moving.ts';

type At = { now: number; model: Model };
/** What the answers say of a perpetual, and of a spot pair. */
interface Contexts {
  perp(market: Market, at: At): object;
  spot(market: Market, at: At): object;
}

const venue = 'hyperliquid';
const groups = ['perp', 'spot'] as const;
const [marks, contexts] = ['fastAssetCtxs', 'allDexsAssetCtxs'];

/** The first message has all markets, those after it the ones that have changed. */
function marksOf(of: Contexts, { first, ...at }: At & { first: boolean }): object {
  const rows = groups.flatMap((group) => {
    const markets = first
      ? at.model.markets(venue, at.now, group)
      : movingMarkets(at.model, venue, group, at.now);
    return markets.map((market) => {
      const { markPx, midPx } = asRow(of[group](market, at));
      return [market.id, { markPx, midPx }];
    });
  });
  const packed = deflateRawSync(JSON.stringify(Object.fromEntries(rows)));
  return { channel: marks, data: packed.toString('base64') };
}

/** By position, the delisted ones among them. */
function contextsOf(of: Contexts, at: At): object {
  const own = at.model.markets(venue, at.now, 'perp').map((market) => of.perp(market, at));
  return { channel: contexts, data: { ctxs: [['', own]] } };
}

export const contextChannels = (of: Contexts): Channels => ({
  every: 1_000,
  named: (frame) => {
    const { method, subscription } = objectOf(frame);
    const type = text(asRow(subscription).type);
    return method === 'subscribe' && (type === marks || type === contexts) ? [type] : [];
  },
  messages: (channels, { now, model, first }) => [
    ...(channels.has(marks) ? [marksOf(of, { now, model, first })] : []),
    ...(channels.has(contexts) && (first || isEvery(14, now))
      ? [contextsOf(of, { now, model })]
      : []),
  ],
});
