/** The way of a frame to the client: from the moment that it states to the answer that has it. */
import { setTimeout as rest } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** Coinbase states the millisecond in which the upstream has sent a frame. */
const timed = 'coinbase';
const path = '/v1/prices?symbol=BTC';
/** Between two requests, ms. */
const pause = 2;

interface Entry {
  venue_time: number | null;
  updated_at: number;
}

interface Answer {
  data: { exchanges: Record<string, Entry> };
}

/** The ways of many frames, each in two stretches, ms. */
export class Ways {
  readonly whole: number[] = [];
  /** To the reading of the frame. */
  readonly toFeed: number[] = [];
  /** From there to the client. */
  readonly toClient: number[] = [];
  #last = 0;

  /** Notes a frame that has not been seen before; `now` is Unix ms. */
  take(entry: Entry | undefined, now: number): void {
    const sent = entry?.venue_time ?? 0;
    if (entry === undefined || sent <= this.#last) return;
    // How old the first one is, the asker decides.
    if (this.#last > 0) {
      this.whole.push(now - sent);
      this.toFeed.push(entry.updated_at - sent);
      this.toClient.push(now - entry.updated_at);
    }
    this.#last = sent;
  }
}

/** To the first answer of `GET /v1/prices` that has the frame. */
export async function waysOfAnswers(url: string, seconds: number): Promise<Ways> {
  const dispatcher = new Agent({ connections: 1 });
  const ways = new Ways();
  const end = performance.now() + seconds * 1_000;
  for (; performance.now() < end; await rest(pause)) {
    const { body } = await request(url + path, { dispatcher });
    const { data } = (await body.json()) as Answer;
    ways.take(data.exchanges[timed], Date.now());
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
    const now = Date.now();
    text += String(chunk);
    const events = text.split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const line = /^data: (.*"data".*)$/m.exec(event)?.[1];
      if (line !== undefined) ways.take((JSON.parse(line) as Answer).data.exchanges[timed], now);
    }
    if (performance.now() > end) break;
  }
  await dispatcher.destroy();
  return ways;
}
