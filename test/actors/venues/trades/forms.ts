/** Bodies with public trades of the exchanges that have one form for several parts, in our own numbers. */
import type { Instrument } from '../../../../actors/topics/index.ts';
import type { Library } from '../ccxt.ts';

/** 1,789,999,000 s. */
export const s = 1_789_999_000;
export const ms = s * 1_000;
export const ns = ms * 1e6;
export const iso = new Date(ms).toISOString();
export const earlier = new Date(ms - 1).toISOString();

export interface Case {
  part: string;
  market: string;
  /** Facts of the instrument that differ from a spot market in base units. */
  is?: Partial<Instrument>;
  body: unknown;
  /** `id side price quantity` by hand, newest first. */
  rows: string[];
  /** ccxt's class; null where it cannot read this. */
  by: Library | null;
  /** Options by which ccxt asks the same path. */
  options?: Readonly<Record<string, unknown>>;
  /** A row of the body, where ccxt asks for something else. */
  parse?: unknown;
}

export const perpetual = { kind: 'perpetual' } as const;
export const ofTen = { ...perpetual, contract: 10 };
export const inverse = { ...perpetual, contract: 100, inverse: true, quote: 'USD' };

export const binanceRows = [
  { a: 7, p: '100.5', q: '3', f: 8, l: 9, T: ms - 1, m: true },
  { a: 8, p: '101', q: '2', f: 10, l: 10, T: ms, m: false },
];
export const asterRows = [
  { id: 7, price: '100.5', qty: '3', quoteQty: '301.5', time: ms - 1, isBuyerMaker: true },
  { id: 8, price: '101', qty: '2', quoteQty: '202', time: ms, isBuyerMaker: false },
];
export const okxBody = (instId: string) => ({
  ...{ code: '0', msg: '' },
  data: [
    { instId, side: 'buy', sz: '2', px: '101', tradeId: '8', ts: `${ms}` },
    { instId, side: 'sell', sz: '3', px: '100.5', tradeId: '7', ts: `${ms - 1}` },
  ],
});
export const bybitRow = {
  ...{ execId: 'e-8', symbol: 'X', price: '101', size: '2', side: 'Buy', time: `${ms}` },
  isBlockTrade: false,
};
export const bybitBody = (category: string) => ({
  ...{ retCode: 0, retMsg: 'OK', time: ms },
  result: {
    category,
    list: [
      bybitRow,
      { ...bybitRow, execId: 'e-7', side: 'Sell', price: '100.5', size: '3', time: `${ms - 1}` },
    ],
  },
});
export const bitgetBody = {
  ...{ code: '00000', msg: 'success', requestTime: ms },
  data: [
    { symbol: 'X', tradeId: '8', side: 'buy', price: '101', size: '2', ts: `${ms}` },
    { symbol: 'X', tradeId: '7', side: 'Sell', price: '100.5', size: '3', ts: `${ms - 1}` },
  ],
};
export const gateRow = { id: 8, create_time: s, contract: 'BTC_USDT', price: '101' };
export const gateContracts = [
  { ...gateRow, create_time_ms: s, size: 2 },
  { ...gateRow, id: 7, create_time_ms: s - 0.25, size: -3, price: '100.5' },
];
export const deribitRow = {
  ...{ trade_seq: 3, trade_id: '8', timestamp: ms, tick_direction: 0, price: 101 },
  ...{ mark_price: 101, instrument_name: 'X', index_price: 101, direction: 'buy', amount: 200 },
};
export const hyperliquidRow = {
  ...{ coin: 'X', side: 'B', px: '101', sz: '2', time: ms, hash: '0x1', tid: 8 },
  users: ['0xa', '0xb'],
};
export const lighterRow = {
  ...{ trade_id: 8, tx_hash: '0', type: 'trade', market_id: 1, size: '2', price: '101' },
  ...{ usd_amount: '202', is_maker_ask: true, timestamp: ms },
};
export const krakenFuture = {
  ...{ time: iso, trade_id: 100, price: 101, size: 200, side: 'buy', type: 'fill', uid: 'u-8' },
};
export const usual = ['8 buy 101 2', '7 sell 100.5 3'];
export const noIds = ['- buy 101 2', '- sell 100.5 3'];
/** Two hundred contracts of one dollar, and of a hundred. */
export const dollars = [`8 buy 101 ${200 / 101}`];
