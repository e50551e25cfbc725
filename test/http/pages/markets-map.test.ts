/** The markets as tiles, their columns in an order, and what a fresh start says of them. */
import fc from 'fast-check';
import t from 'tap';
import {
  type Box,
  grid,
  treemap,
  treemapOfLargest,
} from '../../../http/pages/app/markets/map-layout.ts';
import { property } from '../../support/property.ts';

Object.assign(globalThis, {
  document: { baseURI: 'https://host/app', documentElement: { dataset: {} } },
  sessionStorage: { getItem: () => null },
  // The stream's own look at its connection must not keep the test.
  setInterval: () => 0,
});

const load = (name: string) =>
  import(new URL(`../../../http/pages/app/markets/${name}.ts`, import.meta.url).href);

const area = ({ width, height }: Box): number => width * height;
const right = ({ x, width }: Box): number => x + width;
const bottom = ({ y, height }: Box): number => y + height;
/** More than rounding errors. */
const slack = 1e-6;

const isWithin = (box: Box, width: number, height: number): boolean =>
  Math.min(box.x, box.y) > -slack && right(box) < width + slack && bottom(box) < height + slack;

const overlaps = (a: Box, b: Box): boolean =>
  Math.min(right(a), right(b)) - Math.max(a.x, b.x) > slack &&
  Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y) > slack;

/** What is wrong with tiles in a room; null where nothing is. */
function wrongIn(
  boxes: readonly Box[],
  sizes: readonly number[],
  { width, height }: { width: number; height: number },
): string | null {
  const sum = sizes.reduce((total, size) => total + size, 0);
  for (const [at, box] of boxes.entries()) {
    const share = (Number(sizes[at]) / sum) * width * height;
    if (Math.abs(area(box) - share) > 1e-6 * width * height) return `${at} has ${area(box)}`;
    if (!isWithin(box, width, height)) return `${at} is outside`;
    if (boxes.slice(0, at).some((other) => overlaps(box, other))) return `${at} is over another`;
  }
  return boxes.length === sizes.length ? null : `${boxes.length} tiles`;
}

t.test('a treemap', async (t) => {
  // The example of the paper (Bruls, Huizing and van Wijk, figure 3): 6, 6, 4, 3, 2, 2, 1 in a room of 6 by 4.
  const boxes = treemap([6, 6, 4, 3, 2, 2, 1], 6, 4);
  t.strictSame(boxes.slice(0, 2), [
    { x: 0, y: 0, width: 3, height: 2 },
    { x: 0, y: 2, width: 3, height: 2 },
  ]);
  t.match(boxes[2], { x: 3, y: 0 }, 'the next line is along the upper side');
  t.ok(Math.abs(Number(boxes[2]?.height) - 7 / 3) < slack);
});

t.test(
  'tiles of a treemap fill its room, do not overlap, and are as large as their sizes',
  async (t) => {
    const sizes = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), {
      minLength: 1,
      maxLength: 40,
    });
    const sides = fc.tuple(
      fc.integer({ min: 50, max: 2_000 }),
      fc.integer({ min: 50, max: 2_000 }),
    );
    await property(t, fc.tuple(sizes, sides), ([found, [width, height]]) => {
      const falling = found.toSorted((a, b) => b - a);
      const wrong = wrongIn(treemap(falling, width, height), falling, { width, height });
      if (wrong !== null) throw new Error(wrong);
      const large = treemapOfLargest(falling, { width, height, least: 26 });
      if (!large.every((box) => Math.min(box.width, box.height) >= 26))
        throw new Error('a tile is too small');
    });
  },
);

t.test('equal tiles', async (t) => {
  const tile = { width: 90, height: 50 };
  const boxes = grid(9, { width: 200, height: 160, tile });
  t.equal(boxes.length, 6, 'as many as have room');
  t.strictSame(boxes[3], { x: 100, y: 160 / 3, width: 100, height: 160 / 3 });
  t.equal(grid(2, { width: 20, height: 20, tile }).length, 1, 'one at least');
});

t.test('columns keep the order that was chosen', async (t) => {
  const { moved, shownColumns } = await load('columns');
  const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);
  const chosen = ['funding', 'price', 'oi'];
  t.strictSame(ids(shownColumns(false, chosen, true)), ['symbol', ...chosen]);
  t.strictSame(ids(shownColumns(true, chosen, true)), ['symbol', 'price'], 'of spot markets');
  const all = ['symbol', 'a', 'b', 'c'];
  t.strictSame(moved(all, 'a', 'c'), ['symbol', 'b', 'c', 'a']);
  t.strictSame(moved(all, 'c', 'a'), ['symbol', 'c', 'a', 'b']);
  for (const [id, to] of [
    ['a', 'symbol'],
    ['symbol', 'a'],
    ['a', undefined],
  ] as const)
    t.strictSame(moved(all, id, to), all, 'the symbol stays the first');
});

t.test('a fresh start says which columns fill when', async (t) => {
  const { fillingWords, recordedOf } = await load('recorded');
  const began = Date.UTC(2026, 10, 29, 22, 58);
  const recorded = new Map([
    ['price', began],
    ['open-interest', began],
  ]);
  const shown = ['price', '1h', 'oi1h', 'oi24h', 'liquidations'].map((id) => ({ id, shown: id }));
  const wordsAfter = (minutes: number) => fillingWords(shown, recorded, began + minutes * 60_000);
  t.match(
    wordsAfter(5),
    /since 11\/29\/2026, 22:58; complete: 1h, oi1h from .*23:58; oi24h from 11\/30/,
  );
  t.match(wordsAfter(61), /complete: oi24h from/);
  t.match(wordsAfter(1_440), /^US dollars/, 'and later what the numbers are');
  t.equal(recordedOf('price', recorded, began), null, 'a price needs no past');
  t.equal(recordedOf('liquidations', recorded, began), null, 'what is not recorded says nothing');
});
