/** `mbp.150` of HTX's spot markets, whose whole books are asked for, and `high_freq` of its contracts. */
import { text } from '../../../actors/read.ts';
import { bare, depth, idsIn, inGroup } from './frames.ts';
import { bookChannels } from './wire.ts';

const spotTopic = /^market\.(\w+)\.mbp\.150$/;
const contractTopic = /^market\.([\w-]+)\.depth\.size_150\.high_freq$/;

const every = 2_000;

export const spotBooks = bookChannels({
  ...{ venue: 'htx', depth, every },
  asked({ sub, unsub }) {
    const ids = idsIn([text(sub ?? unsub)], spotTopic);
    return ids.length === 0 ? null : { on: sub !== undefined, markets: inGroup('spot', ids) };
  },
  requested: ({ req }) => inGroup('spot', idsIn([text(req)], spotTopic)),
  tell({ market, now, whole, id, previous, bids, asks }) {
    const topic = `market.${market.id}.mbp.150`;
    const book = { seqNum: id, bids: bare(bids), asks: bare(asks) };
    return whole
      ? { id: '1', rep: topic, status: 'ok', ts: now, data: book }
      : { ch: topic, ts: now, tick: { ...book, prevSeqNum: previous } };
  },
});

export const contractBooks = bookChannels({
  ...{ venue: 'htx', depth, every },
  asked({ sub, unsub, data_type }, { path }) {
    const ids = idsIn([text(sub ?? unsub)], contractTopic);
    if (ids.length === 0 || data_type !== 'incremental' || path !== '/linear-swap-ws') return null;
    return { on: sub !== undefined, markets: inGroup('linear', ids) };
  },
  tell({ market, now, whole, id, bids, asks }) {
    const ch = `market.${market.id}.depth.size_150.high_freq`;
    const about = { ch, event: whole ? 'snapshot' : 'update', id, mrid: id, ts: now };
    const version = Math.floor(now / every);
    return { ch, ts: now, tick: { asks: bare(asks), bids: bare(bids), ...about, version } };
  },
});
