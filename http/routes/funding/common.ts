/** Parts of the rows about funding. */
import { type Funding, per8Hours, perYear } from '../../../indicators/derivatives/funding-rates.ts';
import { agedInputs, type ExplanationInput } from '../../views/explanation.ts';
import { s } from '../kit.ts';

export const annualized = s.number('Rate of 365 days, a fraction, without interest on interest.');

/** Rates as the inputs of a mean; one without a weight does not count. */
export const fundingInputs = (
  all: readonly { funding: Funding; weight: number | null }[],
): ExplanationInput[] =>
  agedInputs(
    all.map(({ funding: { exchange, contract, rate, hours, received }, weight }) => ({
      exchange,
      market: contract,
      value: rate,
      unit: `fraction per ${hours} hours`,
      conversion: 8 / hours,
      weight: weight ?? 0,
      received_at: received,
      excluded: (weight ?? 0) > 0 ? null : 'without a known turnover',
    })),
  );

/** Columns of one perpetual. */
export const cells = {
  exchange: s.exchange,
  contract: s.contract,
  funding_rate: [s.number('As the exchange states it, a fraction per `interval_hours`.'), 'rate'],
  interval_hours: [s.intervalHours, 'hours'],
  funding_rate_8h: [s.number('Fraction: the rate x 8 / `interval_hours`.'), per8Hours],
  annualized: [annualized, (funding: Funding) => perYear(funding)],
  next_funding_time: [s.integerOrNull('Unix ms; null where it is not known.'), 'next'],
  mark_price: [s.numberOrNull('In the quote of the contract.'), 'mark'],
  open_interest_usd: s.numberOrNull('One side.'),
  volume_24h_usd: s.numberOrNull('Turnover of 24 hours.'),
} as const;
