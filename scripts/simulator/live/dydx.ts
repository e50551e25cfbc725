/** `v4_markets` of dYdX: all markets at first, then oracle prices every second and, less often, what is traded. */
import { asRow } from '../../../actors/read.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Model } from '../model.ts';
import type { Channels } from '../venue.ts';
import { movingMarkets } from './moving.ts';

type At = { now: number; model: Model };

const venue = 'dydx';
const channel = 'v4_markets';

function partsOf(facts: (market: Market, at: At) => object, at: At) {
  const markets = movingMarkets(at.model, venue, 'perp', at.now);
  const rows = markets.map((market) => [market.id, asRow(facts(market, at))] as const);
  const effectiveAt = new Date(at.now).toISOString();
  const oracle = rows.map(([id, { oraclePrice }]) => [id, { oraclePrice, effectiveAt }]);
  const traded = rows.map(
    ([id, { clobPairId, volume24H, priceChange24H, nextFundingRate, openInterest }]) => [
      id,
      { id: clobPairId, volume24H, priceChange24H, nextFundingRate, openInterest },
    ],
  );
  return [
    { oraclePrices: Object.fromEntries(oracle) },
    ...(isEvery(5, at.now) ? [{ trading: Object.fromEntries(traded) }] : []),
  ];
}

/** `facts` is the row of a market in the answer to `perpetualMarkets`. */
export const marketsBy = (facts: (market: Market, at: At) => object): Channels => ({
  every: 1_000,
  named(frame) {
    const { type, channel: asked } = objectOf(frame);
    return type === 'subscribe' && asked === channel ? [channel] : [];
  },
  messages(_channels, { now, model, first }) {
    const about = { connection_id: '3a2e4c0c-7579-4bf6-a570-e0979418bbe9', message_id: 0, channel };
    const type = first ? 'subscribed' : 'channel_data';
    const whole = () => {
      const all = model.markets(venue, now, 'perp');
      const rows = all.map((market) => [market.id, facts(market, { model, now })]);
      return [{ markets: Object.fromEntries(rows) }];
    };
    const contents = first ? whole() : partsOf(facts, { now, model });
    return contents.map((one) => ({ type, ...about, contents: one }));
  },
});
