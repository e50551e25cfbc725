/** The 24 h tickers of Phemex by stream. */
import { objectOf } from '../liquidations/forced.ts';
import { inverseTicker, linearTicker, nanos, spotTicker } from '../venues/phemex-answers.ts';
import { tickerChannels } from './moving.ts';

const groups: Readonly<Record<string, string>> = {
  'spot_market24h.subscribe': 'spot',
  'perp_market24h_pack_p.subscribe': 'linear',
  'market24h.subscribe': 'inverse',
};

const fields = [
  ...['symbol', 'openRp', 'highRp', 'lowRp', 'lastRp', 'volumeRq', 'turnoverRv'],
  ...['openInterestRv', 'indexRp', 'markRp', 'fundingRateRr', 'predFundingRateRr'],
];

export const channels = tickerChannels({
  venue: 'phemex',
  named: (frame) => {
    const group = groups[String(objectOf(frame).method)];
    return group === undefined ? [] : [group];
  },
  tell(markets, at) {
    const timestamp = nanos(at.now);
    const [first] = markets;
    if (first?.group === 'linear') {
      const data = markets.map((market) => {
        const ticker: Readonly<Record<string, unknown>> = linearTicker(market, at);
        return fields.map((name) => ticker[name]);
      });
      return [
        { data, fields, method: 'perp_market24h_pack_p.update', timestamp, type: 'snapshot' },
      ];
    }
    return markets.map((market) => {
      if (market.group === 'spot') {
        const { timestamp: _, ...spot_market24h } = spotTicker(market, at);
        return { spot_market24h, timestamp };
      }
      const row = inverseTicker(market, at);
      const market24h = {
        ...{ close: row.lastEp, open: row.openEp, high: row.highEp, low: row.lowEp },
        ...{ symbol: row.symbol, turnover: row.turnoverEv, volume: row.volume },
        ...{ fundingRate: row.fundingRateEr, predFundingRate: row.predFundingRateEr },
        ...{ indexPrice: row.indexEp, markPrice: row.markEp, openInterest: row.openInterest },
      };
      return { market24h, timestamp };
    });
  },
});
