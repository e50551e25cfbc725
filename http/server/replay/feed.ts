/** A recording over WebSocket. */
import type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket_context_t,
  WebSocket,
} from 'uWebSockets.js';
import { sleep } from '../../../actors/kernel/clock.ts';
import type { Texts } from '../../answers/replay.ts';
import type { Caller } from '../../auth/caller.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import type { Shared } from '../handling.ts';
import { Sender } from '../sender.ts';
import { closeCodes, keyFault } from '../streams/close-codes.ts';
import { type Opener, openerOf, refuseOpening, upgrade } from '../streams/upgrade.ts';
import { enterReplay, most, type Reader, send } from './send.ts';

interface SocketData extends Opener {
  query: string;
  /** What the client has sent. */
  said: string[];
  leave(): void;
  gone: AbortController;
  drained(): void;
}

type Socket = WebSocket<SocketData>;

interface FeedOptions {
  /** How long the client is listened to before anything is sent, ms. */
  listens: number;
  open(query: string, said: readonly string[], signal: AbortSignal): Texts | ApiError;
}

/** Serves one path over WebSocket. */
export class Feed {
  readonly #shared: Shared;
  readonly #options: FeedOptions;
  readonly #sender: Sender;

  constructor(shared: Shared, options: FeedOptions) {
    this.#shared = shared;
    this.#options = options;
    const slot = shared.counters.replay;
    this.#sender = new Sender(shared, { slot, method: 'GET', access: 'key' });
  }

  mount(app: TemplatedApp, path: string): void {
    app.ws<SocketData>(path, {
      maxPayloadLength: 16 * 1024,
      maxBackpressure: 16 * most.waiting,
      idleTimeout: 60,
      upgrade: (...asked) => this.#upgrade(...asked),
      open: (socket) => void this.#serve(socket),
      message(socket, bytes) {
        const { said } = socket.getUserData();
        if (said.length < 1_000) said.push(Buffer.from(bytes).toString());
      },
      drain: (socket) => socket.getUserData().drained(),
      close(socket) {
        const data = socket.getUserData();
        data.gone.abort();
        data.drained();
        data.leave();
      },
    });
  }

  #upgrade(res: HttpResponse, req: HttpRequest, context: us_socket_context_t): void {
    const shared = this.#shared;
    const opening = { shared, sender: this.#sender, res, req };
    const opener = openerOf(opening, true);
    if (opener === null) return;
    const leave = enterReplay(shared, opener.address);
    if (isApiError(leave)) {
      refuseOpening(opening, opener, leave);
      return;
    }
    const data: SocketData = {
      ...opener,
      query: req.getQuery() ?? '',
      said: [],
      leave,
      gone: new AbortController(),
      drained: () => {},
    };
    upgrade(opening, context, { data });
  }

  /** Never rejects. */
  async #serve(socket: Socket): Promise<void> {
    const { clock, log, counters, waiting } = this.#shared;
    const { query, identity, checking, said, gone } = socket.getUserData();
    const end = (code: number, reason: string) => {
      if (!gone.signal.aborted) socket.end(code, reason.slice(0, 120));
    };
    const stop = () => end(...closeCodes.restart);
    waiting.add(stop);
    try {
      const known = (await checking) ?? identity;
      if (isApiError(known)) return end(...keyFault(known));
      if (this.#options.listens > 0) await sleep(clock, this.#options.listens, gone.signal);
      const texts = this.#options.open(query, said, gone.signal);
      if (isApiError(texts)) return end(1011, texts.message);
      const valid = this.#whileValid(texts, known.key, () => end(...closeCodes.unauthorized));
      const isWhole = await send(clock, valid, this.#reader(socket, known.caller));
      if (isWhole) end(1000, 'all has been sent');
      else end(1008, 'the client reads too slowly');
    } catch (error) {
      counters.threw(counters.replay);
      log.error({ route: 'GET /ws-replay', err: error }, 'handler threw');
      end(1011, 'internal error');
    } finally {
      waiting.delete(stop);
    }
  }

  /** The texts until the key is not valid any more. */
  async *#whileValid(texts: Texts, key: string, end: () => void): Texts {
    const { gate } = this.#shared.guard;
    for await (const some of texts) {
      if (key !== '' && !(await gate?.holds(key))) return end();
      yield some;
    }
  }

  #reader(socket: Socket, caller: Caller | null): Reader {
    const { guard } = this.#shared;
    const data = socket.getUserData();
    const { signal } = data.gone;
    return {
      signal,
      write(text) {
        socket.send(text);
        return socket.getBufferedAmount() <= most.waiting;
      },
      drained: () =>
        new Promise((resolve) => {
          data.drained = resolve;
        }),
      async count() {
        if (guard.quota === undefined || caller === null) return true;
        return guard.quota.account(caller).take(caller.key ?? '');
      },
    };
  }
}
