/** Answers with public trades: our own numbers in the documented form of each exchange, and what they say. */
import type { VenueId } from '../../../../actors/venues/registry.ts';
import {
  asterRows,
  binanceRows,
  bitgetBody,
  bybitBody,
  type Case,
  deribitRow,
  dollars,
  earlier,
  gateContracts,
  hyperliquidRow,
  inverse,
  iso,
  krakenFuture,
  lighterRow,
  ms,
  noIds,
  ns,
  ofTen,
  okxBody,
  perpetual,
  s,
  usual,
} from './forms.ts';

export const cases: Readonly<Record<VenueId, readonly Case[]>> = {
  binance: [
    { part: 'spot', market: 'BTCUSDT', body: binanceRows, rows: usual, by: 'binance' },
    {
      ...{ part: 'linear', market: '1000PEPEUSDT', is: { ...perpetual, scale: 1000 } },
      body: binanceRows,
      rows: ['8 buy 0.101 2000', '7 sell 0.1005 3000'],
      by: null,
    },
    {
      part: 'linear',
      market: 'BTCUSDT',
      is: perpetual,
      body: binanceRows,
      rows: usual,
      by: 'binance',
    },
    {
      ...{ part: 'inverse', market: 'BTCUSD_PERP', is: inverse, body: binanceRows },
      rows: [`8 buy 101 ${200 / 101}`, `7 sell 100.5 ${300 / 100.5}`],
      by: 'binance',
    },
  ],
  okx: [
    { part: 'spot', market: 'BTC-USDT', body: okxBody('BTC-USDT'), rows: usual, by: 'okx' },
    {
      ...{ part: 'swap', market: 'BTC-USDT-SWAP', is: ofTen, body: okxBody('BTC-USDT-SWAP') },
      rows: ['8 buy 101 20', '7 sell 100.5 30'],
      by: 'okx',
    },
    {
      ...{ part: 'swap', market: 'BTC-USD-SWAP', is: inverse, body: okxBody('BTC-USD-SWAP') },
      rows: [`8 buy 101 ${200 / 101}`, `7 sell 100.5 ${300 / 100.5}`],
      by: 'okx',
    },
  ],
  bybit: [
    {
      ...{ part: 'spot', market: 'BTCUSDT', body: bybitBody('spot'), by: 'bybit' },
      rows: ['e-8 buy 101 2', 'e-7 sell 100.5 3'],
    },
    {
      ...{ part: 'inverse', market: 'BTCUSD', is: { ...inverse, contract: 1 }, by: 'bybit' },
      body: bybitBody('inverse'),
      rows: [`e-8 buy 101 ${2 / 101}`, `e-7 sell 100.5 ${3 / 100.5}`],
    },
  ],
  bitget: [
    { part: 'spot', market: 'BTCUSDT', body: bitgetBody, rows: usual, by: 'bitget' },
    {
      part: 'usdt-futures',
      market: 'BTCUSDT',
      is: perpetual,
      body: bitgetBody,
      rows: usual,
      by: 'bitget',
    },
  ],
  gate: [
    {
      ...{ part: 'spot', market: 'BTC_USDT', rows: usual, by: 'gate' },
      body: [
        {
          ...{ id: '8', create_time: `${s}`, create_time_ms: `${ms}.105000` },
          ...{ currency_pair: 'BTC_USDT', side: 'buy', amount: '2', price: '101' },
        },
        {
          ...{ id: '7', create_time: `${s - 1}`, create_time_ms: `${ms - 1000}.105000` },
          ...{ currency_pair: 'BTC_USDT', side: 'sell', amount: '3', price: '100.5' },
        },
      ],
    },
    {
      ...{ part: 'usdt', market: 'BTC_USDT', is: ofTen, body: gateContracts, by: 'gate' },
      rows: ['8 buy 101 20', '7 sell 100.5 30'],
    },
  ],
  hyperliquid: [
    {
      ...{ part: 'perp', market: 'BTC', is: perpetual, rows: usual, by: 'hyperliquid' },
      body: [
        hyperliquidRow,
        { ...hyperliquidRow, side: 'A', px: '100.5', sz: '3', time: ms - 1, tid: 7 },
      ],
      parse: hyperliquidRow,
    },
  ],
  dydx: [
    {
      ...{ part: 'perp', market: 'BTC-USD', is: perpetual, rows: usual, by: 'dydx' },
      body: {
        trades: [
          { id: '8', side: 'BUY', size: '2', price: '101', type: 'LIMIT', createdAt: iso },
          {
            id: '7',
            side: 'SELL',
            size: '3',
            price: '100.5',
            type: 'LIQUIDATED',
            createdAt: earlier,
          },
        ],
      },
    },
  ],
  aster: [
    { part: 'spot', market: 'BTCUSDT', body: asterRows, rows: usual, by: 'aster' },
    { part: 'linear', market: 'BTCUSDT', is: perpetual, body: asterRows, rows: usual, by: 'aster' },
  ],
  backpack: [
    {
      ...{ part: 'all', market: 'BTC_USDC', rows: usual, by: 'backpack' },
      body: [
        {
          ...{ id: 8, price: '101', quantity: '2', quoteQuantity: '202', timestamp: ms },
          isBuyerMaker: false,
        },
        {
          ...{ id: 7, price: '100.5', quantity: '3', quoteQuantity: '301.5', timestamp: ms - 1 },
          isBuyerMaker: true,
        },
      ],
    },
  ],
  whitebit: [
    {
      // As documented, and with the names in their usual sense, which ccxt reads the other way round.
      ...{ part: 'spot', market: 'BTC_USDT', rows: usual, by: 'whitebit' },
      body: [
        {
          ...{ tradeID: 8, price: '101', quote_volume: '2', base_volume: '101' },
          ...{ trade_timestamp: s, type: 'buy' },
        },
        {
          ...{ tradeID: 7, price: '100.5', quote_volume: '3', base_volume: '301.5' },
          ...{ trade_timestamp: s - 1, type: 'sell' },
        },
      ],
    },
    {
      ...{ part: 'futures', market: 'BTC_PERP', is: perpetual, rows: ['8 buy 101 2'], by: null },
      body: [
        {
          ...{ tradeID: 8, price: '101', quote_volume: '202', base_volume: '2' },
          ...{ trade_timestamp: s, type: 'buy' },
        },
      ],
    },
  ],
  lighter: [
    {
      ...{ part: 'all', market: '1', is: perpetual, rows: usual, by: null },
      body: {
        code: 200,
        trades: [
          lighterRow,
          {
            ...{ ...lighterRow, trade_id: 7, type: 'liquidation', size: '3', price: '100.5' },
            ...{ is_maker_ask: false, timestamp: ms - 1 },
          },
          { ...lighterRow, trade_id: 6, type: 'deleverage', timestamp: ms - 2 },
        ],
      },
    },
  ],
  deribit: [
    {
      ...{ part: 'inverse', market: 'BTC-PERPETUAL', is: { ...inverse, contract: 1 } },
      ...{ rows: dollars, by: 'deribit' },
      body: {
        ...{ jsonrpc: '2.0', usIn: 1, usOut: 2, usDiff: 1, testnet: false },
        result: { trades: [deribitRow], has_more: true },
      },
    },
  ],
  bitfinex: [
    {
      ...{ part: 'all', market: 'tBTCUSD', is: { quote: 'USD' }, rows: usual, by: 'bitfinex' },
      body: [
        [8, ms, 2, 101],
        [7, ms - 1, -3, 100.5],
      ],
    },
  ],
  cryptocom: [
    {
      ...{ part: 'all', market: 'BTC_USDT', rows: usual, by: 'cryptocom' },
      body: {
        ...{ id: -1, method: 'public/get-trades', code: 0 },
        result: {
          data: [
            { s: 'buy', p: '101', q: '2', t: ms, tn: ns, d: '8', i: 'BTC_USDT' },
            { s: 'SELL', p: '100.5', q: '3', t: ms - 1, tn: ns, d: '7', i: 'BTC_USDT' },
          ],
        },
      },
    },
  ],
  kraken: [
    {
      ...{ part: 'spot', market: 'XXBTZUSD', is: { quote: 'USD' }, rows: usual, by: 'kraken' },
      body: {
        error: [],
        result: {
          XXBTZUSD: [
            ['100.5', '3', s - 0.5, 's', 'l', '', 7],
            ['101', '2', s, 'b', 'm', '', 8],
          ],
          last: `${ns}`,
        },
      },
    },
    {
      ...{ part: 'futures', market: 'PI_XBTUSD', is: { ...inverse, contract: 1 } },
      ...{ rows: [`u-8 buy 101 ${200 / 101}`], by: 'krakenfutures' },
      options: { fetchTrades: { method: 'publicGetHistory' } },
      body: {
        ...{ result: 'success', serverTime: iso },
        history: [krakenFuture],
      },
    },
  ],
  coinbase: [
    {
      ...{ part: 'spot', market: 'BTC-USD', is: { quote: 'USD' }, rows: usual },
      by: 'coinbaseexchange',
      body: [
        { trade_id: 8, side: 'sell', size: '2', price: '101', time: iso },
        { trade_id: 7, side: 'buy', size: '3', price: '100.5', time: earlier },
      ],
    },
  ],
  bingx: [
    {
      ...{ part: 'spot', market: 'BTC-USDT', rows: usual, by: 'bingx' },
      body: {
        code: 0,
        data: [
          { id: 8, price: 101, qty: 2, time: ms, buyerMaker: false },
          { id: 7, price: 100.5, qty: 3, time: ms - 1, buyerMaker: true },
        ],
      },
    },
    {
      ...{ part: 'linear', market: 'BTC-USDT', is: perpetual, rows: noIds, by: 'bingx' },
      body: {
        ...{ code: 0, msg: '' },
        data: [
          { time: ms, isBuyerMaker: false, price: '101', qty: '2', quoteQty: '202' },
          { time: ms - 1, isBuyerMaker: true, price: '100.5', qty: '3', quoteQty: '301.5' },
        ],
      },
    },
  ],
  phemex: [
    {
      ...{ part: 'linear', market: 'BTCUSDT', is: perpetual, rows: noIds, by: 'phemex' },
      body: {
        ...{ error: null, id: 0 },
        result: {
          ...{ sequence: 1, symbol: 'BTCUSDT', type: 'snapshot' },
          trades_p: [
            [ns, 'Buy', '101', '2'],
            [ns - 1e6, 'Sell', '100.5', '3'],
          ],
        },
      },
    },
    {
      // Prices times 10,000, which the instrument's scale undoes; a sequence after the time.
      ...{ part: 'inverse', market: 'BTCUSD', is: { ...inverse, contract: 1, scale: 1e4 } },
      ...{ rows: [`- buy 101 ${200 / 101}`], by: null },
      body: { error: null, id: 0, result: { trades: [[ns, 13, 'Buy', 1_010_000, 200]] } },
    },
  ],
  woo: [
    {
      ...{ part: 'perp', market: 'PERP_BTC_USDT', is: perpetual, rows: noIds, by: 'woo' },
      body: {
        ...{ success: true, timestamp: ms },
        data: {
          rows: [
            {
              ...{ symbol: 'PERP_BTC_USDT', side: 'BUY', source: 0, executedPrice: '101' },
              ...{ executedQuantity: '2', executedTimestamp: ms },
            },
            {
              ...{ symbol: 'PERP_BTC_USDT', side: 'SELL', source: 0, executedPrice: '100.5' },
              ...{ executedQuantity: '3', executedTimestamp: ms - 1 },
            },
          ],
        },
      },
    },
  ],
  bitstamp: [
    {
      ...{ part: 'markets', market: 'btcusd', is: { quote: 'USD' }, rows: usual, by: 'bitstamp' },
      body: [
        { date: `${s}`, tid: '8', price: '101', type: '0', amount: '2' },
        { date: `${s - 1}`, tid: '7', price: '100.5', type: '1', amount: '3' },
      ],
    },
  ],
  htx: [
    {
      ...{ part: 'spot', market: 'btcusdt', rows: usual, by: 'htx' },
      body: {
        ...{ ch: 'market.btcusdt.trade.detail', status: 'ok', ts: ms },
        data: [
          {
            ...{ id: 2, ts: ms },
            data: [
              { id: 3, ts: ms, 'trade-id': 8, amount: 2, price: 101, direction: 'buy' },
              { id: 4, ts: ms - 1, 'trade-id': 7, amount: 3, price: 100.5, direction: 'sell' },
            ],
          },
        ],
      },
    },
  ],
  kucoin: [
    {
      ...{ part: 'spot', market: 'BTC-USDT', rows: usual, by: 'kucoin' },
      body: {
        code: '200000',
        data: [
          { sequence: '7', price: '100.5', size: '3', side: 'sell', time: ns - 1e6 },
          { sequence: '8', price: '101', size: '2', side: 'buy', time: ns },
        ],
      },
    },
    {
      ...{ part: 'futures', market: 'XBTUSDTM', is: ofTen, by: 'kucoin' },
      rows: ['8 buy 101 20', '7 sell 100.5 30'],
      body: {
        code: '200000',
        data: [
          { sequence: 32, tradeId: '8', price: '101', size: 2, side: 'buy', ts: ns },
          { sequence: 31, tradeId: '7', price: '100.5', size: 3, side: 'sell', ts: ns - 1e6 },
        ],
      },
    },
  ],
  mexc: [
    {
      ...{ part: 'spot', market: 'BTCUSDT', rows: noIds, by: 'mexc' },
      options: { fetchTradesMethod: 'spotPublicGetTrades' },
      body: [
        {
          ...{ id: null, price: '101', qty: '2', quoteQty: '202', time: ms },
          ...{ isBuyerMaker: false, isBestMatch: true },
        },
        {
          ...{ id: null, price: '100.5', qty: '3', quoteQty: '301.5', time: ms - 1 },
          ...{ isBuyerMaker: true, isBestMatch: true },
        },
      ],
    },
    {
      ...{ part: 'contracts', market: 'BTC_USDT', is: ofTen, by: 'mexc' },
      rows: ['- buy 101 20', '- sell 100.5 30'],
      body: {
        ...{ success: true, code: 0 },
        data: [
          { p: 101, v: 2, T: 1, O: 3, M: 1, t: ms },
          { p: 100.5, v: 3, T: 2, O: 3, M: 1, t: ms - 1 },
        ],
      },
    },
  ],
};
