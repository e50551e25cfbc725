import t from 'tap';
import { Samples } from '../../scripts/latency/samples.ts';

const at = 1_700_000_000_000;

t.test('each newer value is a sample once, under the name of its exchange', (t) => {
  const samples = new Samples();
  const answer = (updated: number, stated: number | null) => ({
    exchanges: { kraken: { price: 5, updated_at: updated, venue_time: stated } },
  });
  samples.take(answer(at, at - 900), at + 5_000);
  samples.take(answer(at + 100, at + 40), at + 103);
  samples.take(answer(at + 100, at + 40), at + 190);
  samples.take(answer(at + 200, null), at + 207);
  t.strictSame([...samples.byName], [['kraken', { toService: [60], toClient: [3, 7] }]]);
  t.end();
});

t.test(
  'rows of a list are told apart by their place and named by the list; seconds are no times',
  (t) => {
    const samples = new Samples();
    const rows = (first: number, second: number) => ({
      markets: [{ updated_at: first }, { updated_at: second }],
      newest: { updated_at: 1_700_000_000 },
    });
    samples.take(rows(at, at), at);
    samples.take(rows(at, at + 10), at + 12);
    t.strictSame([...samples.byName], [['markets', { toService: [], toClient: [2] }]]);
    t.end();
  },
);
