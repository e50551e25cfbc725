/** `ticker` and `status` of Bitfinex: the columns of an answer but the first, under the number of the channel. */
import { text } from '../../../actors/read.ts';
import { chanIdOf } from '../books/bitfinex.ts';
import { objectOf } from '../liquidations/forced.ts';
import type { Row } from '../rows.ts';
import { channelOf, marketChannels } from './moving.ts';

/** The number of the channel of a market's ticker; that of its book is another one. */
const tickerIdOf = (symbol: string): number => chanIdOf(symbol) + 2_000_000;

export const tickersBy = (ticker: Row<unknown[]>) =>
  marketChannels({
    venue: 'bitfinex',
    named(frame) {
      const { event, channel, symbol } = objectOf(frame);
      const asked = event === 'subscribe' && channel === 'ticker';
      return asked ? [channelOf({ group: 'all', id: text(symbol) })] : [];
    },
    tell: (markets, at) =>
      markets.map((market) => [tickerIdOf(market.id), ticker(market, at).slice(1)]),
  });

/** That of the state of a contract is yet another one. */
const statusIdOf = (symbol: string): number => chanIdOf(symbol) + 4_000_000;

const prefix = 'deriv:';
const contractIn = (frame: string): string | null => {
  const { event, channel, key } = objectOf(frame);
  const asked = event === 'subscribe' && channel === 'status' && text(key).startsWith(prefix);
  return asked ? text(key).slice(prefix.length) : null;
};

export const statesBy = (status: Row<unknown[]>) =>
  marketChannels({
    venue: 'bitfinex',
    named(frame) {
      const id = contractIn(frame);
      return id === null ? [] : [channelOf({ group: 'all', id })];
    },
    tell: (markets, at) =>
      markets.map((market) => [statusIdOf(market.id), status(market, at).slice(1)]),
  });

/** A subscription is answered with the number of its channel. */
export function tickerReply(frame: string): string[] {
  const { event, channel, symbol, key } = objectOf(frame);
  const [id, contract] = [text(symbol), contractIn(frame)];
  if (contract !== null)
    return [JSON.stringify({ event: 'subscribed', channel, chanId: statusIdOf(contract), key })];
  if (event !== 'subscribe' || channel !== 'ticker') return [];
  return [JSON.stringify({ event: 'subscribed', channel, chanId: tickerIdOf(id), symbol })];
}
