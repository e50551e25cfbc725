/** DefiLlama's free endpoints: stablecoins and exchange reserves. https://api-docs.defillama.com */
import { isRecord, optional, positive, required, text } from '../../read.ts';
import { bulk, field, type WireRow } from '../../venues/rows.ts';
import { dayAt } from '../days.ts';
import {
  defineUpstream,
  type Figure,
  noFaults,
  perMinute,
  type Reading,
  readRows,
} from '../upstream.ts';

/** A stablecoin as it is now. */
export interface StablecoinRow {
  /** DefiLlama's id: symbols are not unique. */
  id: string;
  symbol: string;
  name: string;
  /** `peggedUSD`, `peggedEUR`. */
  peg: string;
  market_cap_usd: number;
  /** A month ago; null when unknown. */
  market_cap_30d_ago_usd: number | null;
}

const idOf = (row: WireRow) => text(row.id);
const amountOf = (amounts: unknown, peg: string) =>
  isRecord(amounts) ? required(amounts[peg]) : Number.NaN;

/**
 * The amounts are US dollars whatever they are pegged to, the coin's own price and rate included: the server has
 * multiplied them before it answers (https://github.com/DefiLlama/peggedassets-server), so that `price` is not used.
 * Coins that are gone, or of which nothing circulates, are left out.
 */
function stablecoin(row: WireRow): Reading<StablecoinRow> {
  const [symbol, peg] = [text(row.symbol), text(row.pegType)];
  if (idOf(row) === '' || symbol === '' || peg === '' || !isRecord(row.circulating)) return null;
  const gone = row.delisted === true || (row.deadFrom ?? false) !== false;
  if (gone || !(peg in row.circulating)) return 'left_out';
  const amount = amountOf(row.circulating, peg);
  if (!(amount >= 0)) return null;
  return {
    id: idOf(row),
    symbol: symbol.toUpperCase(),
    name: text(row.name),
    peg,
    market_cap_usd: amount,
    market_cap_30d_ago_usd: optional(amountOf(row.circulatingPrevMonth, peg)),
  };
}

const stablecoins: Figure<StablecoinRow> = {
  requests: () => [{ api: 'stablecoins', path: '/stablecoins', query: { includePrices: 'true' } }],
  parse: ([body]) => readRows(bulk(field(body, 'peggedAssets'), 'peggedAssets'), idOf, stablecoin),
};

/** All stablecoins on one UTC day. */
export interface StablecoinDay {
  day: number;
  total_market_cap_usd: number;
  /** Those pegged to the dollar. */
  usd_pegged_usd: number;
}

/** `date` is seconds as text; ascending, a row a day. */
function stablecoinDay(row: WireRow): StablecoinDay | null {
  const day = dayAt(required(row.date) * 1000);
  if (!(day > 0) || !isRecord(row.totalCirculatingUSD)) return null;
  const parts = Object.values(row.totalCirculatingUSD).map(required);
  const total = parts.reduce((sum, part) => sum + part, 0);
  const dollars = required(row.totalCirculatingUSD.peggedUSD);
  return total > 0 && dollars >= 0
    ? { day, total_market_cap_usd: total, usd_pegged_usd: dollars }
    : null;
}

const stablecoinDays: Figure<StablecoinDay> = {
  requests: () => [{ api: 'stablecoins', path: '/stablecoincharts/all' }],
  parse: ([body]) => readRows(bulk(body, 'chart'), (row) => text(row.date), stablecoinDay),
};

/** What an exchange shows of itself, US dollars. Null: it publishes nothing of the kind, which is not 0. */
export interface ExchangeReserves {
  /** DefiLlama's slug in lower case, or the name so where it has none. */
  exchange: string;
  name: string;
  own_token: string | null;
  reserves_usd: number | null;
  /** Reserves without the exchange's own token. */
  clean_reserves_usd: number | null;
  /** Positive is towards the exchange. */
  inflow_24h_usd: number | null;
  inflow_7d_usd: number | null;
  inflow_30d_usd: number | null;
  spot_volume_24h_usd: number | null;
  derivatives_volume_24h_usd: number | null;
  open_interest_usd: number | null;
  auditor: string | null;
  /** Unix ms. */
  last_audit_at: number | null;
  audit_url: string | null;
  wallets_url: string | null;
}

const textOrNull = (value: unknown) => text(value) || null;
const amountOrNull = (value: unknown) => positive(value) || null;

function reserves(row: WireRow): ExchangeReserves | null {
  const name = text(row.name);
  if (name === '') return null;
  const audited = positive(row.lastAuditDate) * 1000;
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
    last_audit_at: audited > 0 ? audited : null,
    audit_url: textOrNull(row.auditLink),
    wallets_url: textOrNull(row.walletsLink),
  };
}

const exchanges: Figure<ExchangeReserves> = {
  requests: () => [{ api: 'rest', path: '/cexs' }],
  parse: ([body]) => readRows(bulk(field(body, 'cexs'), 'cexs'), (row) => text(row.name), reserves),
};

export const defillama = defineUpstream({
  id: 'defillama',
  name: 'DefiLlama',
  apis: {
    rest: { hosts: ['https://api.llama.fi'], budgets: perMinute(30), fault: noFaults },
    stablecoins: {
      hosts: ['https://stablecoins.llama.fi'],
      budgets: perMinute(30),
      fault: noFaults,
      maxBody: 16_000_000,
    },
  },
  figures: { stablecoins, stablecoinDays, exchanges },
});
