/** DefiLlama's stablecoins, reserves of exchanges, and lending protocols. https://api-docs.defillama.com */
import { dayAt } from '../../../indicators/market/days.ts';
import type {
  ExchangeReserves,
  StablecoinDay,
  StablecoinRow,
} from '../../../indicators/market/rows.ts';
import {
  bulk,
  field,
  isRecord,
  optional,
  positive,
  required,
  text,
  time,
  type WireRow,
} from '../../read.ts';
import { type Poll, type Reading, readRows } from '../../sources/define.ts';
import type { ProtocolTvl, Stablecoin } from '../../topics/defi.ts';
import { isFollowed } from '../lending-protocols.ts';
import { amount, chainName, filled, id, label, labels, part, uniqueRows } from '../read.ts';
import type { Request } from './api.ts';

const keyOf = (row: WireRow) => id(row.id);

/**
 * The amounts are US dollars whatever they are pegged to, the coin's own price and rate included: the server has
 * multiplied them before it answers (https://github.com/DefiLlama/peggedassets-server): `price` is not to be applied again.
 * Coins that are gone, or of which nothing circulates, are left out.
 */
function coinIn(row: WireRow) {
  const { circulating, delisted, deadFrom } = row;
  const peg_type = id(row.pegType);
  const names = { id: keyOf(row), name: label(row.name), symbol: label(row.symbol), peg_type };
  if (Object.values(names).includes('') || !isRecord(circulating)) return null;
  const circulates = circulating[peg_type] ?? 0;
  const isGone = delisted === true || (deadFrom ?? false) !== false;
  if (isGone || circulates === 0) return 'left_out';
  const found = { ...names, circulating: amount(circulates) };
  return found.circulating >= 0 ? found : null;
}

function stablecoin(row: WireRow): Reading<StablecoinRow> {
  const coin = coinIn(row);
  if (coin === null || coin === 'left_out') return coin;
  const { id, name, symbol, peg_type: peg, circulating } = coin;
  return {
    id,
    name,
    symbol: symbol.toUpperCase(),
    peg,
    price_usd: amountOrNull(row.price),
    market_cap_usd: circulating,
    market_cap_30d_ago_usd: optional(part(row, 'circulatingPrevMonth')[peg]),
  };
}

const coinsRequest = {
  api: 'stablecoins',
  path: '/stablecoins',
  query: { includePrices: 'true' },
} as const;
const coinsIn = (body: unknown) => bulk(field(body, 'peggedAssets'), 'peggedAssets');

export const stablecoins: Poll<StablecoinRow, Request> = {
  requests: () => [coinsRequest],
  parse: ([body]) => readRows(coinsIn(body), keyOf, stablecoin),
};

/** `date` is seconds as text; ascending, a row a day. */
function stablecoinDay(row: WireRow): StablecoinDay | null {
  const day = dayAt(time(row.date, 1000) ?? 0);
  if (!(day > 0) || !isRecord(row.totalCirculatingUSD)) return null;
  const parts = Object.values(row.totalCirculatingUSD).map(required);
  const total = parts.reduce((sum, part) => sum + part, 0);
  const dollars = required(row.totalCirculatingUSD.peggedUSD);
  return total > 0 && Number.isFinite(total) && dollars >= 0
    ? { day, total_market_cap_usd: total, usd_pegged_usd: dollars }
    : null;
}

export const stablecoinDays: Poll<StablecoinDay, Request> = {
  requests: () => [{ api: 'stablecoins', path: '/stablecoincharts/all' }],
  parse: ([body]) => readRows(bulk(body, 'chart'), (row) => text(row.date), stablecoinDay),
};

const textOrNull = (value: unknown) => text(value) || null;
const amountOrNull = (value: unknown) => positive(value) || null;

function reserves(row: WireRow): ExchangeReserves | null {
  const name = text(row.name);
  if (name === '') return null;
  return {
    exchange: (text(row.slug) || name).toLowerCase().replaceAll(/\s+/g, '-'),
    name,
    own_token: textOrNull(row.coin),
    reserves_usd: amountOrNull(row.currentTvl),
    clean_reserves_usd: amountOrNull(row.cleanAssetsTvl),
    inflow_24h_usd: optional(row.inflows_24h),
    inflow_7d_usd: optional(row.inflows_1w),
    inflow_30d_usd: optional(row.inflows_1m),
    spot_volume_24h_usd: amountOrNull(row.spotVolume),
    derivatives_volume_24h_usd: amountOrNull(row.derivVolume),
    open_interest_usd: amountOrNull(row.oi),
    auditor: textOrNull(row.auditor),
    last_audit_at: time(row.lastAuditDate, 1000),
    audit_url: textOrNull(row.auditLink),
    wallets_url: textOrNull(row.walletsLink),
  };
}

export const exchanges: Poll<ExchangeReserves, Request> = {
  requests: () => [{ api: 'rest', path: '/cexs' }],
  parse: ([body]) => readRows(bulk(field(body, 'cexs'), 'cexs'), (row) => text(row.name), reserves),
};

const slugOf = (row: WireRow) => text(row.slug);

/** The versions of a protocol are rows of their own, and their parent is none: nothing counts twice. */
function protocol(row: WireRow): Reading<ProtocolTvl> {
  if (!isFollowed(slugOf(row)) || row.tvl === null) return 'left_out';
  const chains = labels(row.chains);
  const tvl_usd = amount(row.tvl);
  if (!chains || !(tvl_usd >= 0)) return null;
  return { protocol: slugOf(row), tvl_usd, chains: [...new Set(chains.map(chainName))] };
}

export const lendingTvl: Poll<ProtocolTvl, Request> = {
  requests: () => [{ api: 'rest', path: '/protocols' }],
  parse: ([body]) =>
    filled(uniqueRows(bulk(body, 'protocols'), slugOf, protocol), 'lending protocols'),
};

/** As `stablecoin`, for the list of all of them. */
function listedCoin(row: WireRow): Reading<Stablecoin> {
  const coin = coinIn(row);
  if (coin === null || coin === 'left_out') return coin;
  const { id: _, ...facts } = coin;
  const chains = labels(row.chains);
  return chains && { ...facts, chains };
}

/** In the source's order, the largest first. */
export const circulating: Poll<Stablecoin, Request> = {
  requests: () => [coinsRequest],
  parse: ([body]) => filled(uniqueRows(coinsIn(body), keyOf, listedCoin), 'stablecoins'),
};
