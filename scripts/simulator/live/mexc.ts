/** `push.tickers` of MEXC's contracts. */
import { isRecord, text } from '../../../actors/read.ts';
import { objectOf } from '../liquidations/forced.ts';
import { contractTicker } from '../venues/mexc-answers.ts';
import { tickerChannels } from './moving.ts';

const polledOnly = new Set(['bid1', 'ask1', 'holdVol', 'fundingRate', 'riseFallValue']);

export const channels = tickerChannels({
  venue: 'mexc',
  named: (frame) => (objectOf(frame).method === 'sub.tickers' ? ['contracts'] : []),
  tell: (markets, at) => [
    {
      channel: 'push.tickers',
      data: markets.map((market) =>
        Object.fromEntries(
          Object.entries(contractTicker(market, at)).filter(([key]) => !polledOnly.has(key)),
        ),
      ),
      ts: at.now,
    },
  ],
});

/** A ping, and a subscription, are answered without an id. */
export function reply(frame: string): string[] {
  const { method, param } = objectOf(frame);
  if (method === 'ping') return ['{"channel":"pong","data":0}'];
  if (/^(un)?sub\.(tickers|depth)$/.test(text(method)) && isRecord(param))
    return [JSON.stringify({ channel: `rs.${text(method)}`, data: 'success' })];
  return ['{"channel":"rs.error","data":"not simulated"}'];
}
