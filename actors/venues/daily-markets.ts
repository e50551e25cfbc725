/** The exchanges and markets whose daily candles the indicators of the market are computed from, the preferred ones first. */
import { dayOf } from '../../indicators/market/days.ts';
import { binance } from './binance/index.ts';
import { bitfinex } from './bitfinex/index.ts';
import { bitstamp } from './bitstamp/index.ts';
import { bybit } from './bybit/index.ts';
import { gate } from './gate/index.ts';
import { kucoin } from './kucoin/index.ts';
import { okx } from './okx/index.ts';

/** Exchanges of all coins, and the name of a coin's dollar market at each. */
export const coinMarkets = [
  { venue: binance, market: (symbol: string) => `${symbol}USDT` },
  { venue: okx, market: (symbol: string) => `${symbol}-USDT` },
  { venue: gate, market: (symbol: string) => `${symbol}_USDT` },
  { venue: kucoin, market: (symbol: string) => `${symbol}-USDT` },
  { venue: bybit, market: (symbol: string) => `${symbol}USDT` },
];

/** Markets of Bitcoin, and the first day that each has. */
export const bitcoinMarkets = [
  { venue: binance, market: 'BTCUSDT', since: dayOf('2017-08-17') },
  { venue: bitstamp, market: 'btcusd', since: dayOf('2011-08-18') },
  { venue: bitfinex, market: 'tBTCUSD', since: dayOf('2013-03-31') },
];

/** Tokenised gold, in dollars an ounce, and its first day. */
export const goldMarket = { venue: binance, market: 'PAXGUSDT', since: dayOf('2020-08-28') };
