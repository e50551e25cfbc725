/** Indicators of the whole market with their histories, as the page draws them. */
import type { Data, GetPath } from '../../../../clients/typescript/src/operations.ts';
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

interface Form<F extends string> {
  shown: string;
  about: string;
  form(value: number): string;
  /** The names of its lines by their fields, the most important first. */
  lines: Partial<Record<F, string>>;
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

const two = (value: number) => fixed(value, 2);
const percentage = (value: number) => `${fixed(value, 1)} %`;
/** Prices of Bitcoin over many years. */
const prices = { form: price, isLog: true };

/** Indicators of the cycle of Bitcoin, and others with a long history. */
export const indicators: readonly Indicator[] = [
  indicator('pi-cycle', {
    shown: 'Pi Cycle top',
    about: 'Tops came when the 111-day mean crossed twice the 350-day mean',
    ...prices,
    lines: { price_usd: 'Price', ma_111d_usd: '111-day mean', ma_350d_x2_usd: '2 × 350-day mean' },
  }),
  indicator('two-year-ma', {
    shown: 'Two-year mean',
    about: 'Price of Bitcoin between its two-year mean and five times that',
    ...prices,
    needsKey: true,
    lines: { price: 'Price', two_year_ma: 'Two-year mean', multiplier_5x: '5 × that' },
  }),
  indicator('200-week-ma', {
    shown: '200-week mean',
    about: 'Price of Bitcoin and its mean of 200 weeks',
    ...prices,
    needsKey: true,
    lines: { price: 'Price', ma_200_week: '200-week mean' },
  }),
  indicator('golden-ratio', {
    shown: 'Golden ratio',
    about: 'Price of Bitcoin and its 350-day mean',
    ...prices,
    needsKey: true,
    lines: { price: 'Price', ma_350_day: '350-day mean' },
  }),
  indicator('rainbow-chart', {
    shown: 'Rainbow',
    about: 'Price of Bitcoin and the base of the logarithmic regression',
    ...prices,
    lines: { price_usd: 'Price', base_usd: 'Base' },
  }),
  indicator('stock-to-flow', {
    shown: 'Stock to flow',
    about: 'Price of Bitcoin by its scarcity; it has stayed far below since 2022',
    ...prices,
    lines: { price_usd: 'Price', model_price_usd: 'Model' },
  }),
  indicator('puell-multiple', {
    shown: 'Puell multiple',
    about: 'Value of a day’s issue over its mean of 365 days',
    form: two,
    lines: { value: 'Puell multiple' },
  }),
  indicator('ahr999', {
    shown: 'AHR999',
    about: 'Below 0.45 cheap, above 1.2 expensive',
    form: two,
    isLog: true,
    lines: { value: 'AHR999' },
  }),
  indicator('profitable-days', {
    shown: 'Profitable days',
    about: 'Share of the days on which a purchase of Bitcoin would be in profit',
    form: share,
    needsKey: true,
    lines: { share: 'Days in profit' },
  }),
  indicator('stablecoin-mcap', {
    shown: 'Stablecoin capitalisation',
    about: 'Of all stablecoins, US dollars',
    form: compact,
    lines: { total_market_cap_usd: 'Capitalisation' },
  }),
  indicator('bitcoin-correlations', {
    shown: 'Correlations',
    about: 'Of Bitcoin with other markets, 90 days',
    form: two,
    lines: {
      sp500: 'S&P 500',
      nasdaq: 'Nasdaq',
      gold: 'Gold',
      dxy: 'Dollar',
      us10y: 'US 10 years',
    },
  }),
  indicator('options-futures-oi-ratio', {
    shown: 'Options to futures',
    about: 'Open interest of options over that of futures, Bitcoin',
    form: two,
    lines: { ratio: 'Ratio' },
  }),
  indicator('futures-spot-volume-ratio', {
    shown: 'Futures to spot',
    about: 'Turnover of 24 hours',
    form: two,
    lines: { ratio: 'Ratio' },
  }),
  indicator('borrow-interest-rate', {
    shown: 'Borrow rate on exchanges',
    about: 'Annualised percent, mean over the exchanges',
    form: percentage,
    lines: { usdt: 'USDT', usdc: 'USDC', btc: 'BTC', eth: 'ETH' },
  }),
];

/** Those that have a part of their own. */
export const fearGreed = indicator('fear-greed', {
  shown: 'Fear and greed',
  about: '0 is the greatest fear, 100 the greatest greed; alternative.me',
  form: count,
  lines: { value: 'Index' },
});

export const altcoinSeason = indicator('altcoin-season', {
  shown: 'Altcoin season',
  about: 'Share of the 50 largest coins that beat Bitcoin in 90 days; from 75 on it is one',
  form: count,
  lines: { index: 'Index' },
});

export const dominance = indicator('bitcoin-dominance', {
  shown: 'Dominance of Bitcoin',
  about: 'Share of all capitalisation, as recorded here',
  form: percentage,
  least: 1,
  lines: { dominance_pct: 'Bitcoin' },
});
