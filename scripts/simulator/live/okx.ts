/** `tickers` of OKX's single markets. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { groupOf, ticker } from '../venues/okx-answers.ts';
import { channelOf, marketChannels } from './moving.ts';

export const tickers = marketChannels({
  venue: 'okx',
  named(frame) {
    const { op, args } = objectOf(frame);
    const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
    return asked
      .filter(({ channel }) => channel === 'tickers')
      .map(({ instId }) => channelOf({ group: groupOf(text(instId)), id: text(instId) }));
  },
  tell: (markets, at) =>
    markets.map((market) => ({
      arg: { channel: 'tickers', instId: market.id },
      data: [ticker(market, at)],
    })),
});
