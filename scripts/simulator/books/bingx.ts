/** `depth100` of BingX's spot markets and linear perpetuals: whole books, asks worst first. */
import { text } from '../../../actors/read.ts';
import { groups } from '../live/bingx.ts';
import { idsIn, inGroup, order } from './frames.ts';
import { bookChannels } from './wire.ts';

const topics: Readonly<Record<string, string>> = { spot: 'depth100', linear: 'depth100@500ms' };

export const books = bookChannels({
  ...{ venue: 'bingx', depth: 100, every: 4_000, whole: true },
  asked({ reqType, dataType }, { host }) {
    const on = order('sub', 'unsub')(reqType);
    const group = groups[host] ?? '';
    const topic = topics[group];
    if (on === null || topic === undefined) return null;
    return { on, markets: inGroup(group, idsIn([text(dataType)], new RegExp(`^(.+)@${topic}$`))) };
  },
  tell({ market, now, id, bids, asks }) {
    const dataType = `${market.id}@${topics[market.group]}`;
    const sides = { bids, asks: asks.toReversed() };
    return market.group === 'spot'
      ? { code: 0, data: { ...sides, lastUpdateId: id }, dataType, success: true, timestamp: now }
      : { code: 0, dataType, ts: now, data: sides };
  },
});
