/** The polls of an exchange against its budgets, with the spread of our windows and the latency of answers. */
import t from 'tap';
import { excessesOf, reservedOf } from '../../../../actors/sources/polling/plan.ts';
import { venues } from '../../../../actors/venues/registry.ts';

/** One request a second, each about one market, in a poll every half minute. */
const slow = (most: number) => ({
  id: 'slow',
  apis: {
    rest: {
      hosts: ['https://a.example'] as const,
      budgets: { default: { weight: 1, per: 1_000 } },
    },
  },
  feeds: {
    openInterest: {
      every: 30_000,
      parts: {
        linear: {
          rotates: true,
          most,
          requests: ({ markets }: { markets: readonly string[] }) =>
            markets.map((market) => ({ api: 'rest', path: '/interest', query: { market } })),
        },
      },
    },
  },
});

t.test('each request takes its window, the spread and the latency: 1.45 s of 18', async (t) => {
  t.same(excessesOf(slow(12)), []);
  t.match(excessesOf(slow(18)).join(), /^slow rest\/default: the polls need 1\.[45] of 1 in each/);
  t.equal(reservedOf(slow(12))['rest/default']?.toFixed(4), '0.9667');
});

t.test('every plan of every exchange fits', async (t) => {
  for (const venue of Object.values(venues)) t.same(excessesOf(venue), [], venue.id);
});
