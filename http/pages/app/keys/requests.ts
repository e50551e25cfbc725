/** Requests with the keys of the account, by day. */
import { askAgain } from '../ask.ts';
import { plotPart } from '../charts.ts';
import { fixed } from '../format.ts';
import type { Part } from '../part.ts';
import type { Line } from '../plot.ts';
import { at, type UsageHistory, type UsageHistoryKey } from '../request.ts';

type Named = Pick<UsageHistoryKey, 'name' | 'requests'>;

const sum = (of: readonly number[]): number => of.reduce((all, one) => all + one, 0);

/** The days of all keys added up. */
const added = ({ timestamps }: UsageHistory, keys: readonly Named[]): number[] =>
  timestamps.map((_, day) => sum(keys.map(({ requests }) => requests[day] ?? 0)));

/** Most keys with a line of their own. */
const most = 5;

/** The names with the most requests: keys of one name count together. */
function busiest(history: UsageHistory): Named[] {
  const byName = Map.groupBy(history.keys, ({ name }) => name);
  return [...byName]
    .map(([name, keys]) => ({ name, requests: added(history, keys) }))
    .filter(({ requests }) => sum(requests) > 0)
    .sort((a, b) => sum(b.requests) - sum(a.requests))
    .slice(0, most);
}

const all: Line = { name: 'All keys', colour: 'soft', as: 'bars' };

export const requestsPart = (): Part =>
  plotPart({
    title: 'Requests',
    about: 'Of active keys, by UTC day; keys of one name count together',
    name: 'requests',
    label: 'Requests of active keys by UTC day',
    path: at('/v1/usage/history', { days: 30 }),
    every: 60_000,
    source: askAgain,
    isWide: true,
    lines: [all],
    form: (value) => fixed(value, 0),
    data(history) {
      const named = busiest(history);
      return {
        x: history.timestamps,
        values: [added(history, history.keys), ...named.map(({ requests }) => requests)],
        lines: [all, ...named],
      };
    },
    none: 'No active key has requests.',
  });
