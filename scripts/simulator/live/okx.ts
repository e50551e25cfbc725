/** What OKX tells of single markets: `tickers`, `mark-price`, `funding-rate`, `open-interest` and `index-tickers`. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import type { Ask, Channels } from '../venue.ts';
import { funding, groupOf, indexTicker, interest, mark, ticker } from '../venues/okx-answers.ts';
import { channelOf, marketChannels, together } from './moving.ts';

type Telling = (market: Market, at: Pick<Ask, 'model' | 'now'>) => object;

/** `suffix` makes the id of the channel that of the market. */
const told = (channel: string, telling: Telling, suffix = ''): Channels =>
  marketChannels({
    venue: 'okx',
    named(frame) {
      const { op, args } = objectOf(frame);
      const asked = op === 'subscribe' && Array.isArray(args) ? args.filter(isRecord) : [];
      return asked
        .filter((arg) => arg.channel === channel)
        .map(({ instId }) => `${text(instId)}${suffix}`)
        .map((id) => channelOf({ group: groupOf(id), id }));
    },
    tell: (markets, at) =>
      markets.map((market) => {
        const instId = market.id.slice(0, market.id.length - suffix.length);
        return { arg: { channel, instId }, data: [telling(market, at)] };
      }),
  });

export const channels = together(
  told('tickers', ticker),
  told('mark-price', mark),
  told('funding-rate', funding),
  told('open-interest', interest),
  told('index-tickers', indexTicker, '-SWAP'),
);
