/** `ticker.<market>.100ms` of Deribit. */
import { asRow } from '../../../actors/read.ts';
import { objectOf, textsOf } from '../liquidations/forced.ts';
import { stateOf } from '../venues/deribit-answers.ts';
import { channelOf, marketChannels } from './moving.ts';

/** The group of the markets with such an id. */
function groupOf(id: string): string {
  if (!id.includes('-')) return 'spot';
  return id.includes('_') ? 'linear' : 'inverse';
}

export const tickers = marketChannels({
  venue: 'deribit',
  named(frame) {
    const { method, params } = objectOf(frame);
    const asked = method === 'public/subscribe' ? textsOf(asRow(params).channels) : [];
    return asked.flatMap((name) => {
      const [, id] = /^ticker\.(.+)\.100ms$/.exec(name) ?? [];
      return id === undefined ? [] : channelOf({ group: groupOf(id), id });
    });
  },
  tell: (markets, at) =>
    markets.map((market) => ({
      ...{ jsonrpc: '2.0', method: 'subscription' },
      params: { channel: `ticker.${market.id}.100ms`, data: stateOf(market, at) },
    })),
});
