/** Tracked assets by their indicators, computed when candles close. */
import * as topics from '../../actors/topics/index.ts';
import { BadInput } from '../../indicators/job-entries.ts';
import * as screens from '../../indicators/market/screen.ts';
import { apiError, kit, params, s } from './kit.ts';

const item = kit.columns<screens.NamedRow<topics.ScreenerRow>>()({
  symbol: s.symbol,
  exchange: s.exchange,
  market: s.string("The exchange's own symbol: the most traded dollar market of the asset."),
  kind: s.oneOf(['spot', 'perpetual'], 'Kind of the market.'),
  price: s.number('Close of the last closed candle, in quote, a dollar or a dollar stablecoin.'),
  as_of: s.unixMs('Close time of that candle, of which all values are.'),
  values: [
    s.mapOf(s.numberOrNull(), 'name of a value to the value'),
    ({ values }) => Object.fromEntries([...values].filter(([name]) => name !== 'price')),
  ],
});

const missing = kit.columns<{ replies: readonly (topics.ScreenerReply | null)[] }>()({
  missing: [
    s.list(s.string(), 'Tracked assets not computed yet, or whose exchange could not be asked.'),
    ({ replies: [own] }) => own?.missing ?? [],
  ],
});

const wanted = {
  indicators: {
    type: 'string',
    required: true,
    maxLength: 600,
    description: `Indicators of the catalogue with commas between them, at most ${screens.screenLimits.indicators}; parameters in its order after colons (\`ema:200\`, \`macd:8:21:5\`).`,
    example: 'rsi,macd',
  },
  interval: params.interval(topics.screenerIntervals, '1h'),
  filter: {
    type: 'string',
    maxLength: 400,
    description: `Conditions with commas between them, at most ${screens.screenLimits.filters}, of which all must be fulfilled: a value, \`<\`, \`<=\`, \`>\` or \`>=\`, and a number or another value (\`rsi<30,price>ema_200\`). A value has the name of its key in \`values\`; \`price\` is the close.`,
    example: 'rsi<70',
  },
  sort: {
    type: 'string',
    maxLength: 64,
    description: 'Value that the rows are sorted by, as in `filter`; null is last.',
    example: 'rsi',
  },
  order: params.wordOr(['asc', 'desc'], 'desc', 'Smallest or largest value of `sort` first.'),
  limit: params.limit(100, 100, 'Most rows.'),
} as const satisfies Record<string, kit.Param>;

/** The screen that is asked for, or which parameter is wrong. */
function screenOf(values: kit.Values<typeof wanted>) {
  try {
    return { screen: screens.readScreen(values) };
  } catch (error) {
    if (error instanceof BadInput) return apiError('bad_parameter', error.message);
    throw error;
  }
}

export const screenerRoutes = () =>
  kit.history({
    path: '/v1/screener',
    summary: 'Tracked assets by indicators of the last closed candles, filtered and sorted',
    params: wanted,
    of: {
      names: ['screener'],
      resolve: screenOf,
      record: missing,
      what: () => 'the screener',
      ask: ({ interval, screen }) => ({
        source: 'screener',
        params: { interval, indicators: screen.entries },
      }),
    },
    fold: (reply, { values: { screen, order, limit } }) =>
      screens.screened(reply.rows, screen, order).slice(0, limit),
    points: kit.points(item, 'In the order of `sort`; else the most traded asset first.', 'items'),
  });
