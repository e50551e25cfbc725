/** `ticker` of Bitget's single markets, version 3: coin-margined ids end in `_CM`. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import { row } from '../venues/bitget-answers.ts';
import { marketChannels } from './moving.ts';

const symbolOf = ({ id, group }: Market): string => (group === 'coin-futures' ? `${id}_CM` : id);

/** What both kinds have, by the names of version 3. */
const common = `
  highPrice24h=high+0f lowPrice24h=low+0f openPrice24h=open+0f lastPrice=last+0f
  turnover24h=turnover volume24h=base bid1Price=bid+0f ask1Price=ask+0f bid1Size=bidSize
  ask1Size=askSize price24hPcnt=fraction.5f`;
const pair = row(common);
const contract = row(`
  ${common} indexPrice=index+3 markPrice=mark fundingRate=rate openInterest=held deliveryTime=''
  deliveryStartTime='' deliveryStatus='' nextFundingTime=$next`);

export const tickers = marketChannels({
  venue: 'bitget',
  named(frame) {
    const { op, args } = objectOf(frame);
    const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
    return asked
      .filter(({ topic }) => topic === 'ticker')
      .map(({ instType, symbol }) => `${text(instType)} ${text(symbol)}`);
  },
  channel: (market) => `${market.group} ${symbolOf(market)}`,
  tell: (markets, at) =>
    markets.map((market) => {
      const data = [(market.group === 'spot' ? pair : contract)(market, at)];
      const arg = { instType: market.group, topic: 'ticker', symbol: symbolOf(market) };
      return { action: 'snapshot', arg, data, ts: at.now };
    }),
});
