/** Hyperliquid: its clearinghouse and vaults (specification 4.3). */
import { account, type Clearinghouse, vault } from '../../../actors/topics/hyperliquid.ts';
import * as s from '../../../actors/topics/schema.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import type { Perpetual } from '../../../indicators/derivatives/perpetuals.ts';
import { type Route, route } from '../../endpoints/route.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import type { RoutesContext } from '../context.ts';
import { basisOfMarkets, marketChange, ofMarkets } from '../markets/common.ts';
import * as params from '../params.ts';
import { notYet } from './common.ts';

const id = 'hyperliquid';
const common = {
  method: 'GET',
  group: 'Exchange analytics',
  access: 'key',
  fails: ['upstream_failed'],
} as const;

const asset = s.object({
  symbol: s.string('Base asset.'),
  contract: s.string("The exchange's own id."),
  open_interest_base: s.number('Base units.'),
  open_interest_usd: s.number('Base units x mark price.'),
  volume_24h_usd: s.number('Turnover of 24 hours.'),
  mark_price: s.number('US dollars.'),
  oracle_price: s.numberOrNull('Of the validators, US dollars; null where it is not known.'),
  mid_price: s.numberOrNull(
    'Middle of the order book, US dollars; the mark price while a side is empty.',
  ),
  premium: s.numberOrNull('Impact price against the oracle price, a fraction.'),
  funding_rate_1h: s.number('Fraction of the running hour.'),
  funding_rate_8h: s.number('The same times eight, a fraction.'),
  max_leverage: s.number('Largest leverage, a multiple of the margin.'),
  only_isolated: s.boolean('Margin is never shared with other positions.'),
  maintenance_margin_rate: s.number('1 / (2 x `max_leverage`), a fraction of the position.'),
  price_change_24h_percent: marketChange,
});
type Asset = s.Static<typeof asset>;

const clearinghouse = s.object({
  exchange: s.literal(id, 'Exchange id.'),
  updated_at: s.unixMs('When the markets were received, Unix ms.'),
  total_open_interest_usd: s.number('Over all listed assets.'),
  total_volume_24h_usd: s.number('Turnover of 24 hours over all listed assets, USD.'),
  ...basisOfMarkets,
  asset_count: s.integer('All listed assets, before `limit`.'),
  assets_at_oi_cap: s.list(s.string(), 'Base assets whose open interest may not grow.'),
  liquidity_vault: account,
  assets: s.list(asset, 'Largest open interest first.'),
  stale: s.stale,
});

function assetOf(row: Perpetual): Asset[] {
  const { symbol, contract, mark, units, rate, max_leverage } = row;
  if (mark === null || units === null || rate === null || max_leverage === null) return [];
  return [
    {
      symbol,
      contract,
      open_interest_base: units,
      // The value of the reading was made with a mark price that may be older than this one.
      open_interest_usd: units * mark,
      volume_24h_usd: row.volume ?? 0,
      mark_price: mark,
      oracle_price: row.index,
      mid_price: row.last,
      premium: row.premium,
      funding_rate_1h: rate,
      funding_rate_8h: rateOf8Hours(rate, 1),
      max_leverage,
      only_isolated: row.isolated_only,
      maintenance_margin_rate: 1 / (2 * max_leverage),
      price_change_24h_percent: row.change,
    },
  ];
}

/** The newest rows of the markets, with what the clearinghouse states beside them. */
function clearinghouseOf(
  perpetuals: PerpetualsView,
  { capped, vault }: Clearinghouse,
  limit: number,
): s.Static<typeof clearinghouse> | ApiError {
  const found = perpetuals.of(id);
  const assets = (found?.rows ?? []).flatMap(assetOf);
  if (found === undefined || assets.length === 0) return notYet('the perpetuals of hyperliquid');
  const names = new Map(assets.map(({ contract, symbol }) => [contract, symbol]));
  const sum = (key: 'open_interest_usd' | 'volume_24h_usd') =>
    assets.reduce((total, each) => total + each[key], 0);
  return {
    exchange: id,
    updated_at: found.newest,
    total_open_interest_usd: sum('open_interest_usd'),
    total_volume_24h_usd: sum('volume_24h_usd'),
    ...ofMarkets,
    asset_count: assets.length,
    assets_at_oi_cap: capped.map((contract) => names.get(contract) ?? contract),
    liquidity_vault: vault,
    assets: assets.sort((a, b) => b.open_interest_usd - a.open_interest_usd).slice(0, limit),
  };
}

const clearinghouseRoute = ({ perpetuals }: Pick<RoutesContext, 'perpetuals'>): Route =>
  route({
    ...common,
    path: '/v1/analytics/hyperliquid/clearinghouse',
    summary: 'All perpetuals of Hyperliquid with their margins, and the account of its own vault',
    params: { limit: params.limit(50, 500, 'Most assets.') },
    answer: clearinghouse,
    from: {
      query: ({ limit }) => ({
        source: id,
        name: 'clearinghouse',
        params: {},
        what: 'the clearinghouse of hyperliquid',
        form: `${limit}`,
        data: (reply) => clearinghouseOf(perpetuals, reply, limit),
      }),
    },
  });

/** The vault of the protocol. */
const protocolVault = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

const vaultRoute = (): Route =>
  route({
    ...common,
    path: '/v1/analytics/hyperliquid/vault',
    fails: ['upstream_failed', 'unknown_symbol'],
    summary: 'A vault of Hyperliquid: value, profit and followers',
    params: {
      address: {
        type: 'string',
        default: protocolVault,
        pattern: '^0x[0-9a-fA-F]{40}$',
        maxLength: 42,
        description: 'Address of the vault; that of the protocol (HLP) when absent.',
        example: protocolVault,
      },
    },
    answer: s.object({ ...vault.properties, stale: s.stale }),
    from: {
      query: ({ address }) => ({
        source: id,
        name: 'vault',
        params: { address: address.toLowerCase() },
        what: `the vault ${address}`,
        data: (reply) => reply,
        failure: (error) =>
          error.error === 'unknown_symbol' ? apiError('unknown_symbol', 'unknown vault') : error,
      }),
    },
  });

export const hyperliquidRoutes = (context: Pick<RoutesContext, 'perpetuals'>): Route[] => [
  clearinghouseRoute(context),
  vaultRoute(),
];
