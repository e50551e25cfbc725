/** The markets as tiles: a treemap by turnover, or a heatmap of equal tiles. */
import { h, setAttribute, setText } from '../dom.ts';
import { compact, duration, price } from '../format.ts';
import { hashOf } from '../place.ts';
import { keyedRows, type View } from '../rows.ts';
import { groundIn, hasRoom, placeIn } from '../tile.ts';
import type { MapKind } from './choices.ts';
import type { Column } from './columns.ts';
import type { Asset } from './data.ts';
import { type Box, grid, treemapOfLargest } from './map-layout.ts';
import { oldAfter } from './row.ts';

/** Of a tile of the heatmap, px. */
const tile = { width: 88, height: 56 };
/** Least side of a tile that can be pressed, px. */
const least = 26;
/** Sides from which a tile has room for its value, and for its price, px. */
const rooms = { value: { width: 56, height: 34 }, price: { width: 84, height: 54 } };

interface Tile {
  asset: Asset;
  box: Box;
  column: Column;
}

/** The ground of a tile: redder or greener the further its value is from 0. */
function groundOf(column: Column, asset: Asset): string {
  const value = Number(column.value(asset));
  const tone = column.tone?.(asset) ?? '';
  if (tone === '') return 'var(--raised)';
  return groundIn(tone, Math.min(1, Math.abs(value) / (column.full ?? 1)));
}

function wordsOf(
  { symbol, price: last, volume_24h_usd: volume, updated_at: at }: Asset,
  of: string,
) {
  const age = Date.now() - at;
  const old = age < oldAfter ? '' : `; ${duration(age)} old`;
  return `${symbol}: ${price(last)} USD, ${of}, volume ${compact(volume)} USD${old}`;
}

function tileView({ asset: { symbol } }: Tile): View<Tile> {
  const [value, last] = [h('span', {}), h('span', { class: 'soft' })];
  const href = hashOf({ page: 'symbol', about: symbol, chosen: new URLSearchParams() });
  const node = h('a', { class: 'tile', href }, h('strong', {}, symbol), value, last);
  return {
    node,
    show({ asset, box, column }) {
      placeIn(node, box);
      node.style.background = groundOf(column, asset);
      setText(value, hasRoom(box, rooms.value) ? column.text(asset) : '');
      setText(last, hasRoom(box, rooms.price) ? price(asset.price) : '');
      setAttribute(node, 'title', wordsOf(asset, `${column.shown} ${column.text(asset)}`));
      node.classList.toggle('old', Date.now() - asset.updated_at >= oldAfter);
    },
  };
}

export class MarketMap {
  readonly node = h('div', { class: 'map', role: 'group', 'aria-label': 'Map of the markets' });
  readonly #show = keyedRows<Tile>(this.node, {
    name: ({ asset }) => asset.symbol,
    make: tileView,
  });
  readonly #watch: ResizeObserver;

  /** `resized` is called where it has another size: it has to be shown anew. */
  constructor(resized: () => void) {
    this.#watch = new ResizeObserver(resized);
    this.#watch.observe(this.node);
  }

  end(): void {
    this.#watch.disconnect();
  }

  /** Shows as many as have room: the largest by turnover, or the first. Their number. */
  show(rows: readonly Asset[], kind: MapKind, column: Column): number {
    const { clientWidth: width, clientHeight: height } = this.node;
    if (width === 0 || height === 0) return 0;
    const isTreemap = kind === 'treemap';
    const shown = isTreemap
      ? rows
          .filter(({ volume_24h_usd: volume }) => volume > 0)
          .toSorted((a, b) => b.volume_24h_usd - a.volume_24h_usd)
      : rows;
    const sizes = shown.map(({ volume_24h_usd: volume }) => volume);
    const boxes = isTreemap
      ? treemapOfLargest(sizes, { width, height, least })
      : grid(shown.length, { width, height, tile });
    this.#show(
      boxes.flatMap((box, at) => {
        const asset = shown[at];
        return asset === undefined ? [] : [{ asset, box, column }];
      }),
    );
    return boxes.length;
  }
}
