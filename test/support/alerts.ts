/** Alert rules for tests, and a receiver of what they fire. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AlertEvent, AlertRule } from '../../actors/topics/index.ts';
import { now } from './makers.ts';

/** A rule about the price of Bitcoin, in which a test writes what it is about. */
export const alertRule = (over: Partial<AlertRule> = {}): AlertRule => ({
  id: 'al_1',
  account: 'alice',
  revision: 1,
  name: 'Bitcoin',
  path: '/v1/prices?symbol=BTC',
  pointer: '/average_price',
  condition: { type: 'above', value: 100 },
  for: 0,
  hysteresis: 0,
  cooldown: 0,
  expires_at: null,
  deliver: [],
  resolved: false,
  paused: false,
  created_at: now,
  updated_at: now,
  ...over,
});

export const alertEvent = (over: Partial<AlertEvent> = {}): AlertEvent => ({
  id: 'evt_1',
  alert_id: 'al_1',
  account: 'alice',
  name: 'Bitcoin',
  kind: 'fired',
  fired_at: now,
  data_time: now - 100,
  path: '/v1/prices?symbol=BTC',
  pointer: '/average_price',
  subject: null,
  value: 101,
  previous: 99,
  condition: { type: 'above', value: 100 },
  text: 'Bitcoin: 101 (above 100; /v1/prices?symbol=BTC)',
  ...over,
});

/** A request as a receiver got it. */
export interface Received {
  /** Unix ms. */
  at: number;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How a receiver answers: a status, with headers and a body where a test wants them; null never answers. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | null;

export interface Receiver {
  server: Server;
  url: string;
  host: string;
  got: Received[];
  /** Decides the answer to each request. */
  answer: (request: Received) => Answer;
}

/** An HTTP server on loopback that keeps what it is sent; it ends with the test. */
export async function startReceiver(t: { teardown(end: () => void): void }): Promise<Receiver> {
  const got: Received[] = [];
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const request = {
        at: Date.now(),
        url: req.url ?? '',
        headers: req.headers,
        body: Buffer.concat(parts).toString(),
      };
      got.push(request);
      const answer = receiver.answer(request);
      if (answer !== null) res.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const host = `127.0.0.1:${port}`;
  const receiver: Receiver = {
    server,
    host,
    url: `http://${host}/hook`,
    got,
    answer: () => ({ status: 204 }),
  };
  return receiver;
}
