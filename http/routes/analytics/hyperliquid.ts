/** Hyperliquid: its clearinghouse and vaults (specification 4.3). */
import { account, type Clearinghouse, vault } from '../../../actors/topics/hyperliquid.ts';
import { dexMark } from '../../../config/assets/symbols.ts';
import { rateOf8Hours } from '../../../indicators/derivatives/funding.ts';
import { isKnown, type Known } from '../../../indicators/derivatives/perpetuals.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { basisOfMarkets, marketChange, ofMarkets } from '../markets/common.ts';
import { notYet } from './common.ts';

const id = 'hyperliquid' as const;
/** What must be known of an asset. */
const needed = ['mark', 'units', 'rate', 'max_leverage'] as const;
type Asset = Known<(typeof needed)[number]>;

/** The value of the reading was made with a mark price that may be older than this one. */
const interestOf = ({ units, mark }: Asset): number => units * mark;

const asset = kit.columns<Asset>()({
  symbol: s.string('Base asset.'),
  contract: s.ownId,
  open_interest_base: [s.number(), 'units'],
  open_interest_usd: [s.number('Base units x mark price.'), interestOf],
  volume_24h_usd: [s.numberOrNull('Turnover of 24 hours.'), 'volume'],
  mark_price: [s.number('US dollars.'), 'mark'],
  oracle_price: [s.numberOrNull('Of the validators, US dollars; null where unknown.'), 'index'],
  mid_price: [s.numberOrNull('Of the book, US dollars; the mark while a side is empty.'), 'last'],
  premium: s.numberOrNull('Impact price against the oracle price, a fraction.'),
  funding_rate_1h: [s.number('Fraction of the running hour.'), 'rate'],
  funding_rate_8h: [s.number('Hourly rate x 8, a fraction.'), ({ rate }) => rateOf8Hours(rate, 1)],
  max_leverage: s.number('Largest leverage, a multiple of the margin.'),
  only_isolated: [s.boolean('Margin is never shared with other positions.'), 'isolated_only'],
  maintenance_margin_rate: [
    s.number('1 / (2 x `max_leverage`), a fraction of the position.'),
    ({ max_leverage }) => 1 / (2 * max_leverage),
  ],
  price_change_24h_percent: [marketChange, 'change'],
});

/** The newest rows of the markets, with what the clearinghouse states beside them. */
function clearinghouseOf(
  perpetuals: PerpetualsView,
  { capped, vault }: Clearinghouse,
  limit: number,
) {
  const found = perpetuals.of(id);
  // The dexes of builders have margins of their own.
  const own = (found?.rows ?? []).filter(({ contract }) => !contract.includes(dexMark));
  const known = own.filter(isKnown(needed));
  if (found === undefined || known.length === 0) return notYet('the perpetuals of hyperliquid');
  const names = new Map(known.map(({ contract, symbol }) => [contract, symbol]));
  const volumes = known.flatMap(({ volume }) => volume ?? []);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const largest = known.sort((a, b) => interestOf(b) - interestOf(a)).slice(0, limit);
  return {
    updated_at: found.newest,
    total_open_interest_usd: sum(known.map(interestOf)),
    total_volume_24h_usd: volumes.length === known.length ? sum(volumes) : null,
    ...ofMarkets,
    asset_count: known.length,
    assets_at_oi_cap: capped.map((contract) => names.get(contract) ?? contract),
    liquidity_vault: vault,
    assets: asset.all(largest),
  };
}
const clearinghouse = kit.columns<Exclude<ReturnType<typeof clearinghouseOf>, kit.ApiError>>()({
  exchange: kit.constant(id, 'Exchange id.'),
  updated_at: s.unixMs('When the markets were received.'),
  total_open_interest_usd: s.number('Over all listed assets.'),
  total_volume_24h_usd: s.numberOrNull('Turnover of all in 24 hours; null where one is unknown.'),
  ...basisOfMarkets,
  asset_count: s.integer('All listed assets, before `limit`.'),
  assets_at_oi_cap: s.list(s.string(), 'Base assets whose open interest may not grow.'),
  liquidity_vault: account,
  assets: s.list(asset.schema, 'Largest open interest first.'),
});

/** The vault of the protocol. */
const protocolVault = '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303';

export const hyperliquidRoutes = ({ perpetuals }: kit.Needs<'perpetuals'>) => [
  ...kit.history({
    path: '/v1/analytics/hyperliquid/clearinghouse',
    summary: 'All perpetuals of Hyperliquid with their margins, and the account of its own vault',
    params: { limit: params.limit(50, 500, 'Most assets.') },
    of: {
      names: ['clearinghouse'],
      what: () => 'the clearinghouse of hyperliquid',
      ask: () => ({ source: id, params: {} }),
    },
    fold: (reply, { values }) => clearinghouseOf(perpetuals, reply, values.limit),
    fields: clearinghouse,
  }),
  ...kit.history({
    path: '/v1/analytics/hyperliquid/vault',
    summary: 'A vault of Hyperliquid: value, profit and followers',
    fails: ['unknown_symbol'],
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
    of: {
      names: ['vault'],
      what: ({ address }) => `the vault ${address}`,
      ask: ({ address }) => ({
        source: id,
        params: { address: address.toLowerCase() },
        failure: (error) =>
          error.error === 'unknown_symbol' ? apiError('unknown_symbol', 'unknown vault') : error,
      }),
    },
    fold: (reply) => reply,
    fields: kit.plain(vault),
  }),
];
