/** Liquidations of 24 hours as a treemap: a tile a coin, as large as its sum. */
import { h, setAttribute, setText } from '../dom.ts';
import { compact, fixed } from '../format.ts';
import { type Box, treemapOfLargest } from '../markets/map-layout.ts';
import { livePart, type Part } from '../part.ts';
import { at, type LiquidationsCoinListItem } from '../request.ts';
import { keyedRows, type View } from '../rows.ts';
import { fileOf } from '../table-part.ts';
import { groundIn, hasRoom, placeIn } from '../tile.ts';
import type { Asked } from './tape.ts';

/** Least side of a tile that can be pressed, and those from which it has room for its sum, px. */
const least = 26;
const room = { width: 56, height: 34 };

interface Tile {
  coin: LiquidationsCoinListItem;
  box: Box;
}

function tileView({ coin: { symbol } }: Tile): View<Tile> {
  const sum = h('span', {});
  const href = `#/liquidations?symbol=${encodeURIComponent(symbol)}`;
  const node = h('a', { class: 'tile', href }, h('strong', {}, symbol), sum);
  return {
    node,
    show({ coin, box }) {
      const { long_24h_usd: longs, liquidation_usd_24h: all } = coin;
      const share = longs / all;
      placeIn(node, box);
      node.style.background = groundIn(share > 0.5 ? 'down' : 'up', Math.abs(2 * share - 1));
      setText(sum, hasRoom(box, room) ? compact(all) : '');
      const words = `${symbol}: ${compact(all)} USD, ${fixed(share * 100, 0)} % longs`;
      setAttribute(node, 'title', words);
    },
  };
}

/** The path is that of the table of coins: both share an answer. */
export function treemapPart({ exchange }: Asked): Part {
  const node = h('div', { class: 'map', role: 'group', 'aria-label': 'Liquidations by coin' });
  const show = keyedRows<Tile>(node, { name: ({ coin }) => coin.symbol, make: tileView });
  let coins: readonly LiquidationsCoinListItem[] = [];
  const draw = () => {
    const { clientWidth: width, clientHeight: height } = node;
    if (width === 0 || height === 0) return;
    const shown = coins.filter((one) => one.liquidation_usd_24h > 0);
    const sizes = shown.map((one) => one.liquidation_usd_24h);
    const boxes = treemapOfLargest(sizes, { width, height, least });
    show(
      boxes.flatMap((box, at) => {
        const coin = shown[at];
        return coin === undefined ? [] : [{ coin, box }];
      }),
    );
  };
  const size = new ResizeObserver(draw);
  size.observe(node);
  return livePart({
    title: 'Map of 24 hours',
    about: `Of ${exchange || 'all exchanges'}: areas are sums, red where more longs and green where more shorts`,
    name: 'liquidations-by-coin',
    path: at('/v1/liquidations/coin-list', { exchange, limit: 200 }),
    every: 2_000,
    cadence: 60_000,
    isWide: true,
    body: [node],
    show({ items }) {
      coins = items;
      draw();
      return items.length === 0 ? 'Nothing is recorded yet.' : undefined;
    },
    rows: () => fileOf(coins),
    end: () => size.disconnect(),
  });
}
