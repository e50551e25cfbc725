/** What this service has recorded of chains and lending, over time. */
import { linesPart } from '../charts.ts';
import { exchangeName } from '../exchange-names.ts';
import { compact, fixed } from '../format.ts';
import { chosenPart, minute, type Part } from '../part.ts';
import { at } from '../request.ts';

type Measure = 'gas' | 'supply' | 'wallets' | 'supply_rate' | 'borrow_rate';
type Choice = readonly [of: string, words: string];
type Choices = readonly [Choice, ...Choice[]];

const chains = ['ethereum', 'bsc', 'polygon', 'arbitrum', 'optimism', 'base', 'avalanche'] as const;
const named = (first: string, ...others: readonly string[]): Choices => [
  [first, first],
  ...others.map((one): Choice => [one, one]),
];
/** Each coin in each place. */
function pairs(
  places: readonly string[],
  [coin, ...coins]: readonly [string, ...string[]],
  wordsOf: (place: string) => string,
): Choices {
  const [first = '', ...others] = places.flatMap((place) =>
    [coin, ...coins].map((one) => `${place}/${one}`),
  );
  const choice = (of: string): Choice => {
    const [place = '', one = ''] = of.split('/');
    return [of, `${one}, ${wordsOf(place)}`];
  };
  return [choice(first), ...others.map(choice)];
}

interface Record {
  measure: Measure;
  title: string;
  unit: string;
  /** The words of the choice, and what there is to choose. */
  choice: string;
  all: Choices;
  form(value: number): string;
}

const records: readonly Record[] = [
  {
    measure: 'gas',
    title: 'Gas over time',
    unit: 'Gwei',
    choice: 'Chain',
    all: named(...chains),
    form: (gwei) => fixed(gwei, gwei < 1 ? 4 : 2),
  },
  {
    measure: 'supply',
    title: 'Supply over time',
    unit: 'Tokens',
    choice: 'Token',
    all: pairs(chains, ['USDC', 'USDT'], (chain) => chain),
    form: compact,
  },
  {
    measure: 'wallets',
    title: 'Wallets of exchanges over time',
    unit: 'Tokens in the known hot wallets on Ethereum',
    choice: 'Wallet',
    all: pairs(['binance', 'okx'], ['ETH', 'USDC', 'USDT'], exchangeName),
    form: compact,
  },
  ...(['supply', 'borrow'] as const).map(
    (side): Record => ({
      measure: `${side}_rate`,
      title:
        side === 'supply' ? 'Lending: supply rate over time' : 'Lending: borrow rate over time',
      unit: 'Mean over all pools, percent a year',
      choice: 'Asset',
      all: named('USDC', 'USDT', 'DAI', 'WETH', 'WBTC', 'WSTETH'),
      form: (percent) => fixed(percent, 2),
    }),
  ),
];

/** The charts of these measures, each with the choice of what it is of. */
export const overTimeParts = (...measures: readonly Measure[]): Part[] =>
  records
    .filter(({ measure }) => measures.includes(measure))
    .map(({ measure, title, unit, choice, all, form }) =>
      chosenPart([choice, all, { name: measure }], (of, control) =>
        linesPart({
          title,
          about: unit,
          label: `${title}: ${of}`,
          name: `${measure}-${of.replace('/', '-')}`,
          path: at('/v1/onchain/history', { measure, interval: '1h', limit: 500 }),
          every: minute,
          cadence: 60 * minute,
          controls: [control],
          points: ({ points }) => points,
          lines: [{ name: of, of: ({ values }) => values[of] ?? null, colour: 'accent' }],
          form,
          none: ({ note }) => note ?? 'Nothing is recorded yet.',
        }),
      ),
    );
