/** `ticker` of Bitget's single markets, version 3: coin-margined ids end in `_CM`. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Ask } from '../venue.ts';
import { futuresTicker, spotTicker } from '../venues/bitget-answers.ts';
import { marketChannels } from './moving.ts';

const symbolOf = ({ id, group }: Market): string => (group === 'coin-futures' ? `${id}_CM` : id);

/** What both kinds have, by the names of version 3. */
const named = (row: ReturnType<typeof spotTicker>) => ({
  ...{ highPrice24h: row.high24h, lowPrice24h: row.low24h, openPrice24h: row.open },
  ...{ lastPrice: row.lastPr, turnover24h: row.quoteVolume, volume24h: row.baseVolume },
  ...{ bid1Price: row.bidPr, ask1Price: row.askPr, bid1Size: row.bidSz, ask1Size: row.askSz },
  price24hPcnt: row.change24h,
});

function contract(market: Market, at: Pick<Ask, 'model' | 'now'>) {
  const row = futuresTicker(market, at);
  return {
    ...{ indexPrice: row.indexPrice, markPrice: row.markPrice, fundingRate: row.fundingRate },
    ...{ openInterest: row.holdingAmount, deliveryTime: '', deliveryStartTime: '' },
    ...{ deliveryStatus: '', nextFundingTime: `${market.fundingTimes(at.now).next}` },
  };
}

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
      const isSpot = market.group === 'spot';
      const row = { ...named(spotTicker(market, at)), ...(!isSpot && contract(market, at)) };
      const arg = { instType: market.group, topic: 'ticker', symbol: symbolOf(market) };
      return { action: 'snapshot', arg, data: [row], ts: at.now };
    }),
});
