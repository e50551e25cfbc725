/** Order books made as slowly and plainly as can be, out of the same frames: what the fast ones are compared with. */
import { asRow, list, text } from '../../actors/read.ts';

/** A book by text, as slow as can be: what an update names replaces it, zero removes it. */
class SlowBook {
  readonly sides = { bids: new Map<number, number>(), asks: new Map<number, number>() };

  take({ bids, asks }: { bids: Pairs; asks: Pairs }): void {
    this.#apply('bids', bids);
    this.#apply('asks', asks);
  }

  #apply(side: 'bids' | 'asks', rows: Pairs): void {
    for (const [price, quantity] of rows) {
      if (Number(quantity) === 0) this.sides[side].delete(Number(price));
      else this.sides[side].set(Number(price), Number(quantity));
    }
  }

  top(side: 'bids' | 'asks', count: number): number[] {
    const sign = side === 'bids' ? -1 : 1;
    const sorted = [...this.sides[side]].sort(([a], [b]) => sign * (a - b));
    return sorted.slice(0, count).flat();
  }
}

type Pairs = readonly (readonly [unknown, unknown])[];
const pairs = (rows: unknown): Pairs =>
  list(rows, 'rows').map((row) => [asRow(row)[0], asRow(row)[1]]);

/** What a frame or a body says, read apart from the venue's own reader; `id` orders snapshots asked for and updates. */
interface Said {
  market: string;
  whole: boolean;
  bids: Pairs;
  asks: Pairs;
  id?: number;
}

/** The answer to a question for a whole book. */
export const depthBody = (body: unknown, market: string): Said => {
  const { bids, asks, lastUpdateId, id } = asRow(body);
  return {
    market,
    whole: true,
    bids: pairs(bids),
    asks: pairs(asks),
    id: Number(lastUpdateId ?? id),
  };
};

const binance = (frame: unknown): Said[] => {
  const { e, s, u, b, a } = asRow(frame);
  return e === 'depthUpdate'
    ? [{ market: text(s), whole: false, bids: pairs(b), asks: pairs(a), id: Number(u) }]
    : [];
};

/** Names of Bitfinex's channels. */
const channels = new Map<unknown, string>();

const bitfinexSide = (rows: readonly unknown[], sign: 1 | -1): Pairs =>
  rows
    .map(asRow)
    .filter((row) => Math.sign(Number(row[2])) === sign)
    .map((row) => [row[0], row[1] === 0 ? 0 : Math.abs(Number(row[2]))]);

/** By venue, what a frame says. */
export const readers: Readonly<Record<string, (frame: unknown) => Said[]>> = {
  binance,
  bitfinex(frame) {
    if (!Array.isArray(frame)) {
      const { channel, chanId, symbol } = asRow(frame);
      if (channel === 'book') channels.set(chanId, text(symbol));
      return [];
    }
    const [chanId, rows] = frame;
    const market = channels.get(chanId);
    if (market === undefined || !Array.isArray(rows)) return [];
    const whole = Array.isArray(rows[0]);
    const levels = whole ? rows : [rows];
    return [{ market, whole, bids: bitfinexSide(levels, 1), asks: bitfinexSide(levels, -1) }];
  },
  kraken(frame) {
    const { feed, product_id, side, price, qty, bids, asks } = asRow(frame);
    const market = text(product_id);
    const rows = (levels: unknown): Pairs =>
      list(levels, 'levels').map((row) => [asRow(row).price, asRow(row).qty]);
    if (feed === 'book_snapshot')
      return [{ market, whole: true, bids: rows(bids), asks: rows(asks) }];
    if (feed !== 'book') return [];
    const one: Pairs = [[price, qty]];
    const sides = side === 'buy' ? { bids: one, asks: [] } : { bids: [], asks: one };
    return [{ market, whole: false, ...sides }];
  },
  gate(frame) {
    const { channel, event, result } = asRow(frame);
    if (!text(channel).endsWith('.obu') || event !== 'update') return [];
    const { s, full, u, b, a } = asRow(result);
    const market = text(s).split('.')[1] ?? '';
    return [{ market, whole: full === true, bids: pairs(b), asks: pairs(a), id: Number(u) }];
  },
  kucoin(frame) {
    const { t: type, d } = asRow(frame);
    if (d === undefined) return [];
    const { s, C, b, a } = asRow(d);
    const rows = (side: unknown) => pairs(side).filter(([price]) => Number(price) !== 0);
    const sides = { bids: rows(b), asks: rows(a) };
    return [{ market: text(s), whole: type === 'snapshot', ...sides, id: Number(C) }];
  },
  htx(frame) {
    const { bids, asks } = asRow(asRow(frame).tick);
    const market = text(asRow(frame).ch).split('.')[1] ?? '';
    return bids === undefined
      ? []
      : [{ market, whole: true, bids: pairs(bids), asks: pairs(asks) }];
  },
  cryptocom(frame) {
    const { instrument_name, data } = asRow(asRow(frame).result);
    if (data === undefined) return [];
    const { bids, asks } = asRow(list(data, 'data')[0]);
    return [{ market: text(instrument_name), whole: true, bids: pairs(bids), asks: pairs(asks) }];
  },
  bybit(frame) {
    const { topic, type, data } = asRow(frame);
    const { s, b, a } = asRow(data);
    return text(topic).startsWith('orderbook')
      ? [{ market: text(s), whole: type === 'snapshot', bids: pairs(b), asks: pairs(a) }]
      : [];
  },
  okx(frame) {
    const { arg, action, data } = asRow(frame);
    if (data === undefined || asRow(arg).channel !== 'books') return [];
    const { bids, asks } = asRow(list(data, 'data')[0]);
    const market = text(asRow(arg).instId);
    return [{ market, whole: action === 'snapshot', bids: pairs(bids), asks: pairs(asks) }];
  },
  bitget(frame) {
    const { arg, action, data } = asRow(frame);
    if (data === undefined) return [];
    const { b, a } = asRow(list(data, 'data')[0]);
    const market = text(asRow(arg).symbol);
    return [{ market, whole: action === 'snapshot', bids: pairs(b), asks: pairs(a) }];
  },
  deribit(frame) {
    const { type, instrument_name, bids, asks } = asRow(asRow(asRow(frame).params).data);
    if (bids === undefined || type === undefined) return [];
    const rows = (side: unknown): Pairs =>
      list(side, 'side').map((row) => [
        asRow(row)[1],
        asRow(row)[0] === 'delete' ? 0 : asRow(row)[2],
      ]);
    return [
      {
        market: text(instrument_name),
        whole: type === 'snapshot',
        bids: rows(bids),
        asks: rows(asks),
      },
    ];
  },
  coinbase(frame) {
    const { channel, events } = asRow(frame);
    if (channel !== 'l2_data') return [];
    return list(events, 'events').map((event) => {
      const { type, product_id, updates } = asRow(event);
      const rows = (side: string): Pairs =>
        list(updates, 'updates')
          .filter((row) => asRow(row).side === side)
          .map((row) => [asRow(row).price_level, asRow(row).new_quantity]);
      const sides = { bids: rows('bid'), asks: rows('offer') };
      return { market: text(product_id), whole: type === 'snapshot', ...sides };
    });
  },
};

/** The slow books of a session. Updates wait for a snapshot; those that it has in it already are left out. */
export class SlowBooks {
  readonly #books = new Map<string, { book: SlowBook; id: number }>();
  readonly #waiting = new Map<string, Said[]>();

  of(market: string): SlowBook | undefined {
    return this.#books.get(market)?.book;
  }

  take(said: Said): void {
    if (said.whole) {
      this.#begin(said);
      return;
    }
    const known = this.#books.get(said.market);
    const { id = 0, market } = said;
    if (!known) this.#waiting.set(market, [...(this.#waiting.get(market) ?? []), said]);
    else if (id === 0 || id > known.id) {
      known.id = id;
      known.book.take(said);
    }
  }

  #begin(said: Said): void {
    const book = new SlowBook();
    this.#books.set(said.market, { book, id: said.id ?? 0 });
    book.take(said);
    for (const one of this.#waiting.get(said.market) ?? []) this.take(one);
  }
}
