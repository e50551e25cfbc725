/** `tickers.<market>` of Bybit: whole on spot and in answer to a subscription, else what has changed. */
import { objectOf, textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Ask, Channels } from '../venue.ts';
import { ticker } from '../venues/bybit-answers.ts';
import { channelOf, marketChannels } from './moving.ts';

const venue = 'bybit';
const prefix = 'tickers.';

/** What spot does not state. */
const quotes = new Set(['bid1Price', 'bid1Size', 'ask1Price', 'ask1Size']);
/** What changes from one second to the next. */
const moving = new Set([
  ...quotes,
  ...['symbol', 'lastPrice', 'markPrice', 'indexPrice', 'price24hPcnt', 'turnover24h', 'volume24h'],
  ...['openInterest', 'openInterestValue', 'singleOpenInterest', 'singleOpenInterestValue'],
]);

const only = (row: object, wanted: (key: string) => boolean) =>
  Object.fromEntries(Object.entries(row).filter(([key]) => wanted(key)));

function message(market: Market, at: Pick<Ask, 'model' | 'now'>, first: boolean) {
  const row = ticker(market, at);
  const isSpot = market.group === 'spot';
  const type = isSpot || first ? 'snapshot' : 'delta';
  const sent = (key: string) => (isSpot ? !quotes.has(key) : first || moving.has(key));
  const about = { topic: `${prefix}${market.id}`, ts: at.now, type, cs: at.now };
  return { ...about, data: only(row, sent) };
}

const changing = marketChannels({
  venue,
  named(frame, { path }) {
    const { op, args } = objectOf(frame);
    const group = path.split('/').at(-1) ?? '';
    const names = op === 'subscribe' ? textsOf(args).filter((one) => one.startsWith(prefix)) : [];
    return names.map((name) => channelOf({ group, id: name.slice(prefix.length) }));
  },
  tell: (markets, at) => markets.map((market) => message(market, at, false)),
});

export const tickers: Channels = {
  ...changing,
  messages(channels, at) {
    if (!at.first) return changing.messages(channels, at);
    return at.model
      .markets(venue, at.now)
      .filter((market) => market.state === 'live' && channels.has(channelOf(market)))
      .map((market) => message(market, at, true));
  },
};
