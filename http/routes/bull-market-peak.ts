/** Which of the indicators of this service that mark tops of past cycles have reached their threshold. */
import { type IndicatorName, indicatorNames } from '../../actors/topics/index.ts';
import { type IndicatorFields, indicatorCommon } from '../../actors/topics/indicators/table.ts';
import { peakState } from '../../indicators/market/peak-signal.ts';
import { combine } from '../views/view.ts';
import { kit, params, s } from './kit.ts';

/** The threshold of an indicator, and what is compared with it. */
interface Rule<N extends IndicatorName> {
  title: string;
  /** The value from which on the signal counts as reached. */
  threshold: number;
  /** What the value is, and whose threshold it is. */
  rule: string;
  /** The field of the value, or the two of which it is the quotient. */
  of: keyof IndicatorFields<N> & string;
  over?: keyof IndicatorFields<N> & string;
}

type Indicators = Pick<kit.RoutesContext['marketIndicators'], 'of'>;

const input = s.object({
  field: s.string('Field of the answer of the indicator.'),
  value: s.number('Its value, US dollars, a ratio or index points as there.'),
  power: s.oneOf([1, -1], 'Power of the value.'),
});
type PeakInput = s.Static<typeof input>;

const row = s.object({
  indicator: s.oneOf(indicatorNames, 'Last segment of the path of the indicator.'),
  title: s.string('Its name in words.'),
  value: s.numberOrNull('What is compared, a ratio or index, as `rule` says; null while unknown.'),
  threshold: s.number('The value from which on it is reached, a ratio or an index as `value`.'),
  rule: s.string('What the value is, and where its threshold is from.'),
  reached: s.orNull(s.boolean(), 'Null while the value is not known or stale.'),
  progress: s.numberOrNull('Value over threshold, a fraction of 0 to 1; null without a value.'),
  source: s.orNull(indicatorCommon.properties.source, 'Null without a value.'),
  updated_at: s.integerOrNull('Time of the newest input, Unix milliseconds; null without a value.'),
  stale: s.orNull(s.boolean(), 'Older than three times its cadence; null without a value.'),
  inputs: s.optional(s.list(input, 'Their powers multiplied are `value`; with `explain=1`.')),
});
/** One signal as it is now, and when its newest input was received, Unix ms; null while nothing is known of its indicator. */
type PeakSignal = s.Static<typeof row> & { received_at: number | null };

const unknown = {
  value: null,
  reached: null,
  progress: null,
  source: null,
  updated_at: null,
  received_at: null,
  stale: null,
} as const;

function inputOf<F extends object>(
  fields: F,
  field: keyof F & string,
  power: PeakInput['power'],
): PeakInput {
  const value = fields[field];
  return { field, value: typeof value === 'number' ? value : NaN, power };
}

/** A signal of one indicator; `read` gives its present state. */
const signal = <N extends IndicatorName>(indicator: N, { of, over, ...rule }: Rule<N>) => ({
  indicator,
  read(indicators: Indicators): PeakSignal {
    const found = indicators.of(indicator).latest();
    if (found === null) return { indicator, ...rule, ...unknown };
    const { fields, ...age } = found;
    const first = inputOf(fields, of, 1);
    const second = over === undefined ? null : inputOf(fields, over, -1);
    const value = second === null ? first.value : first.value / second.value;
    const state = peakState(value, rule.threshold, age.stale);
    const inputs = second === null ? [first] : [first, second];
    return { indicator, ...rule, ...state, ...age, inputs };
  },
});

/**
 * Indicators without a threshold that their author or their charts name (the 200-week mean, profitable days, dominance) are no
 * signals. Every one of these rises towards a top.
 */
const signals = [
  signal('pi-cycle', {
    title: 'Pi Cycle top',
    threshold: 1,
    rule: 'Mean of 111 days over twice the mean of 350 days, a ratio; a top where the first crosses the second (Swift, 2019).',
    of: 'ma_111d_usd',
    over: 'ma_350d_x2_usd',
  }),
  signal('two-year-ma', {
    title: 'Two-year mean multiplier',
    threshold: 5,
    rule: 'Price over its mean of 730 days, a ratio; tops came near to five times the mean (Swift, 2017).',
    of: 'price',
    over: 'two_year_ma',
  }),
  signal('golden-ratio', {
    title: 'Golden ratio multiplier',
    threshold: 3,
    rule: 'Price over its mean of 350 days, a ratio; each top reached one Fibonacci number less than the one before, of which 3 was named for the next (Swift, 2019).',
    of: 'price',
    over: 'ma_350_day',
  }),
  signal('puell-multiple', {
    title: 'Puell multiple',
    threshold: 4,
    rule: "Value of a day's issue over its mean of 365 days, a ratio; the upper zone of its charts begins at 4.",
    of: 'value',
  }),
  signal('ahr999', {
    title: 'Ahr999',
    threshold: 5,
    rule: 'Price against its 200-day cost and its growth valuation, a ratio; the upper zone begins at 5.',
    of: 'value',
  }),
  signal('rainbow-chart', {
    title: 'Rainbow chart',
    threshold: 7,
    rule: 'Band of the price, 0 to 8; from 7 on their names say to sell.',
    of: 'band',
  }),
  signal('stock-to-flow', {
    title: 'Stock-to-flow deflection',
    threshold: 2,
    rule: 'Price over model price, a ratio; called overvalued above 2 here.',
    of: 'deflection',
  }),
  signal('altcoin-season', {
    title: 'Altcoin season',
    threshold: 75,
    rule: 'Share of large coins that beat Bitcoin in 90 days, 0 to 100; a season of altcoins from 75 on (BlockchainCenter).',
    of: 'index',
  }),
  signal('fear-greed', {
    title: 'Fear and greed',
    threshold: 75,
    rule: 'Index of 0 to 100; extreme greed from 75 on (alternative.me).',
    of: 'value',
  }),
];

/** The signals with their present states, and what announces a change of any of them; null while no value is known. */
export const peakSignals = (indicators: Indicators) =>
  combine(
    Object.fromEntries(signals.map(({ indicator }) => [indicator, indicators.of(indicator)])),
    (): PeakSignal[] | null => {
      const found = signals.map(({ read }) => read(indicators));
      return found.every(({ value }) => value === null) ? null : found;
    },
  );

const explain = {
  ...params.explain,
  description: '1 adds `inputs` to each row: the fields of its indicator that give the value.',
} as const;

/** One row a signal; the numbers are those of the indicators' own endpoints. */
export function bullMarketPeakRoute({ marketIndicators }: kit.Needs<'marketIndicators'>) {
  const { source, build } = peakSignals(marketIndicators);
  return kit.table({
    path: '/v1/indicators/bull-market-peak',
    summary: "Signals of a top of Bitcoin's cycle: value, threshold and state of each",
    params: { explain },
    columns: kit.columns<PeakSignal>()(row.properties),
    fields: {
      reached: s.integer('Signals that are reached.'),
      known: s.integer('Signals whose state is known.'),
    },
    order: 'One row a signal.',
    source,
    find({ explain: wanted }) {
      const all = build({});
      if (all === null) return null;
      const rows = wanted === '1' ? all : all.map(({ inputs: _, ...one }) => one);
      const known = rows.filter(({ reached }) => reached !== null);
      const reached = known.filter((one) => one.reached).length;
      const asOf = Math.max(...rows.map(({ received_at }) => received_at ?? 0));
      return { reached, known: known.length, rows, asOf };
    },
  });
}
