/** What data providers, chains, topics, settings and indicators declare: equal to a table, which changes on purpose only. */
import { availableParallelism } from 'node:os';
import t from 'tap';
import { providers } from '../../actors/providers/registry.ts';
import { feedBodies, topics } from '../../actors/topics/table.ts';
import { chains } from '../../config/chains.ts';
import { leverageShares } from '../../config/liquidation-model.ts';
import { defaultPlans } from '../../config/plans.ts';
import { table } from '../../config/table.ts';
import { catalogue } from '../../indicators/catalogue.ts';
import type { Indicator, Parameter } from '../../indicators/spec.ts';
import { sameAsDeclared } from '../support/declared.ts';

/** The settings whose default depends on the machine. */
const ofMachine = ['WEB_CONCURRENCY', 'COMPUTE_THREADS'];
const rows = Object.values(table);
const settings = Object.fromEntries(
  rows
    .filter(({ env }) => env !== 'PLANS' && !ofMachine.includes(env))
    .map(({ env, fallback }) => [env, fallback]),
);
const plans = defaultPlans.names.map((name) => defaultPlans.of(name));

/** A parameter as `14 (1 to 500)`, or `close of open, high, low, close`. */
const shown = (one: Parameter): string =>
  one.type === 'word'
    ? `${one.default} of ${one.allowed.join(', ')}`
    : `${one.default} (${one.minimum} to ${one.maximum})`;

/** An indicator in a few words, with the candles that it takes by default. */
function inWords({ parameters, minimum, settle, ...entry }: Indicator) {
  const named = Object.entries(parameters);
  const chosen = Object.fromEntries(named.map(([name, one]) => [name, one.default]));
  return {
    category: [entry.category, ...(entry.aliases ?? [])].join(', '),
    columns: `${entry.inputs.join(', ')} -> ${entry.outputs.join(', ')}`,
    ...Object.fromEntries(named.map(([name, one]) => [name, shown(one)])),
    candles: `${minimum(chosen)}, ${settle?.(chosen) ?? 'as many'} to settle`,
  };
}
const indicators = Object.fromEntries(
  [...catalogue.values()].map((entry) => [entry.name, inWords(entry)]),
);

t.test('defaults that depend on the machine, and shares that are all', async (t) => {
  const some = Math.min(4, Math.max(1, availableParallelism() - 1));
  t.same([table.webConcurrency.fallback, table.computeThreads.fallback], [some, some]);
  t.ok(Math.abs(leverageShares.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-12);
});

const config = { settings, plans, leverageShares, feedBodies };
for (const [name, value] of Object.entries({ providers, topics, chains, config, indicators })) {
  t.test(name, async (t) => sameAsDeclared(t, name, value));
}
