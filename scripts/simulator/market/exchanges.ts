/** What the exchanges of the simulated world turn over and hold: DefiLlama's list. https://api-docs.defillama.com */
import type { VenueId } from '../../../actors/venues/registry.ts';
import { source } from '../defi/source.ts';
import type { Model } from '../model.ts';
import { seedOf, unit, valueNoise } from '../noise.ts';
import type { Ask } from '../venue.ts';
import { turnoverOf } from './coins.ts';
import { dayLength } from './days.ts';

/** An exchange; 24 h turnovers and reserves in USD. */
export interface Exchange {
  id: string;
  name: string;
  /** Symbol of its own token. */
  coin: string | null;
  spot: number;
  futures: number;
  /** 0 where it shows no wallets. */
  reserves: number;
  /** CoinGecko's grade, 1 to 10; null where it has none. */
  trust: number | null;
}

/** Exchanges that hold their customers' coins, with the token of their own. */
const custodians = {
  binance: ['Binance', 'BNB'],
  okx: ['OKX', 'OKB'],
  bybit: ['Bybit', 'BIT'],
  bitget: ['Bitget', 'BGB'],
  gate: ['Gate', 'GT'],
  htx: ['HTX', 'HTX'],
  kucoin: ['KuCoin', 'KCS'],
  mexc: ['MEXC', 'MX'],
  deribit: ['Deribit', null],
  bitfinex: ['Bitfinex', 'LEO'],
  cryptocom: ['Crypto.com', 'CRO'],
  kraken: ['Kraken', null],
  coinbase: ['Coinbase', null],
  bingx: ['BingX', null],
  phemex: ['Phemex', null],
  woo: ['WOO X', 'WOO'],
  bitstamp: ['Bitstamp', null],
  whitebit: ['WhiteBIT', 'WBT'],
} as const satisfies Partial<Record<VenueId, readonly [name: string, coin: string | null]>>;

/** Small exchanges that nothing else knows of. */
const small = 70;

function custodian(
  model: Model,
  [id, [name, coin]]: readonly [string, readonly [string, string | null]],
  { now, daily }: { now: number; daily: ReadonlyMap<string, number> },
): Exchange {
  let [spot, futures] = [0, 0];
  for (const { kind, symbol, share, state } of model.markets(id, now)) {
    const turnover = state === 'live' ? share * (daily.get(symbol) ?? 0) : 0;
    if (kind === 'spot') spot += turnover;
    else futures += turnover;
  }
  const own = seedOf(model.seed, `reserves ${id}`);
  const moved = 1 + 0.03 * valueNoise(own, now / dayLength / 5);
  const reserves = (spot + futures) * (1.5 + 3 * unit(own, 0)) * moved;
  return { id, name, coin, spot, futures, reserves, trust: 10 };
}

function nameless(model: Model, at: number): Exchange {
  const spot = (4e7 * (0.5 + unit(seedOf(model.seed, `exchange ${at}`), 0))) / (at + 1);
  return {
    id: `exchange-${at}`,
    name: `Exchange ${at}`,
    coin: null,
    spot,
    futures: 0,
    reserves: at % 3 === 0 ? spot * 2 : 0,
    trust: at % 10 === 9 ? null : Math.max(1, 9 - Math.floor(at / 8)),
  };
}

/** Every exchange that holds coins. */
export function exchangesAt(model: Model, now: number): Exchange[] {
  const daily = new Map(model.assets.map((asset) => [asset.symbol, turnoverOf(asset, now)]));
  return [
    ...Object.entries(custodians).map((entry) => custodian(model, entry, { now, daily })),
    ...Array.from({ length: small }, (_, at) => nameless(model, at)),
  ];
}

/** What an exchange does not publish is not in its row. */
function row({ id, name, coin, spot, futures, reserves }: Exchange, ask: Ask, at: number) {
  const own = seedOf(ask.model.seed, `flows ${id}`);
  const day = Math.floor(ask.now / dayLength);
  const flow = (days: number) =>
    0.01 * Math.sqrt(days) * reserves * valueNoise(own + days, ask.now / dayLength);
  return {
    name,
    slug: id === 'binance' ? 'Binance-CEX' : id,
    ...(coin !== null && { coin }),
    ...(at % 2 === 0 && { walletsLink: `https://wallets.example/${id}` }),
    ...(at % 4 === 0 && {
      lastAuditDate: (day - Math.round(500 * unit(own, 1))) * 86_400,
      auditor: 'Auditor',
      auditLink: `https://audits.example/${id}`,
    }),
    ...(reserves > 0 && {
      currentTvl: reserves,
      cleanAssetsTvl: reserves * (coin === null ? 1 : 0.75 + 0.2 * unit(own, 2)),
      inflows_24h: flow(1),
      inflows_1w: flow(7),
      inflows_1m: flow(30),
    }),
    ...(spot > 0 && { spotVolume: spot }),
    // Two thirds of a day's turnover stay open.
    ...(futures > 0 && { oi: futures * 0.66, derivVolume: futures }),
  };
}

/** `/cexs`, the largest first. */
const cexs = (ask: Ask) => ({
  cexs: exchangesAt(ask.model, ask.now)
    .sort((a, b) => b.reserves - a.reserves)
    .map((exchange, at) => row(exchange, ask, at)),
});

/** Its host has other paths elsewhere. */
export const llamaExchanges = source('llama-exchanges', 'api.llama.fi', { '/cexs': cexs });
