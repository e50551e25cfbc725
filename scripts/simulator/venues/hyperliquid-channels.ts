/** Channels of Hyperliquid: contexts of all markets, and what clients of its own form follow. https://hyperliquid.gitbook.io/hyperliquid-docs/for-developers/api/websocket/subscriptions */
import { deflateRawSync } from 'node:zlib';
import type { Interval } from '../../../actors/topics/index.ts';
import { intervals } from '../../../actors/topics/index.ts';
import { trades } from '../events.ts';
import type { Market } from '../market.ts';
import type { Row } from '../rows.ts';
import { type Channel, isEvery, type Moment, movingMarkets } from '../streams.ts';
import type { Ask } from '../venue.ts';
import { groups } from './hyperliquid-dexes.ts';

/** What the answers to questions are made of. */
interface Answers {
  marketOf(at: Pick<Ask, 'model' | 'now'>, coin: string): Market | undefined;
  context: Record<'perp' | 'spot', Row>;
  middles(ask: Ask, question: { dex?: string }): object | null;
  book(ask: Ask, question: { coin: string }): { levels: readonly (readonly unknown[])[] } | null;
  candles(ask: Ask, question: { req: object }): readonly object[];
  trade: Row;
}

const askAt = ({ model, now }: Moment): Ask => ({
  model,
  now,
  method: 'POST',
  path: '/info',
  query: new URLSearchParams(),
  body: '',
});

const isInterval = (name: string | undefined): name is Interval =>
  name !== undefined && Object.hasOwn(intervals, name);

/** A message about each subscription, every so many seconds and in answer to it. */
const told = (seconds: number, tell: (id: string, at: Moment) => unknown): Channel => ({
  messages: (keys, at) =>
    at.first || isEvery(seconds, at.now)
      ? [...keys].flatMap((key) => tell(key.trim(), at) ?? [])
      : [],
});

/** Mark and middle prices: the first message has all markets, those after it the ones that have changed. */
function marksOf({ perp, spot }: Answers['context'], at: Moment): object {
  const rows = [...groups, 'spot'].flatMap((group) => {
    const markets = at.first
      ? at.model.markets('hyperliquid', at.now, group)
      : movingMarkets(at, 'hyperliquid', group);
    return markets.map((market) => {
      const { markPx, midPx } = (group === 'spot' ? spot : perp)(market, at);
      return [market.id, { markPx, midPx }];
    });
  });
  const packed = deflateRawSync(JSON.stringify(Object.fromEntries(rows)));
  return { channel: 'fastAssetCtxs', data: packed.toString('base64') };
}
/** By position, the delisted ones among them. */
function contextsOf({ perp }: Answers['context'], { model, now }: Moment): object {
  const ctxs = groups.map((group) => [
    group === 'perp' ? '' : group,
    model.markets('hyperliquid', now, group).map((one) => perp(one, { model, now })),
  ]);
  return { channel: 'allDexsAssetCtxs', data: { ctxs } };
}
export function channelsOf(of: Answers): Readonly<Record<string, Channel>> {
  return {
    fastAssetCtxs: { messages: (_, at) => [marksOf(of.context, at)] },
    allDexsAssetCtxs: {
      messages: (_, at) => (at.first || isEvery(14, at.now) ? [contextsOf(of.context, at)] : []),
    },
    allMids: told(1, (_, at) => ({
      channel: 'allMids',
      data: { mids: of.middles(askAt(at), {}) },
    })),
    'allMids {id}': told(1, (dex, at) => {
      const mids = of.middles(askAt(at), { dex });
      return mids && { channel: 'allMids', data: { dex, mids } };
    }),
    'trades {id}': trades(of.trade, (data) => [{ channel: 'trades', data }]),
    'bbo {id}': told(1, (coin, at) => {
      const found = of.book(askAt(at), { coin });
      const bbo = found?.levels.map(([best = null]) => best);
      return bbo && { channel: 'bbo', data: { coin, time: at.now, bbo } };
    }),
    'candle {id}': told(2, (id, at) => {
      const [coin, interval] = id.split(' ');
      if (!isInterval(interval)) return null;
      const req = { coin, interval, startTime: at.now - intervals[interval], endTime: at.now };
      return { channel: 'candle', data: of.candles(askAt(at), { req }).at(-1) };
    }),
    'activeAssetCtx {id}': told(1, (coin, at) => {
      const market = of.marketOf(at, coin);
      if (!market) return null;
      const isSpot = market.kind === 'spot';
      const ctx = of.context[isSpot ? 'spot' : 'perp'](market, at);
      return { channel: isSpot ? 'activeSpotAssetCtx' : 'activeAssetCtx', data: { coin, ctx } };
    }),
  };
}
