/** The form of the datafeed protocol of charting libraries (UDF): bare bodies, times in Unix seconds. */
import { allIntervals, type Interval, intervals } from '../../../../actors/topics/index.ts';
import type { NoEnvelope } from '../../../endpoints/route.ts';
import { kindOf } from '../../../wire/errors.ts';
import { s } from '../../kit.ts';

/** Clients read the body alone, whatever the status is. */
export const form: NoEnvelope = {
  error: (error) => ({
    status: kindOf(error).status,
    body: JSON.stringify({ s: 'error', errmsg: error.message }),
  }),
  errors: s.object({
    s: s.literal('error', 'An error.'),
    errmsg: s.string('What is wrong, in words.'),
  }),
};

const minute = 60_000;
const words: Partial<Record<Interval, string>> = { '1d': '1D', '3d': '3D', '1w': '1W', '1M': '1M' };

/** Minutes as a number, longer ones with a letter: `60`, `1D`. */
export const resolutionOf = (interval: Interval): string =>
  words[interval] ?? String(intervals[interval] / minute);

/** The interval of each resolution; a letter alone is one of it. */
export const resolutions: Readonly<Record<string, Interval>> = {
  ...Object.fromEntries(allIntervals.map((one) => [resolutionOf(one), one])),
  ...{ D: '1d', W: '1w', M: '1M' },
};

/** The parameters of a range of a symbol. */
export const symbol = {
  type: 'string',
  required: true,
  maxLength: 64,
  description:
    'A ticker: `exchange:market:kind` (`binance:BTCUSDT:perpetual`), `exchange:asset:word` for recorded series (`binance:BTC:open_interest`, `funding`, `cvd`) or `reference:asset`.',
  example: 'binance:BTCUSDT:perpetual',
} as const;

export const range = {
  symbol,
  resolution: {
    type: 'string',
    required: true,
    enum: Object.keys(resolutions),
    description: 'Length of a bar: minutes as a number, or days, weeks and months.',
    example: '60',
  },
  from: {
    type: 'integer',
    required: true,
    time: 's',
    description: 'First time, Unix seconds, included; below 0 from the beginning on.',
    example: 1_750_000_000,
  },
  to: {
    type: 'integer',
    required: true,
    minimum: 1,
    time: 's',
    description: 'Last time, Unix seconds, not included.',
    example: 1_750_086_400,
  },
} as const;
