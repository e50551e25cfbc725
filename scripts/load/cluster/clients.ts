/** Clients of streams that come back when their connection ends, to any process, with the position of their last message. */
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as rest } from 'node:timers/promises';
import { RawClient } from '../raw-client.ts';
import type { Balancer } from './balancer.ts';
import type { StreamMessage } from './streams.ts';

export interface Plan {
  balancer: Pick<Balancer, 'next' | 'lost'>;
  /** API key. */
  key: string;
  path: string;
  mode: 'full' | 'patch' | 'log';
  onConnected(): void;
  onMessage(message: StreamMessage): void;
}

/** An open connection. */
interface Connection {
  end(): void;
  /** Reads nothing until `resume` is called. */
  pause(): void;
  resume(): void;
}

/** One connection: resolves when it has ended. `take` is told each message and, of an event stream, its id. */
type Connect = (
  port: number,
  plan: Plan,
  about: { last: string; take(text: string, id: string): void; hold(open: Connection): void },
) => Promise<void>;

const overSocket: Connect = async (port, { key, path, mode }, { last, take, hold }) => {
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  const onMessage = () => take(client.text, '');
  const headers = { 'x-api-key': key };
  const client = await RawClient.open(port, { headers, onClose, onMessage, keeps: true });
  hold({ end: () => client.close(), pause: () => client.pause(), resume: () => client.resume() });
  const resume = last === '' ? {} : { resume: last };
  client.say({ op: 'subscribe', id: 1, path, mode, ...resume });
  await closed;
};

const overEvents: Connect = async (port, { key, path, mode }, { last, take, hold }) => {
  const query = new URLSearchParams({ path, mode });
  const resume = last === '' ? {} : { 'last-event-id': last };
  const headers = { 'x-api-key': key, ...resume };
  const about = { host: '127.0.0.1', port, path: `/v1/stream?${query}`, headers, agent: false };
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = get(about, resolve);
  request.on('error', reject);
  const response = await promise;
  if (response.statusCode !== 200) {
    request.destroy();
    throw new Error(`status ${response.statusCode}`);
  }
  response.setEncoding('utf8');
  const parser = new EventParser(take);
  response.on('data', (part: string) => parser.push(part));
  response.on('error', () => {});
  const closed = new Promise<void>((done) => response.once('close', done));
  hold({
    end: () => void request.destroy(),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
  });
  await closed;
};

/** Reads Server-Sent Events as the service writes them: `event`, `id` and one line of `data`. */
export class EventParser {
  readonly #take: (text: string, id: string) => void;
  #left = '';

  constructor(take: (text: string, id: string) => void) {
    this.#take = take;
  }

  push(part: string): void {
    const whole = (this.#left + part).split('\n\n');
    this.#left = whole.pop() ?? '';
    for (const event of whole) {
      const fields = new Map(event.split('\n').map(fieldOf));
      const data = fields.get('data');
      if (data === undefined) continue;
      const type = JSON.stringify(fields.get('event') ?? 'message');
      // The name of the event is the member `type` of the messages of a WebSocket.
      this.#take(data.replace('{', `{"type":${type},`), fields.get('id') ?? '');
    }
  }
}

function fieldOf(line: string): [string, string] {
  const at = line.indexOf(':');
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
}

export class StreamClient {
  connections = 0;
  /** Attempts that failed: the process was gone, or refused. */
  refused = 0;
  /** Messages that refuse the subscription or say that an answer is missing for now, by code. */
  readonly errors = new Map<string, number>();
  readonly #plan: Plan;
  readonly #connect: Connect;
  #last = '';
  #wait = 0;
  #isOver = false;
  #open: Connection | null = null;

  constructor(plan: Plan, transport: 'socket' | 'events') {
    this.#plan = plan;
    this.#connect = transport === 'socket' ? overSocket : overEvents;
    void this.#run();
  }

  end(): void {
    this.#isOver = true;
    this.#open?.end();
  }

  /** Reads nothing for a time, ms. */
  async stall(ms: number): Promise<void> {
    const open = this.#open;
    open?.pause();
    await rest(ms, undefined, { ref: false });
    open?.resume();
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const port = this.#plan.balancer.next();
      if (port !== null) await this.#follow(port);
      const wait = this.#wait + 50 + Math.random() * 200;
      this.#wait = 0;
      await rest(wait, undefined, { ref: false });
    }
  }

  async #follow(port: number): Promise<void> {
    this.#plan.onConnected();
    const hold = (open: Connection) => {
      this.#open = open;
      this.connections++;
      if (this.#isOver) open.end();
    };
    const take = (text: string, id: string) => this.#take(JSON.parse(text), id);
    try {
      await this.#connect(port, this.#plan, { last: this.#last, take, hold });
    } catch {
      this.refused++;
      this.#plan.balancer.lost(port);
    }
  }

  #take(message: StreamMessage, id: string): void {
    const { type, code = '', position = '', wait = 0 } = message;
    if (id !== '') this.#last = id;
    else if (position !== '') this.#last = position;
    if (type === 'reconnect') this.#wait = Math.min(wait, 2_000);
    else if (type === 'error') this.errors.set(code, (this.errors.get(code) ?? 0) + 1);
    else this.#plan.onMessage(message);
  }
}

/** A client that follows and reads nothing at all. */
export async function connectDead({ balancer, key, path }: Omit<Plan, 'mode' | `on${string}`>) {
  const headers = { 'x-api-key': key };
  const dead = await RawClient.open(balancer.next() ?? 0, { headers }).catch(() => null);
  dead?.say({ op: 'subscribe', id: 1, path });
  dead?.pause();
}
