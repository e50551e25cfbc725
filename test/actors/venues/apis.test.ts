/** What the APIs of the venues share: requests, budgets, the meanings of codes. */
import t from 'tap';
import { aboutEach, codesOf, equalBudgets, getter, mayFail } from '../../../actors/venues/apis.ts';

t.test(
  'requests state a budget and a weight only where these are not the usual ones',
  async (t) => {
    const get = getter('rest', '/v1');
    t.strictSame(get('/a'), { api: 'rest', path: '/v1/a', query: {} });
    const query = { symbol: 'BTC' };
    t.strictSame(get('/a', query, 'slow', 5), {
      ...{ api: 'rest', path: '/v1/a', query },
      ...{ budget: 'slow', weight: 5 },
    });
    t.equal(getter('rest', (path) => `/v2/${path}/`)('a').path, '/v2/a/');
    t.strictSame(mayFail({ path: '/a' }), { path: '/a', optional: true });
    t.strictSame(
      aboutEach(['X', 'Y'], (market) => ({ path: `/${market}` })),
      [
        { path: '/X', market: 'X' },
        { path: '/Y', market: 'Y' },
      ],
    );
  },
);

t.test('budgets and codes by their names', async (t) => {
  const budget = { weight: 2, per: 1000 };
  t.strictSame(equalBudgets(budget, 'books'), { default: budget, books: budget });
  t.strictSame(codesOf(['blocked', 7, -8], ['banned', 'X'], ['blocked', 'Y']), {
    ...{ 7: 'blocked', [-8]: 'blocked' },
    ...{ X: 'banned', Y: 'blocked' },
  });
});
