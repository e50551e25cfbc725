/** Every exchange with what is compared of it, and with what is recorded. */
import type { VenueId } from '../../../../actors/venues/registry.ts';
import type { ProbedVenue } from '../probes/pairs.ts';
import type { RecordedVenue } from '../probes/recorded.ts';
import * as aster from './aster.ts';
import * as backpack from './backpack.ts';
import * as binance from './binance.ts';
import * as bingx from './bingx.ts';
import * as bitfinex from './bitfinex.ts';
import * as bitget from './bitget.ts';
import * as bitstamp from './bitstamp.ts';
import * as bybit from './bybit.ts';
import * as coinbase from './coinbase.ts';
import * as cryptocom from './cryptocom.ts';
import * as deribit from './deribit.ts';
import * as dydx from './dydx.ts';
import * as gate from './gate.ts';
import * as htx from './htx.ts';
import * as hyperliquid from './hyperliquid.ts';
import * as kraken from './kraken.ts';
import * as kucoin from './kucoin.ts';
import * as lighter from './lighter.ts';
import * as mexc from './mexc.ts';
import * as okx from './okx.ts';
import * as phemex from './phemex.ts';
import * as whitebit from './whitebit.ts';
import * as woo from './woo.ts';

export interface Subjects {
  probed: ProbedVenue;
  recorded: RecordedVenue;
}

export const subjects: Readonly<Record<VenueId, Subjects>> = {
  aster,
  backpack,
  binance,
  bingx,
  bitfinex,
  bitget,
  bitstamp,
  bybit,
  coinbase,
  cryptocom,
  deribit,
  dydx,
  gate,
  htx,
  hyperliquid,
  kraken,
  kucoin,
  lighter,
  mexc,
  okx,
  phemex,
  whitebit,
  woo,
};
