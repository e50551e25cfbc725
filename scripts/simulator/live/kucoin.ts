/** `ticker`, `mark-price` and `funding-fee-all-symbols` of KuCoin's connections without a token. */
import { text } from '../../../actors/read.ts';
import { fixed } from '../format.ts';
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Channels } from '../venue.ts';
import { state } from '../venues/kucoin-answers.ts';
import { channelOf, marketChannels } from './moving.ts';
import { quoteOf } from './quote.ts';

export const tickers = marketChannels({
  venue: 'kucoin',
  named(frame) {
    const { action, channel, tradeType, symbols } = objectOf(frame);
    const ids = action === 'SUBSCRIBE' && channel === 'ticker' ? textsOf(symbols) : [];
    return ids.map((id) => channelOf({ group: text(tradeType).toLowerCase(), id }));
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { last, bid, ask, bidSize, askSize } = quoteOf(market, at);
      const sent = `${at.now}000000`;
      const d = {
        ...{ A: askSize, B: bidSize, E: at.now / 1_000, M: sent, S: 'SELL' },
        ...{ a: ask, b: bid, l: last, q: bidSize, s: market.id },
      };
      return { T: `ticker.${market.group.toUpperCase()}`, P: sent, d };
    }),
});

export const marks = marketChannels({
  venue: 'kucoin',
  named(frame) {
    const { action, channel, symbol } = objectOf(frame);
    const asked = action === 'SUBSCRIBE' && channel === 'mark-price';
    return asked ? [channelOf({ group: 'futures', id: text(symbol) })] : [];
  },
  tell: (markets, at) =>
    markets.map((market) => {
      const { markPrice, indexPrice, openInterest: oi } = state(market, at);
      const d = { s: market.id, mp: `${markPrice}`, ip: `${indexPrice}`, oi, ts: at.now };
      return { T: 'mark-price', P: `${at.now}000000`, d };
    }),
});

/** Rates of all perpetuals, every minute. */
export const funding: Channels = {
  every: 1_000,
  named(frame) {
    const { action, channel } = objectOf(frame);
    return action === 'SUBSCRIBE' && channel === 'funding-fee-all-symbols' ? [channel] : [];
  },
  messages(channels, { now, model, first }) {
    if (channels.size === 0 || !(first || isEvery(60, now))) return [];
    const d = model
      .markets('kucoin', now, 'futures')
      .filter((market) => market.kind === 'perpetual' && market.state === 'live')
      .map((market) => {
        const { last, next } = market.fundingTimes(now);
        const rate = (at: number) => fixed(market.fundingRate(at), 6);
        const times = { ft: last, nt: next, gl: next - last };
        return {
          s: market.id,
          fr: rate(next),
          lfr: rate(last),
          ...times,
          fc: '0.003',
          ff: '-0.003',
        };
      });
    return [{ T: 'funding-fee-all-symbols', P: `${now}000000`, d }];
  },
};
