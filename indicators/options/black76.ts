/**
 * European options on a forward: F. Black, "The pricing of commodity contracts", Journal of Financial Economics 3, 1976,
 * with an interest rate of 0.
 */
import { dayLength } from '../market/days.ts';
import { cumulative, density } from './normal.ts';

export type OptionType = 'call' | 'put';

/** An option and its market. */
export interface Black76 {
  type: OptionType;
  /** Forward price of the expiry. */
  forward: number;
  strike: number;
  /** Implied volatility, fraction a year. */
  volatility: number;
  /** Time to expiry in years of 365 days. */
  years: number;
}

/** Sensitivities of an option on one base unit. */
export interface Greeks {
  /** Base units. */
  delta: number;
  /** Change of delta per dollar of the forward. */
  gamma: number;
  /** US dollars a day. */
  theta: number;
  /** US dollars per point (0.01) of volatility. */
  vega: number;
  /** US dollars per 1 % of interest. */
  rho: number;
}

/** What an option on one base unit is worth, US dollars, with its greeks. */
export type Valuation = Greeks & { price: number };

const days = 365;
const year = days * dayLength;

/** Years of 365 days from one time to another, both Unix ms. */
export const yearsBetween = (from: number, to: number): number => (to - from) / year;

/** Whether the model is defined: everything is positive and finite. Comparisons with NaN are false. */
const isDefined = ({ forward, strike, volatility, years }: Black76): boolean =>
  forward > 0 &&
  strike > 0 &&
  volatility > 0 &&
  years > 0 &&
  forward * strike * volatility * years < Infinity;

/** `d1` and `d2` of the model, and the standard deviation of the logarithm of the price at expiry. */
function terms({ forward, strike, volatility, years }: Black76) {
  const spread = volatility * Math.sqrt(years);
  const d1 = Math.log(forward / strike) / spread + spread / 2;
  return { d1, d2: d1 - spread, spread };
}

/** Gamma alone, at a third of the cost of all greeks; null where the model is not defined. */
export function gammaOf(option: Black76): number | null {
  if (!isDefined(option)) return null;
  const { d1, spread } = terms(option);
  return density(d1) / (option.forward * spread);
}

/** Value and greeks; null where the model is not defined. */
export function greeksOf(option: Black76): Valuation | null {
  if (!isDefined(option)) return null;
  const { type, forward, strike, volatility, years } = option;
  const { d1, d2, spread } = terms(option);
  const sign = type === 'call' ? 1 : -1;
  const bell = density(d1);
  const height = forward * bell;
  const root = Math.sqrt(years);
  const ofForward = cumulative(sign * d1);
  const ofStrike = cumulative(sign * d2);
  return {
    price: sign * (forward * ofForward - strike * ofStrike),
    delta: sign * ofForward,
    gamma: bell / (forward * spread),
    theta: (-height * volatility) / (2 * root) / days,
    vega: (height * root) / 100,
    rho: (sign * strike * years * ofStrike) / 100,
  };
}
