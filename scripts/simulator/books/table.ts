/** The book streams of the venues. */
import { crc32 } from 'node:zlib';
import { asRow, isRecord, text } from '../../../actors/read.ts';
import type { WireLevel } from '../book.ts';
import { textsOf } from '../liquidations/forced.ts';
import type { Market } from '../market.ts';
import { depth, idsIn, inGroup, numbers, order, stepsOf, subscribing } from './frames.ts';
import { type BookUpdate, bookChannels, deepEvery } from './wire.ts';

/** `<symbol>@depth@100ms`, by host the group of its markets; the whole book is asked for. */
const depthUpdates = (venue: string, groups: Readonly<Record<string, string>>) =>
  bookChannels({
    ...{ venue, depth: 1_000, every: deepEvery },
    asked({ method, params }, { host, path }) {
      const on = order('SUBSCRIBE', 'UNSUBSCRIBE')(method);
      const ids = idsIn(textsOf(params), /^(\w+)@depth@100ms$/).map((id) => id.toUpperCase());
      // Books of Binance's futures have a route of their own.
      const routed = host !== 'fstream.binance.com' || path.startsWith('/public/');
      const group = groups[host];
      return on === null || !routed || !group ? null : { on, markets: inGroup(group, ids) };
    },
    tell({ market, now, whole, id, previous, bids, asks }) {
      if (whole) return null;
      const linear = market.group !== 'spot' && { T: now, pu: previous };
      const about = { e: 'depthUpdate', E: now, s: market.id, ...linear };
      return { ...about, U: previous + 1, u: id, b: bids, a: asks };
    },
  });

export const binanceBooks = depthUpdates('binance', {
  'data-stream.binance.vision': 'spot',
  'stream.binance.com': 'spot',
  'fstream.binance.com': 'fapi',
});

export const asterBooks = depthUpdates('aster', {
  'sstream.asterdex.com': 'spot',
  'fstream.asterdex.com': 'linear',
});

export const okxBooks = bookChannels({
  venue: 'okx',
  depth,
  asked({ op, args }) {
    const on = subscribing(op);
    const rows = (Array.isArray(args) ? args : []).filter(isRecord);
    const ids = rows.filter(({ channel }) => channel === 'books').map(({ instId }) => text(instId));
    const markets = ids.map((id) => ({ group: id.endsWith('-SWAP') ? 'SWAP' : 'SPOT', id }));
    return on === null ? null : { on, markets };
  },
  tell({ market, now, whole, id, previous, bids, asks }) {
    const rows = (levels: readonly WireLevel[]) => levels.map((one) => [...one, '0', '1']);
    const sequence = { seqId: id, prevSeqId: whole ? -1 : previous };
    const book = { asks: rows(asks), bids: rows(bids), ts: `${now}`, checksum: 0, ...sequence };
    const arg = { channel: 'books', instId: market.id };
    return { arg, action: whole ? 'snapshot' : 'update', data: [book] };
  },
});

export const bybitBooks = bookChannels({
  venue: 'bybit',
  depth,
  asked({ op, args }, { path }) {
    const on = subscribing(op);
    const ids = idsIn(textsOf(args), /^orderbook\.200\.(.+)$/);
    return on === null ? null : { on, markets: inGroup(path.split('/').at(-1) ?? '', ids) };
  },
  tell({ market, now, whole, id, bids, asks }) {
    const data = { s: market.id, b: bids, a: asks, u: now / 1_000, seq: id };
    const topic = `orderbook.200.${market.id}`;
    return { topic, type: whole ? 'snapshot' : 'delta', ts: now, data, cts: now };
  },
});

/** Groups are product types in capitals, except that of spot. */
export const bitgetBooks = bookChannels({
  venue: 'bitget',
  depth,
  asked({ op, args }) {
    const on = subscribing(op);
    const rows = (Array.isArray(args) ? args : []).filter(isRecord);
    const markets = rows
      .filter(({ topic }) => topic === 'books')
      .map(({ instType, symbol }) => ({ group: text(instType), id: text(symbol) }));
    return on === null ? null : { on, markets };
  },
  find: (markets, { group, id }) =>
    markets.find((one) => one.id === id && one.group.toLowerCase() === group),
  tell({ market, now, whole, id, previous, bids, asks }) {
    const sequence = { seq: id, pseq: whole ? 0 : previous };
    const data = [{ a: asks, b: bids, ...sequence, ts: `${now}`, maxdepth: '1000' }];
    const arg = { instType: market.group.toLowerCase(), topic: 'books', symbol: market.id };
    return { action: whole ? 'snapshot' : 'update', arg, data, ts: now };
  },
});

export const gateBooks = bookChannels({
  venue: 'gate',
  depth,
  asked({ channel, event, payload }, { path }) {
    const on = subscribing(event);
    const ids = idsIn(textsOf(payload), /^ob\.(.+)\.400$/);
    const group = path.endsWith('/usdt') ? 'usdt' : 'spot';
    if (on === null || !text(channel).endsWith('.obu')) return null;
    return { on, markets: inGroup(group, ids) };
  },
  tell({ market, now, whole, id, previous, bids, asks }) {
    const channel = market.group === 'spot' ? 'spot.obu' : 'futures.obu';
    const about = { t: now, ...(whole && { full: true }), s: `ob.${market.id}.400` };
    const result = { ...about, ...(!whole && { U: previous + 1 }), u: id, b: bids, a: asks };
    return { time: now / 1_000, time_ms: now, channel, event: 'update', result };
  },
});

export const deribitBooks = bookChannels({
  venue: 'deribit',
  depth,
  asked({ method, params }) {
    const on = order('public/subscribe', 'public/unsubscribe')(method);
    const ids = idsIn(textsOf(asRow(params).channels), /^book\.(.+)\.100ms$/);
    return on === null ? null : { on, markets: inGroup('', ids) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, whole, id, previous, bids, asks }) {
    const rows = (levels: readonly WireLevel[]) =>
      levels.map(([price, amount]) => [
        amount === '0' ? 'delete' : 'new',
        Number(price),
        Number(amount),
      ]);
    const data = {
      ...{ type: whole ? 'snapshot' : 'change', timestamp: now, instrument_name: market.id },
      ...{ ...(!whole && { prev_change_id: previous }), change_id: id },
      ...{ bids: rows(bids), asks: rows(asks) },
    };
    const params = { channel: `book.${market.id}.100ms`, data };
    return { jsonrpc: '2.0', method: 'subscription', params };
  },
});

/** Every message of a connection is counted. */
export const coinbaseBooks = bookChannels({
  venue: 'coinbase',
  depth,
  asked({ type, channel, product_ids }) {
    const on = subscribing(type);
    if (on === null || channel !== 'level2') return null;
    return { on, markets: inGroup('', textsOf(product_ids)) };
  },
  find: (markets, { id }) => markets.find((one) => one.id === id),
  tell({ market, now, whole, bids, asks }) {
    const timestamp = new Date(now).toISOString();
    const rows = (side: string, levels: readonly WireLevel[]) =>
      levels.map(([price_level, new_quantity]) => ({
        ...{ side, event_time: timestamp, price_level, new_quantity },
      }));
    const updates = [...rows('bid', bids), ...rows('offer', asks)];
    const event = { type: whole ? 'snapshot' : 'update', product_id: market.id, updates };
    return { channel: 'l2_data', client_id: '', timestamp, events: [event] };
  },
  numbered: (message, sequence_num) => ({ ...asRow(message), sequence_num }),
});

/** The digits of a number without its point and leading zeros. */
const digits = (value: string, decimals: number): string =>
  Number(value).toFixed(decimals).replace('.', '').replace(/^0+/, '');

const checksumOf = ({ market, top }: BookUpdate): number => {
  const lot = Math.max(0, market.lot);
  const textOf = (levels: readonly WireLevel[]) =>
    levels.map(([price, size]) => digits(price, market.decimals) + digits(size, lot)).join('');
  return crc32(textOf(top.asks.slice(0, 10)) + textOf(top.bids.slice(0, 10)));
};

const pairOf = ({ symbol, quote }: Pick<Market, 'symbol' | 'quote'>) => `${symbol}/${quote}`;

export const krakenBooks = bookChannels({
  venue: 'kraken',
  depth,
  asked({ method, params }, { path }) {
    const on = subscribing(method);
    const { channel, symbol } = asRow(params);
    if (on === null || path !== '/v2' || channel !== 'book') return null;
    return { on, markets: inGroup('spot', textsOf(symbol)) };
  },
  find: (markets, { id }) => markets.find((one) => one.kind === 'spot' && pairOf(one) === id),
  tell(update) {
    const { market, now, whole, bids, asks } = update;
    const about = { checksum: checksumOf(update), timestamp: new Date(now).toISOString() };
    const book = { symbol: pairOf(market), bids: numbers(bids), asks: numbers(asks), ...about };
    return { channel: 'book', type: whole ? 'snapshot' : 'update', data: [book] };
  },
});

/** Messages of one update: as many as there are changes at most, the last of them again where there are fewer. */
const futuresDepth = 10;
const futuresEvery = 4_000;
const perUpdate = 4 * futuresDepth;

/** `book` of Kraken Futures: a message for every level, counted by product. */
export const krakenFuturesBooks = bookChannels({
  ...{ venue: 'kraken', depth: futuresDepth, every: futuresEvery, apart: true },
  asked({ event, feed, product_ids }) {
    const on = subscribing(event);
    return on === null || feed !== 'book'
      ? null
      : { on, markets: inGroup('futures', textsOf(product_ids)) };
  },
  tell(update) {
    const { market, now, whole, bids, asks } = update;
    const product_id = market.id;
    const end = (Math.floor(now / futuresEvery) + 1) * perUpdate;
    if (whole) {
      const about = { feed: 'book_snapshot', product_id, timestamp: now, seq: end - 1 };
      return [{ ...about, tickSize: null, bids: numbers(bids), asks: numbers(asks) }];
    }
    const rows = stepsOf(update).map(([of, [price, qty]]) => ({
      side: of === 'bids' ? 'buy' : 'sell',
      ...{ price: Number(price), qty: Number(qty) },
    }));
    return Array.from({ length: perUpdate }, (_, i) => {
      const row = rows[Math.min(i, rows.length - 1)];
      const seq = end - perUpdate + i;
      return { feed: 'book', product_id, seq, timestamp: now, ...row };
    });
  },
});
