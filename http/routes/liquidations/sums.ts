/** Sums of liquidations by symbol and by exchange. */
import * as liquidationSums from '../../../indicators/derivatives/liquidation-sums.ts';
import { kit, params, s } from '../kit.ts';
import * as shared from './common.ts';

const usd = s.number('US dollars.');

/** Columns of one window: both sides, longs and shorts. */
function windowCells<const H extends liquidationSums.WindowHours>(hours: H) {
  const cell = (value: (totals: liquidationSums.LiquidationTotals) => number) =>
    [usd, (of: liquidationSums.WindowTotals) => value(of[hours])] as const;
  return {
    [`liquidation_usd_${hours}h`]: cell(({ long, short }) => long + short),
    [`long_${hours}h_usd`]: cell(({ long }) => long),
    [`short_${hours}h_usd`]: cell(({ short }) => short),
  } as Record<
    `liquidation_usd_${H}h` | `long_${H}h_usd` | `short_${H}h_usd`,
    ReturnType<typeof cell>
  >;
}

const coin = kit.columns<liquidationSums.WindowTotals & { symbol: string }>()({
  symbol: shared.symbol,
  ...windowCells(1),
  ...windowCells(4),
  ...windowCells(12),
  ...windowCells(24),
  largest_order_usd_24h: [
    s.numberOrNull('The largest single one.'),
    (of) => (of[24].largest > 0 ? of[24].largest : null),
  ],
});

const item = kit.columns<ReturnType<typeof liquidationSums.sumsByExchange>[number]>()({
  exchange: s.string('`all` in the first item.'),
  liquidation_usd: [usd, 'sum'],
  long_usd: [usd, 'long'],
  short_usd: [usd, 'short'],
  long_ratio: [
    s.numberOrNull('Share of longs, 0 to 1; null without liquidations.'),
    ({ long, sum }) => (sum > 0 ? long / sum : null),
  ],
  order_count: [s.integerOrNull('Liquidations; null where an exchange states only sums.'), 'count'],
  share: [
    s.numberOrNull('Share of all exchanges, 0 to 1; null without liquidations.'),
    ({ sum, whole }) => (whole > 0 ? sum / whole : null),
  ],
});

const rangeHours = { '1h': 1, '4h': 4, '12h': 12, '24h': 24 } as const;
const ranges = ['1h', '4h', '12h', '24h'] as const;

export function tableRoutes(context: shared.LiquidationContext) {
  const { liquidations } = context;
  const row = { answersBeforeData: true, source: liquidations.tables } as const;
  return [
    kit.table({
      ...row,
      path: '/v1/liquidations/coin-list',
      summary: 'Sums of liquidations of 1, 4, 12 and 24 hours by symbol',
      params: {
        exchange: params.exchangeOrAll(liquidations.exchanges),
        symbol: shared.listedAsset(params.symbolOrAll, context),
        limit: params.limit(100, 500, 'Most symbols.'),
      },
      fields: shared.coverageFields,
      columns: coin,
      order: 'Largest sum of 24 hours first.',
      find({ exchange, symbol }) {
        const totals = liquidations.totals({ by: 'symbol', exchange });
        const rows = kit.matching(liquidationSums.largestFirst(totals), { symbol });
        return { ...shared.coverageFieldsOf(context, exchange, 24), rows };
      },
    }),
    kit.table({
      ...row,
      path: '/v1/liquidations/exchange-list',
      summary: 'Sums of liquidations by exchange',
      params: {
        symbol: shared.listedAsset(params.symbolOrAll, context, liquidations.exchanges),
        exchange: params.exchange(liquidations.exchanges, 'All of them and their sum when absent.'),
        range: params.wordOr(ranges, '24h', 'Time before now.'),
      },
      fields: {
        symbol: s.stringOrNull('Base asset; null for all.'),
        range: s.string('Length of the window, as asked.'),
        ...shared.coverageFields,
      },
      columns: item,
      order: 'All exchanges together, then each, largest sum first.',
      find({ symbol = null, exchange, range }) {
        const hours = rangeHours[range];
        const totals = liquidations.totals({ by: 'exchange', symbol: symbol ?? undefined });
        const all = liquidationSums.sumsByExchange(liquidations.exchanges, totals, hours);
        const record = shared.coverageFieldsOf(context, undefined, hours);
        return { symbol, range, ...record, rows: kit.matching(all, { exchange }) };
      },
    }),
  ];
}
