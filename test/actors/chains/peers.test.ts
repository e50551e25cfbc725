import t from 'tap';
import { laggards } from '../../../actors/chains/peers.ts';

const at = 1_700_000_000_000;
const behind = (blocks: readonly number[], maxLag = 20): number[] => {
  const heights = blocks.map((block, own) => ({ own, block, at }));
  return [...laggards(heights, { blockTime: 1_000, maxLag })].map(({ own }) => own);
};

t.test('an endpoint behind the median of the others is found', async (t) => {
  t.same(behind([]), []);
  t.same(behind([5]), [], 'no peer to compare with');
  t.same(behind([100, 100, 100]), []);
  t.same(behind([80, 100, 100]), [0], '20 are too many');
  t.same(behind([81, 100, 100]), []);
  t.same(behind([100, 80]), [1], 'of two, the lower one');
  t.same(behind([100, 100, 1_000_000]), [], 'one far ahead decides nothing');
  t.same(behind([0, 100, 100, 100]), [0], 'one far behind neither');
  t.same(behind([50, 50, 100, 100, 100]), [0, 1]);
  t.same(behind([97, 100, 100], 3), [0]);
});

t.test('heights are compared at one time', async (t) => {
  const early = { block: 1_000, at };
  const late = { block: 1_024, at: at + 24_000 };
  t.same([...laggards([early, late, late], { blockTime: 1_000, maxLag: 20 })], []);
  t.same([...laggards([early, late, late], { blockTime: 2_000, maxLag: 12 })], [early]);
});
