/** `ticker`, `mark-price` and `funding-fee-all-symbols` of KuCoin's connections without a token. */
import { text } from '../../../actors/read.ts';
import { isLive, marketRows } from '../exchange.ts';
import { isEvery, objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
import { channelOf, marketChannels } from './moving.ts';

const rows = rowsWith({
  sent: ({ now }) => `${now}000000`,
  length: ({ funding: { last, next } }) => next - last,
});
const ticker = rows.row(`
  A=bestAskSize B=bestBidSize E=seconds M=sent S='SELL' a=bestAsk b=bestBid l=last q=bestBidSize
  s=id`);
const mark = rows.row('s=id mp=mark+1 ip=index+1 oi=$contracts ts=now');
const rate = rows.row(`
  s=id fr=rate.6f lfr=lastRate.6f ft=lastFunding nt=next gl=length fc='0.003' ff='-0.003'`);

export const tickers = marketChannels({
  venue: 'kucoin',
  named(frame) {
    const { action, channel, tradeType, symbols } = objectOf(frame);
    const ids = action === 'SUBSCRIBE' && channel === 'ticker' ? textsOf(symbols) : [];
    return ids.map((id) => channelOf({ group: text(tradeType).toLowerCase(), id }));
  },
  tell: (markets, at) =>
    markets.map((market) => ({
      T: `ticker.${market.group.toUpperCase()}`,
      P: `${at.now}000000`,
      d: ticker(market, at),
    })),
});

export const marks = marketChannels({
  venue: 'kucoin',
  named(frame) {
    const { action, channel, symbol } = objectOf(frame);
    const asked = action === 'SUBSCRIBE' && channel === 'mark-price';
    return asked ? [channelOf({ group: 'futures', id: text(symbol) })] : [];
  },
  tell: (markets, at) =>
    markets.map((market) => ({
      ...{ T: 'mark-price', P: `${at.now}000000`, d: mark(market, at) },
    })),
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
    const keep = (market: Market) => market.kind === 'perpetual' && isLive(market);
    const d = marketRows(rate, { model, now }, { venue: 'kucoin', group: 'futures', keep });
    return [{ T: 'funding-fee-all-symbols', P: `${now}000000`, d }];
  },
};
