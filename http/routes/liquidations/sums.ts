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

/** The sums of an exchange, or of all, in one window. */
interface Sums extends liquidationSums.LiquidationTotals {
  exchange: string;
  sum: number;
  /** Of all exchanges. */
  whole: number;
}

const item = kit.columns<Sums>()({
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

function coinsOf(
  context: shared.LiquidationContext,
  { exchange, symbol }: { exchange?: string | undefined; symbol?: string | undefined },
) {
  const totals = context.liquidations.totals({ by: 'symbol', exchange });
  const sumOf = ({ long, short }: liquidationSums.LiquidationTotals) => long + short;
  const rows = [...totals].map(([name, of]) => ({ symbol: name, ...of }));
  rows.sort((a, b) => sumOf(b[24]) - sumOf(a[24]));
  return {
    ...shared.coverageFieldsOf(context, exchange, 24),
    rows: kit.matching(rows, { symbol }),
  };
}

const rangeHours = { '1h': 1, '4h': 4, '12h': 12, '24h': 24 } as const;
const ranges = ['1h', '4h', '12h', '24h'] as const;

function exchangesOf(
  context: shared.LiquidationContext,
  {
    symbol,
    exchange,
    range,
  }: {
    symbol?: string | undefined;
    exchange?: string | undefined;
    range: keyof typeof rangeHours;
  },
) {
  const { liquidations } = context;
  const hours = rangeHours[range];
  const found = liquidations.totals({ by: 'exchange', symbol });
  const totals = liquidations.exchanges.map(
    (id) => [id, found.get(id)?.[hours] ?? liquidationSums.sumOfTotals([])] as const,
  );
  const all = liquidationSums.sumOfTotals(totals.map(([, one]) => one));
  const whole = all.long + all.short;
  const sumsOf = (exchange: string, one: liquidationSums.LiquidationTotals): Sums => ({
    ...one,
    exchange,
    sum: one.long + one.short,
    whole,
  });
  const each = totals.map(([id, one]) => sumsOf(id, one)).sort((a, b) => b.sum - a.sum);
  const rows = [sumsOf('all', all), ...each];
  const wanted = kit.matching(rows, { exchange });
  return {
    symbol: symbol ?? null,
    range,
    ...shared.coverageFieldsOf(context, undefined, hours),
    rows: wanted,
  };
}

export function tableRoutes(context: shared.LiquidationContext) {
  const { liquidations } = context;
  const row = { ...shared.common, answersBeforeData: true, source: liquidations.tables } as const;
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
      find: (query) => coinsOf(context, query),
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
      find: (query) => exchangesOf(context, query),
    }),
  ];
}
