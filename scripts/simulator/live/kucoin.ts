/** `ticker` of KuCoin's connections without a token. */
import { text } from '../../../actors/read.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
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
