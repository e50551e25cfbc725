/** The yield of a pair of perpetuals with different funding rates. */
import * as fundingRates from '../../../indicators/derivatives/funding-rates.ts';
import { less } from '../../../indicators/digits.ts';
import type { PerpetualsView } from '../../views/perpetuals.ts';
import { apiError, kit, params, s } from '../kit.ts';
import { asset_class } from '../markets/common.ts';
import { cells } from './common.ts';

const { funding_rate_8h: _, ...sideCells } = cells;
const side = kit.columns<fundingRates.Funding>()(sideCells);
const sideOf = (description: string) =>
  s.named('FundingArbitrageSide', s.object(side.properties, description));

type Pair = ReturnType<typeof fundingRates.fundingPairs>[number] & { symbol: string };

const pair = kit.columns<Pair>()({
  symbol: s.symbol,
  class: [asset_class, ({ long }) => long.asset_class],
  long: [sideOf('The contract to be bought.'), ({ long }) => side.read(long)],
  short: [sideOf('The contract to be sold.'), ({ short }) => side.read(short)],
  apr_percent: [
    s.number('Percent of one side that the pair receives in 365 days at these rates, before fees.'),
    ({ annual }) => annual * 100,
  ],
  basis_percent: [s.number('Short mark over long mark, less one.'), ({ basis }) => basis * 100],
});

const fields = {
  fees_included: s.literal(false, 'Fees, slippage and borrowing are not in the figures.'),
  note: s.string('What the figures leave out, in words.'),
  min_apr: s.number('Percent a year, as asked.'),
  min_volume: s.number('USD, as asked.'),
  total: s.integer('Pairs found, before `limit`.'),
};

const note =
  'Rates of now, which change at every funding. Fees, slippage and the cost of capital are not included.';

const wanted = {
  min_apr: {
    type: 'number',
    default: 10,
    minimum: 0,
    maximum: 100_000,
    description: 'Least annual rate of the pair, percent.',
  },
  class: params.assetClass,
  limit: params.limit(20, 200, 'Most pairs.'),
  symbol: {
    ...params.symbolOrAll,
    description:
      'Base asset or a market of it, in any spelling: every pair of it. The best pair of each symbol when absent.',
  },
  min_volume: params.atLeastOr(0, 1_000_000, 'Least turnover of 24 hours of either side, USD.'),
} as const satisfies Record<string, kit.Param>;

/** The best pair of each symbol, or every pair of one, best first. */
function pairsOf(view: PerpetualsView, query: kit.Values<typeof wanted>) {
  const { symbol, class: of, min_apr, min_volume } = query;
  if (view.isEmpty()) return null;
  const fundings = view.fundings();
  if (symbol !== undefined && !fundings.has(symbol)) {
    return apiError('unknown_symbol', `no exchange has a funding rate of ${symbol}`);
  }
  const among = symbol === undefined ? [...fundings.keys()] : [symbol];
  const rows = among.flatMap((name): Pair[] => {
    const all = fundings.get(name) ?? [];
    if (of !== undefined && all[0]?.asset_class !== of) return [];
    const traded = all.filter((one) => less(one.volume_24h_usd ?? 0, min_volume) >= 0);
    const pairs = fundingRates
      .fundingPairs(traded, min_apr / 100)
      .map((one) => ({ symbol: name, ...one }));
    return symbol === undefined ? pairs.slice(0, 1) : pairs;
  });
  rows.sort((a, b) => b.annual - a.annual);
  return { fees_included: false as const, note, min_apr, min_volume, total: rows.length, rows };
}

export const arbitrageRoute = ({ perpetuals }: kit.Needs<'perpetuals'>) =>
  kit.table({
    path: '/v1/funding-arbitrage',
    summary:
      'Pairs of perpetuals with different funding rates: long on one exchange, short on another',
    params: {
      ...wanted,
      symbol: params.assetInOrAll(wanted.symbol, (name) => perpetuals.fundings().has(name)),
    },
    fields,
    columns: pair,
    order: 'Best first.',
    source: perpetuals.source,
    find: (query) => pairsOf(perpetuals, query),
  });
