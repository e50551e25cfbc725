/** `push.tickers` and `push.funding.rate` of MEXC's contracts. */
import { asRow, isRecord, text } from '../../../actors/read.ts';
import { isEvery, objectOf } from '../liquidations/forced.ts';
import { rowsWith } from '../rows.ts';
import type { Channels } from '../venue.ts';
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

const rate = rowsWith().row('symbol=id rate=@rate nextSettleTime=next');

/** The rate of a contract, at first and every minute. */
export const fundingChannels: Channels = {
  every: 1_000,
  named(frame) {
    const { method, param } = objectOf(frame);
    return method === 'sub.funding.rate' ? [text(asRow(param).symbol)] : [];
  },
  messages(symbols, { now, model, first }) {
    if (!first && !isEvery(60, now)) return [];
    return model.markets('mexc', now, 'contracts').flatMap((market) => {
      if (market.state !== 'live' || !symbols.has(market.id)) return [];
      const data = rate(market, { model, now });
      return [{ symbol: market.id, data, channel: 'push.funding.rate', ts: now }];
    });
  },
};

/** A ping, and a subscription, are answered without an id. */
export function reply(frame: string): string[] {
  const { method, param } = objectOf(frame);
  if (method === 'ping') return ['{"channel":"pong","data":0}'];
  if (/^(un)?sub\.(tickers|depth|funding\.rate)$/.test(text(method)) && isRecord(param))
    return [JSON.stringify({ channel: `rs.${text(method)}`, data: 'success' })];
  return ['{"channel":"rs.error","data":"not simulated"}'];
}
