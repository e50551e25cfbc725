/**
 * What each endpoint asks of which source, by the values that its parameters may have: equal to a table, which changes on
 * purpose only. The markets are those of the fixtures of all venues.
 */
import t from 'tap';
import { isApiError } from '../../../http/errors.ts';
import { orderFlowRoutes } from '../../../http/routes/analytics/order-flow.ts';
import { bookRoutes } from '../../../http/routes/books/index.ts';
import { largeOrderRoutes } from '../../../http/routes/books/large-orders.ts';
import { settledRoutes } from '../../../http/routes/funding/history.ts';
import { fundingRoutes } from '../../../http/routes/funding/index.ts';
import { allRoutes } from '../../../http/routes/index.ts';
import { indicatorRoutes } from '../../../http/routes/indicators.ts';
import { liquidationRoutes } from '../../../http/routes/liquidations/index.ts';
import { mapRoutes } from '../../../http/routes/liquidations/map.ts';
import { marketRoutes } from '../../../http/routes/market.ts';
import { marketTables } from '../../../http/routes/markets/index.ts';
import { moversRoutes } from '../../../http/routes/markets/movers.ts';
import { optionsRoutes } from '../../../http/routes/options/index.ts';
import type { Route } from '../../../http/routes/route.ts';
import { Snapshot } from '../../../http/snapshots.ts';
import { routes as documented } from '../../../scripts/docs/routes.ts';
import { grouped, sameAsDeclared } from '../../support/declared.ts';
import { cold, rowsOf, usualOf, type Values } from '../../support/route-stage.ts';

/** Those of some modules, of the folders, and all. */
const makers = [
  ...[largeOrderRoutes, settledRoutes, mapRoutes, orderFlowRoutes, moversRoutes, bookRoutes],
  ...[
    fundingRoutes,
    liquidationRoutes,
    marketTables,
    optionsRoutes,
    marketRoutes,
    indicatorRoutes,
    allRoutes,
  ],
];
const routes = rowsOf(makers);

function asked({ from }: Route, values: Values): string[] {
  if (!('query' in from)) return [];
  const found = from.query(values);
  if (isApiError(found)) return [`${found.error}: ${found.message}`];
  if (!('source' in found)) return ['an answer without a question'];
  const { source, name, params, also = [], beside, what, form, refresh } = found;
  return [
    `${name} of ${source} ${JSON.stringify(params)} for ${what}`,
    ...also.map((one) => `also ${one.source} ${JSON.stringify(one.params)}`),
    ...(beside === undefined ? [] : [`beside ${JSON.stringify(beside)}`]),
    ...(form === undefined ? [] : [`form ${form}`]),
    ...(refresh === undefined ? [] : [`refreshed before ${refresh} ms`]),
  ];
}

/** The usual values, and for each parameter the others that it may have, or its largest. */
function questionsOf(row: Route): [string, string[]][] {
  const params = Object.entries(row.params);
  const values = usualOf(row);
  const others = params.flatMap(([name, { enum: words, maximum }]) =>
    (words ?? (maximum === undefined ? [] : [maximum])).map((value): [string, string[]] => [
      `${name}=${value}`,
      asked(row, { ...values, [name]: value }),
    ]),
  );
  return [['usual', asked(row, values)], ...others];
}

const questions = Object.fromEntries(
  routes
    .filter(({ from }) => 'query' in from)
    .map((row) => [row.path, Object.fromEntries(questionsOf(row))]),
);
t.test('questions', async (t) => sameAsDeclared(t, 'questions', questions));

/** What a view answers before any reading has come. */
function coldAnswer(row: Route): [string, string][] {
  if (!('view' in row.from)) return [];
  const found = row.from.view(usualOf(row));
  return [
    [isApiError(found) ? found.error : found instanceof Snapshot ? 'data' : 'none', row.path],
  ];
}

/** Bounds and words of the fields of a schema. */
const ruled = (schema: unknown, name = ''): (readonly [string, string])[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const { minimum, maximum, const: word, enum: words = [word] } = Object(schema);
  const isBound = typeof minimum === 'number' || typeof maximum === 'number';
  const bounds = isBound ? [`${minimum} to ${maximum}`] : [];
  const text =
    Array.isArray(words) && words.some((one) => typeof one === 'string') ? [words.join()] : [];
  return [
    ...[...bounds, ...text].map((rule) => [rule, name] as const),
    ...Object.entries(schema).flatMap(([key, part]) =>
      ruled(part, /^(properties|anyOf|items|[0-9]+)$/.test(key) ? name : key),
    ),
  ];
};

t.test('what is in answers, and views before any reading', async (t) =>
  sameAsDeclared(t, 'answers', {
    cold: grouped(rowsOf(makers, cold).flatMap(coldAnswer)),
    rules: grouped(routes.flatMap(({ answer }) => ruled(answer))),
  }),
);

/** What a client may meet at an endpoint besides its parameters and its answer. */
const endpoints = Object.fromEntries(
  documented.map((row) => {
    const { access, budget, bodyCap, fails = [], produces, soft, creates } = row;
    const { free, undated, local, followEvery } = row;
    const flags = Object.entries({ soft, creates, free, undated, local });
    const words = [
      access,
      ...flags.flatMap(([name, is]) => (is ? [name] : [])),
      ...fails.map((status) => `fails with ${status}`),
      ...(budget === undefined ? [] : [`budget ${budget}`]),
      ...(bodyCap === undefined ? [] : [`body to ${bodyCap} bytes`]),
      ...(produces === undefined ? [] : [produces]),
      ...(followEvery === undefined ? [] : ['states how soon it is followed']),
    ];
    return [`${row.method} ${row.path}`, words.join(', ')];
  }),
);
t.test('endpoints', async (t) => sameAsDeclared(t, 'endpoints', endpoints));
