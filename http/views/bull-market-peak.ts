/** Which of the indicators of this service that mark tops of past cycles have reached their threshold. */
import type { IndicatorName } from '../../actors/topics/index.ts';
import type { IndicatorFields } from '../../actors/topics/indicators/table.ts';
import { type PeakState, peakState } from '../../indicators/market/peak-signal.ts';
import { Source } from '../answers/source.ts';
import type { MarketIndicatorsView } from './published-indicators.ts';

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

/** A field of the indicator's own answer that a value is made of. */
interface PeakInput {
  field: string;
  value: number;
  /** The value is the product of its fields to these powers. */
  power: 1 | -1;
}

type Indicators = Pick<MarketIndicatorsView, 'of'>;

/** One signal as it is now; the last fields are null while nothing is known of its indicator. */
export interface PeakSignal extends PeakState {
  indicator: IndicatorName;
  title: string;
  threshold: number;
  rule: string;
  source: string | readonly string[] | null;
  /** Unix ms. */
  updated_at: number | null;
  stale: boolean | null;
  /** When its newest input was received, Unix ms; null with them. */
  received_at: number | null;
  inputs?: PeakInput[];
}

const unknown = {
  ...{ value: null, reached: null, progress: null },
  ...{ source: null, updated_at: null, received_at: null, stale: null },
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

/** The signals with their present states, and what announces a change of any of them. */
export class PeakSignals {
  readonly #indicators: Indicators;
  readonly source = new Source();

  constructor(indicators: Indicators) {
    this.#indicators = indicators;
    const change = () => this.source.change();
    for (const { indicator } of signals) indicators.of(indicator).source.listen(undefined, change);
  }

  /** All signals; null while no value is known. */
  current(): PeakSignal[] | null {
    const found = signals.map(({ read }) => read(this.#indicators));
    return found.every(({ value }) => value === null) ? null : found;
  }
}
