/** The server side of a WebSocket: text frames of at most 1 MiB; a client that does not read is cut off at 4 MiB. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';

const most = 1024 * 1024;
/** Bytes that are kept back until the end of a turn of the event loop. */
const gathered = 64 * 1024;
const server = new WebSocketServer({ noServer: true, maxPayload: most, perMessageDeflate: false });

export interface ConnectionHandlers {
  text(message: string, connection: Connection): void;
  closed?(): void;
}

/** One open WebSocket. */
export class Connection {
  readonly #client: WebSocket;
  readonly #socket: Duplex;

  constructor(client: WebSocket, socket: Duplex) {
    this.#client = client;
    this.#socket = socket;
  }

  /**
   * Sends a text, or bytes. The frames of one turn of the event loop are handed to the system together: each hand-over costs more
   * than a frame.
   */
  send(message: string | Buffer): void {
    const socket = this.#socket;
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    this.#client.send(message);
    if (socket.writableLength > gathered) socket.uncork();
    if (socket.writableLength > 4 * most) socket.destroy();
  }

  close(code = 1000): void {
    this.#client.close(code);
  }
}

/** Answers an upgrade request, or refuses it with 400 and returns null. */
export function acceptUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  handlers: ConnectionHandlers,
): Connection | null {
  const made: { connection: Connection | null } = { connection: null };
  server.handleUpgrade(request, socket, Buffer.alloc(0), (client) => {
    const connection = new Connection(client, socket);
    made.connection = connection;
    client.on('message', (data, isBinary) => {
      if (isBinary) connection.close(1003);
      else handlers.text(String(data), connection);
    });
    client.on('error', () => socket.destroy());
    client.on('close', () => handlers.closed?.());
  });
  return made.connection;
}
