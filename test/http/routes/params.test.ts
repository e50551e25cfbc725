/** What parameters of each endpoint may be: equal to a table, which changes on purpose only. */
import t from 'tap';
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
import type { Param } from '../../../http/routes/route.ts';
import { grouped, sameAsDeclared } from '../../support/declared.ts';
import { rowsOf } from '../../support/route-stage.ts';

/** What a parameter may be, in words. */
function ruleOf({ type, default: usual, enum: words, ...param }: Param): string {
  const { required, minimum, maximum, maxLength, pattern, unlisted, lenient } = param;
  const bounds = Object.entries({ minimum, maximum, maxLength, pattern })
    .filter(([, bound]) => bound !== undefined)
    .map(([name, bound]) => `${name} ${bound}`);
  return [
    type,
    ...(required ? ['required'] : []),
    ...(usual === undefined ? [] : [`usually ${usual}`]),
    ...bounds,
    ...(words === undefined ? [] : [`one of ${words.join(', ')}`]),
    ...(unlisted ? ['unlisted'] : []),
    ...(lenient ? ['lenient'] : []),
  ].join('; ');
}

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

t.test('parameters: what they may be, and usually are', async (t) =>
  sameAsDeclared(
    t,
    'params',
    grouped(
      rowsOf(makers).flatMap(({ path, params }) =>
        Object.entries(params).map(([name, param]) => [ruleOf(param), `${path}?${name}`] as const),
      ),
    ),
  ),
);

/** Without the texts for readers. */
const told = (key: string, value: unknown) => (key === 'description' ? undefined : value);

t.test('bodies', async (t) => {
  const bodies = rowsOf(makers).flatMap(({ path, body, bodyCap = null, bodyExample = null }) =>
    body ? [[path, { body, bodyCap, bodyExample }]] : [],
  );
  sameAsDeclared(t, 'bodies', JSON.parse(JSON.stringify(Object.fromEntries(bodies), told)));
});
