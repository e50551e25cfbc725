/** What is on chains over time, as far as the service has a history of it. */
import { plotPart } from '../charts.ts';
import { compact } from '../format.ts';
import { indicators } from '../market/indicators.ts';
import { indicatorPart } from '../market/parts.ts';
import { chosenPart, type Part, Slot } from '../part.ts';
import { at, type IndicatorsNetworkMetrics } from '../request.ts';
import { fileOf } from '../table-part.ts';

const year = 365;
const minute = 60_000;

/** An indicator of the market that is about chains: stablecoins or borrowing. */
export function indicatorOf(id: 'stablecoin-mcap' | 'borrow-interest-rate'): Slot {
  return new Slot(() => {
    const found = indicators.find((one) => one.id === id);
    if (found === undefined) throw new Error(`no indicator ${id}`);
    return indicatorPart(found, { limit: year });
  });
}

const coins = [
  ['BTC', 'BTC'],
  ['ETH', 'ETH'],
] as const;
type Coin = (typeof coins)[number][0];

/** What was moved to and from the known addresses of exchanges by day. */
function coinFlowsPart(symbol: Coin, control: HTMLElement): Part {
  let days: IndicatorsNetworkMetrics['history'] = [];
  return plotPart({
    title: `Exchange flows of ${symbol}`,
    about: ({ attribution, licence }) =>
      `US dollars a day at known addresses: in above, out below. ${attribution}, ${licence}`,
    label: `${symbol} moved to and from exchanges by day`,
    name: `exchange-flows-${symbol}`,
    path: at('/v1/indicators/network-metrics', { symbol, limit: 180 }),
    every: minute,
    cadence: 24 * 60 * minute,
    controls: [control],
    lines: [
      { name: 'In', colour: 'down', as: 'bars' },
      { name: 'Out', colour: 'up', as: 'bars' },
      { name: 'In less out', colour: 'accent' },
    ],
    form: compact,
    data({ history }) {
      days = history;
      return {
        x: days.map(({ timestamp }) => timestamp),
        values: [
          days.map((one) => one.exchange_inflow_usd),
          days.map(({ exchange_outflow_usd: out }) => (out === null ? null : -out)),
          days.map(({ exchange_inflow_usd: into, exchange_outflow_usd: out }) =>
            into === null || out === null ? null : into - out,
          ),
        ],
      };
    },
    rows: () => fileOf(days),
    none: `No day of ${symbol} is known yet.`,
  });
}

export const flowsPart = (): Part =>
  chosenPart('Coin', coins, { name: 'coin', make: coinFlowsPart });
