/** `spot.tickers` and `futures.tickers` of Gate: lists on futures, without quotes. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { spotTicker, ticker } from '../venues/gate-answers.ts';
import { channelOf, marketChannels } from './moving.ts';

/** The group of markets that a path and a channel tell of. */
function groupOf(channel: unknown, path: string): string | null {
  if (channel === 'spot.tickers') return 'spot';
  return channel === 'futures.tickers' ? (path.split('/').at(-1) ?? null) : null;
}

export const tickers = marketChannels({
  venue: 'gate',
  named(frame, { path }) {
    const { channel, event, payload } = objectOf(frame);
    const group = groupOf(channel, path);
    const ids = event === 'subscribe' ? textsOf(payload) : [];
    return group === null ? [] : ids.map((id) => channelOf({ group, id }));
  },
  tell(markets, at) {
    const sent = { time: at.now / 1_000, time_ms: at.now, event: 'update' };
    if (markets[0]?.group === 'spot')
      return markets.map((market) => {
        const { change_utc0, change_utc8, ...result } = spotTicker(market, at);
        return { ...sent, channel: 'spot.tickers', result };
      });
    const result = markets.map((market) => {
      const { highest_bid, lowest_ask, ...row } = ticker(market, at);
      return { ...row, price_type: 'last', change_from: '24h', t: at.now };
    });
    return [{ ...sent, channel: 'futures.tickers', result }];
  },
});
