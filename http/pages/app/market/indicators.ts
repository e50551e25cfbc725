/** Indicators of the whole market with their histories, as the page draws them. */
import type { Data, GetPath } from '../../../../clients/typescript/src/operations.ts';
import type { Colour } from '../colours.ts';
import { compact, count, fixed, price, share } from '../format.ts';

/** The rows of the histories of indicators, by the names of these. */
type Rows = {
  [P in GetPath as P extends `/v1/indicators/${infer I}` ? I : never]: Data<P> extends {
    history: readonly (infer R extends { timestamp: number })[];
  }
    ? R
    : never;
};
type Id = { [I in keyof Rows]: [Rows[I]] extends [never] ? never : I }[keyof Rows];

/** One field of the rows of a history. */
interface Drawn<F> {
  field: F;
  name: string;
  colour?: Colour;
}

interface Form<F> {
  shown: string;
  about: string;
  form(value: number): string;
  lines: readonly Drawn<F>[];
  isLog?: boolean;
  /** The least range of its scale. */
  least?: number;
  /** Its answer needs a key. */
  needsKey?: true;
}

export type Indicator = Form<string> & { id: Id };

const indicator = <I extends Id>(id: I, form: Form<string & keyof Rows[I]>): Indicator => ({
  ...form,
  id,
});

const one = <F>(field: F, name: string): readonly Drawn<F>[] => [{ field, name, colour: 'accent' }];
const two = (value: number) => fixed(value, 2);
const percentage = (value: number) => `${fixed(value, 1)} %`;

/** Indicators of the cycle of Bitcoin, and others with a long history. */
export const indicators: readonly Indicator[] = [
  indicator('pi-cycle', {
    shown: 'Pi Cycle top',
    about: 'Tops came when the 111-day mean crossed twice the 350-day mean',
    form: price,
    isLog: true,
    lines: [
      { field: 'price_usd', name: 'Price', colour: 'soft' },
      { field: 'ma_111d_usd', name: '111-day mean', colour: 'accent' },
      { field: 'ma_350d_x2_usd', name: '2 × 350-day mean', colour: 'warn' },
    ],
  }),
  indicator('two-year-ma', {
    shown: 'Two-year mean',
    about: 'Price of Bitcoin between its two-year mean and five times that',
    form: price,
    isLog: true,
    needsKey: true,
    lines: [
      { field: 'price', name: 'Price', colour: 'accent' },
      { field: 'two_year_ma', name: 'Two-year mean', colour: 'up' },
      { field: 'multiplier_5x', name: '5 × that', colour: 'down' },
    ],
  }),
  indicator('200-week-ma', {
    shown: '200-week mean',
    about: 'Price of Bitcoin and its mean of 200 weeks',
    form: price,
    isLog: true,
    needsKey: true,
    lines: [
      { field: 'price', name: 'Price', colour: 'accent' },
      { field: 'ma_200_week', name: '200-week mean', colour: 'warn' },
    ],
  }),
  indicator('golden-ratio', {
    shown: 'Golden ratio',
    about: 'Price of Bitcoin and its 350-day mean',
    form: price,
    isLog: true,
    needsKey: true,
    lines: [
      { field: 'price', name: 'Price', colour: 'accent' },
      { field: 'ma_350_day', name: '350-day mean', colour: 'warn' },
    ],
  }),
  indicator('rainbow-chart', {
    shown: 'Rainbow',
    about: 'Price of Bitcoin and the base of the logarithmic regression',
    form: price,
    isLog: true,
    lines: [
      { field: 'price_usd', name: 'Price', colour: 'accent' },
      { field: 'base_usd', name: 'Base', colour: 'warn' },
    ],
  }),
  indicator('stock-to-flow', {
    shown: 'Stock to flow',
    about: 'Price of Bitcoin by its scarcity; it has stayed far below since 2022',
    form: price,
    isLog: true,
    lines: [
      { field: 'price_usd', name: 'Price', colour: 'accent' },
      { field: 'model_price_usd', name: 'Model', colour: 'warn' },
    ],
  }),
  indicator('puell-multiple', {
    shown: 'Puell multiple',
    about: 'Value of a day’s issue over its mean of 365 days',
    form: two,
    lines: one('value', 'Puell multiple'),
  }),
  indicator('ahr999', {
    shown: 'AHR999',
    about: 'Below 0.45 cheap, above 1.2 expensive',
    form: two,
    isLog: true,
    lines: one('value', 'AHR999'),
  }),
  indicator('profitable-days', {
    shown: 'Profitable days',
    about: 'Share of the days on which a purchase of Bitcoin would be in profit',
    form: share,
    needsKey: true,
    lines: one('share', 'Days in profit'),
  }),
  indicator('stablecoin-mcap', {
    shown: 'Stablecoin capitalisation',
    about: 'Of all stablecoins, US dollars',
    form: compact,
    lines: one('total_market_cap_usd', 'Capitalisation'),
  }),
  indicator('bitcoin-correlations', {
    shown: 'Correlations',
    about: 'Of Bitcoin with other markets, 90 days',
    form: two,
    lines: [
      { field: 'sp500', name: 'S&P 500' },
      { field: 'nasdaq', name: 'Nasdaq' },
      { field: 'gold', name: 'Gold' },
      { field: 'dxy', name: 'Dollar' },
      { field: 'us10y', name: 'US 10 years' },
    ],
  }),
  indicator('options-futures-oi-ratio', {
    shown: 'Options to futures',
    about: 'Open interest of options over that of futures, Bitcoin',
    form: two,
    lines: one('ratio', 'Ratio'),
  }),
  indicator('futures-spot-volume-ratio', {
    shown: 'Futures to spot',
    about: 'Turnover of 24 hours',
    form: two,
    lines: one('ratio', 'Ratio'),
  }),
  indicator('borrow-interest-rate', {
    shown: 'Borrow rate on exchanges',
    about: 'Annualised percent, mean over the exchanges',
    form: percentage,
    lines: [
      { field: 'usdt', name: 'USDT', colour: 'up' },
      { field: 'usdc', name: 'USDC', colour: 'accent' },
      { field: 'btc', name: 'BTC', colour: 'warn' },
      { field: 'eth', name: 'ETH', colour: 'soft' },
    ],
  }),
];

/** Those that have a part of their own. */
export const fearGreed = indicator('fear-greed', {
  shown: 'Fear and greed',
  about: '0 is the greatest fear, 100 the greatest greed; alternative.me',
  form: count,
  lines: one('value', 'Index'),
});

export const altcoinSeason = indicator('altcoin-season', {
  shown: 'Altcoin season',
  about: 'Share of the 50 largest coins that beat Bitcoin in 90 days; from 75 on it is one',
  form: count,
  lines: one('index', 'Index'),
});

export const dominance = indicator('bitcoin-dominance', {
  shown: 'Dominance of Bitcoin',
  about: 'Share of all capitalisation, as recorded here',
  form: percentage,
  least: 1,
  lines: one('dominance_pct', 'Bitcoin'),
});
