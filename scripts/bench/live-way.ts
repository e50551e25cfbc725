/** The way of a frame to a client: from the moment that it states to the message that has it. */
import { setTimeout as rest } from 'node:timers/promises';
import { percentile } from './report.ts';

/** Coinbase states the millisecond in which the upstream has sent a frame. */
const timed = 'coinbase';
/** The assets whose frames count: the upstream keeps the pace of connections of few markets. */
const symbols = ['BTC', 'ETH', 'SOL', 'XRP'];

interface Answer {
  data: { symbol: string; exchanges: Record<string, { venue_time: number | null }> };
}

/** The ways of many frames, ms. */
export class Ways {
  readonly ms: number[] = [];
  readonly #last = new Map<string, number>();

  /** Notes a frame of an asset that has not been seen before; `sent` is Unix ms. */
  take(symbol: string, sent: number): void {
    const last = this.#last.get(symbol) ?? 0;
    if (sent <= last) return;
    // How old the first one is, the asker decides.
    if (last > 0) this.ms.push(Date.now() - sent);
    this.#last.set(symbol, sent);
  }

  at(share: number): number {
    return percentile(this.ms, share);
  }
}

/** To the message of a WebSocket that has it. */
export async function waysOfClient(url: string, seconds: number): Promise<Ways> {
  const ways = new Ways();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/ws`);
  socket.addEventListener('open', () => {
    for (const [id, symbol] of symbols.entries()) {
      const path = `/v1/prices?symbol=${symbol}`;
      socket.send(JSON.stringify({ op: 'subscribe', id, path }));
    }
  });
  socket.addEventListener('message', ({ data }) => {
    const { data: answer }: Partial<Answer> = JSON.parse(String(data));
    if (answer) ways.take(answer.symbol, answer.exchanges[timed]?.venue_time ?? 0);
  });
  await rest(seconds * 1_000);
  socket.close();
  return ways;
}

interface Ticker {
  timestamp: string;
  events?: { tickers?: { product_id: string }[] }[];
}

/** To a client that follows the exchange itself, and does nothing but `JSON.parse`: the reference. */
export async function waysOfExchange(gateway: string, seconds: number): Promise<Ways> {
  const ways = new Ways();
  const product_ids = symbols.map((symbol) => `${symbol}-USD`);
  const url = `${gateway.replace('http', 'ws')}/advanced-trade-ws.coinbase.com/`;
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'ticker', product_ids }));
  });
  socket.addEventListener('message', ({ data }) => {
    const { timestamp, events = [] }: Ticker = JSON.parse(String(data));
    const symbol = events[0]?.tickers?.[0]?.product_id.split('-')[0];
    if (symbol !== undefined) ways.take(symbol, Date.parse(timestamp));
  });
  await rest(seconds * 1_000);
  socket.close();
  return ways;
}
