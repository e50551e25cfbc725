/** An upstream with one stream of liquidations, in the form of Binance's: it sends numbered events and knows who got them. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { acceptUpgrade, type Connection } from '../../scripts/simulator/websocket.ts';

/** Where the gateway of the service finds the instrument list and the stream. */
const list = '/fapi.binance.com/fapi/v1/exchangeInfo';
const stream = '/fstream.binance.com/market/ws';

/** The perpetuals of these are its markets. */
export const bases = ['BTC', 'ETH', 'SOL', 'XRP', 'DOGE', 'BNB', 'ADA', 'LINK'] as const;
const symbols = bases.map((base) => ({
  symbol: `${base}USDT`,
  status: 'TRADING',
  contractType: 'PERPETUAL',
  baseAsset: base,
  quoteAsset: 'USDT',
}));

/** The quantity of an event, by which it is known again. */
const quantityOf = (number: number): string => (number / 1_000).toFixed(3);
/** The number of an event with this quantity. */
export const numberOf = (quantity: number): number => Math.round(quantity * 1_000);

function eventOf(number: number, now: number): string {
  const o = {
    s: `${bases[number % bases.length]}USDT`,
    S: number % 2 === 0 ? 'SELL' : 'BUY',
    o: 'LIMIT',
    f: 'IOC',
    q: quantityOf(number),
    p: '100.5',
    ap: '100.25',
    X: 'FILLED',
    l: quantityOf(number),
    z: quantityOf(number),
    T: now,
  };
  return JSON.stringify({ e: 'forceOrder', E: now, o });
}

export class EventUpstream {
  /** By the number of an event: when it was sent, Unix ms, and to how many connections. */
  readonly sent: { at: number; listeners: number }[] = [{ at: 0, listeners: 0 }];
  readonly #server: Server;
  readonly #open = new Set<Connection>();

  constructor() {
    this.#server = createServer((request, response) => {
      const isList = request.url?.startsWith(list);
      response.writeHead(isList ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(isList ? { symbols } : {}));
    });
    this.#server.on('upgrade', (request, socket) => {
      if (!request.url?.startsWith(stream)) return void socket.destroy();
      const connection: Connection | null = acceptUpgrade(request, socket, {
        text: (message) => this.#answer(message, connection),
        closed: () => {
          if (connection) this.#open.delete(connection);
        },
      });
    });
  }

  /** Its base URL. */
  async listen(): Promise<string> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    const address = this.#server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** Connections that have subscribed. */
  get listeners(): number {
    return this.#open.size;
  }

  /** Sends the next event to all that listen; its number. */
  send(): number {
    const at = Date.now();
    const number = this.sent.length;
    const text = eventOf(number, at);
    for (const connection of this.#open) connection.send(text);
    this.sent.push({ at, listeners: this.#open.size });
    return number;
  }

  /** Ends every connection, after what was sent. */
  disconnect(): void {
    for (const connection of this.#open) connection.close();
    this.#open.clear();
  }

  close(): void {
    this.disconnect();
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(message: string, connection: Connection | null): void {
    if (!connection) return;
    const isSubscription = message.includes('SUBSCRIBE') && message.includes('forceOrder');
    connection.send(`{"result":${isSubscription ? 'null' : '[]'},"id":1}`);
    if (isSubscription) this.#open.add(connection);
  }
}
