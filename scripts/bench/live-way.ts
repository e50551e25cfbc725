/** The way of a frame to the client: from the moment that it states to the answer that has it. */
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { percentile } from './report.ts';

/** Coinbase states the millisecond in which the upstream has sent a frame. */
export const timed = 'coinbase';
const path = '/v1/prices?symbol=BTC';
/** Between two requests, ms. */
const pause = 2;

interface Answer {
  data: { exchanges: Record<string, { venue_time: number | null }> };
}

/** The ways of many frames, ms. */
export class Ways {
  readonly ms: number[] = [];
  #last = 0;

  /** Notes a frame that has not been seen before; `sent` is Unix ms. */
  take(sent: number): void {
    if (sent <= this.#last) return;
    // How old the first one is, the asker decides.
    if (this.#last > 0) this.ms.push(Date.now() - sent);
    this.#last = sent;
  }

  takeAnswer({ data }: Answer): void {
    this.take(data.exchanges[timed]?.venue_time ?? 0);
  }

  at(share: number): number {
    return percentile(this.ms, share);
  }
}

/** To the first answer of `GET /v1/prices` that has the frame. */
export async function waysOfAnswers(url: string, seconds: number): Promise<Ways> {
  const dispatcher = new Agent({ connections: 1 });
  const ways = new Ways();
  const end = performance.now() + seconds * 1_000;
  for (; performance.now() < end; await rest(pause)) {
    const { body } = await request(url + path, { dispatcher });
    ways.takeAnswer((await body.json()) as Answer);
  }
  await dispatcher.close();
  return ways;
}

/** To the event of a stream that has it. */
export async function waysOfStream(url: string, seconds: number): Promise<Ways> {
  const dispatcher = new Agent({ bodyTimeout: 0 });
  const { body } = await request(`${url}/v1/stream?path=${encodeURIComponent(path)}`, {
    dispatcher,
  });
  const ways = new Ways();
  const end = performance.now() + seconds * 1_000;
  let text = '';
  for await (const chunk of body) {
    text += String(chunk);
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const line = /^data: (.*"data".*)$/m.exec(event)?.[1];
      if (line !== undefined) ways.takeAnswer(JSON.parse(line) as Answer);
    }
    if (performance.now() > end) break;
  }
  await dispatcher.destroy();
  return ways;
}

interface Ticker {
  timestamp: string;
  events?: { tickers?: { product_id: string }[] }[];
}

/** The upstream keeps the pace of connections of few products; the ways of the first count. */
const products = ['BTC-USD', 'ETH-USD', 'SOL-USD', 'XRP-USD'];

/** To a client that follows the exchange itself, and does nothing but `JSON.parse`: the reference. */
export async function waysOfExchange(gateway: string, seconds: number): Promise<Ways> {
  const ways = new Ways();
  const url = `${gateway.replace('http', 'ws')}/advanced-trade-ws.coinbase.com/`;
  const socket = new WebSocket(url);
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'subscribe', channel: 'ticker', product_ids: products }));
  });
  socket.addEventListener('message', ({ data }) => {
    const { timestamp, events = [] }: Ticker = JSON.parse(String(data));
    const isOurs = events[0]?.tickers?.[0]?.product_id === products[0];
    if (isOurs) ways.take(Date.parse(timestamp));
  });
  await rest(seconds * 1_000);
  socket.close();
  return ways;
}
