/**
 * A datafeed client as the open one of the UDF protocol behaves: it reads bodies whatever their status is, asks for bars with
 * `countback`, follows `nextTime`, and polls two bars.
 */
export interface Bar {
  /** Unix ms. */
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number | undefined;
}

interface History {
  s: string;
  errmsg?: string;
  nextTime?: number;
  t?: number[];
  o?: number[];
  h?: number[];
  l?: number[];
  c?: number[];
  v?: number[];
}

/** The bars of an answer, or why there are none. */
export interface Bars {
  bars: Bar[];
  noData: boolean;
  /** Unix seconds. */
  nextTime: number | undefined;
}

export class UdfClient {
  readonly #base: string;

  constructor(base: string) {
    this.#base = base;
  }

  async read(path: string, params: Readonly<Record<string, string | number>> = {}) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) query.set(name, String(value));
    const answer = await fetch(`${this.#base}/${path}?${query}`);
    return JSON.parse(await answer.text());
  }

  async resolve(symbol: string) {
    const found = await this.read('symbols', { symbol });
    // Any success with `s` is an error to the client.
    if (found.s !== undefined) throw new Error(`unknown_symbol: ${found.errmsg}`);
    return found;
  }

  search = (query: string, exchange = '', type = '') =>
    this.read('search', { query: query.toUpperCase(), exchange, type, limit: 30 });

  /** The bars of a range; with a countback so many before its end. */
  async bars(
    symbol: string,
    resolution: string,
    range: { from: number; to: number; countback?: number },
  ): Promise<Bars> {
    const body: History = await this.read('history', { symbol, resolution, ...range });
    if (body.s !== 'ok' && body.s !== 'no_data') throw new Error(body.errmsg);
    if (body.s === 'no_data') return { bars: [], noData: true, nextTime: body.nextTime };
    const { t = [], c = [], o = c, h = c, l = c, v } = body;
    const bars = t.map((time, at) => ({
      time: time * 1_000,
      open: Number(o[at]),
      high: Number(h[at]),
      low: Number(l[at]),
      close: Number(c[at]),
      volume: v?.[at],
    }));
    return { bars, noData: false, nextTime: undefined };
  }

  /** What it polls each ten seconds: the newest two bars, from ten of them back. */
  poll = (symbol: string, resolution: string, { now, seconds }: { now: number; seconds: number }) =>
    this.bars(symbol, resolution, { from: now - 10 * seconds, to: now, countback: 2 });
}
