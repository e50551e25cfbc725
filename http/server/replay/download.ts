/** A recording over HTTP. */
import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import type { Texts } from '../../answers/replay.ts';
import { type ApiError, isApiError } from '../../wire/errors.ts';
import { firstHeader, type Head } from '../../wire/head.ts';
import type { Admission } from '../admission.ts';
import { AdmissionCheck, clientOf } from '../admission-check.ts';
import { headOf, pending, type Shared } from '../handling.ts';
import { Sender } from '../sender.ts';
import { enterReplay, type Reader, send } from './send.ts';

/** Serves one path over HTTP. */
export class Download {
  readonly #shared: Shared;
  readonly #open: (query: string) => Texts | ApiError;
  readonly #access: AdmissionCheck;
  readonly #sender: Sender;

  constructor(shared: Shared, open: (query: string) => Texts | ApiError) {
    this.#shared = shared;
    this.#open = open;
    this.#access = new AdmissionCheck(shared.guard, { method: 'GET', access: 'key' });
    const slot = shared.counters.replay;
    this.#sender = new Sender(shared, { slot, method: 'GET', access: 'key' });
  }

  readonly serve = (res: HttpResponse, req: HttpRequest): void => {
    const shared = this.#shared;
    const { guard, counters } = shared;
    const head = headOf(shared, req);
    const client = clientOf(guard, res, req);
    const query = req.getQuery() ?? '';
    const deciding = this.#access.admit(res, req, counters.began);
    const { signal, answer } = pending(shared, res, counters.replay);
    const work = async () => {
      const admission = await deciding;
      const leave = enterReplay(shared, client);
      const texts = admission.refusal ?? (isApiError(leave) ? leave : this.#open(query));
      if (isApiError(texts))
        answer(() => this.#sender.error(res, { head, admission, notes: '' }, texts));
      else {
        answer(() => this.#begin(res, head, admission));
        if (!signal.aborted) await this.#send(res, texts, { admission, signal });
      }
      if (!isApiError(leave)) leave();
    };
    void work();
  };

  #begin(res: HttpResponse, head: Head, admission: Admission): void {
    const { counters } = this.#shared;
    res.writeHeader(firstHeader, head.page + admission.lines());
    res.writeHeader('content-type', 'application/x-json-stream');
    res.writeHeader('cache-control', 'no-store');
    counters.answered(counters.replay, 200, 0);
  }

  /** Never rejects. Where the end is missing the client sees it: the connection is cut. */
  async #send(
    res: HttpResponse,
    texts: Texts,
    { admission, signal }: { admission: Admission; signal: AbortSignal },
  ): Promise<void> {
    const { counters, log, waiting } = this.#shared;
    const stop = new AbortController();
    const end = () => stop.abort();
    waiting.add(end);
    let drained = () => {};
    signal.addEventListener('abort', () => drained());
    res.onWritable(() => {
      drained();
      return true;
    });
    const reader: Reader = {
      signal: AbortSignal.any([signal, stop.signal]),
      write(text) {
        let isTaken = false;
        res.cork(() => {
          isTaken = res.write(`${text}\n`);
        });
        return isTaken;
      },
      drained: () =>
        new Promise((resolve) => {
          drained = resolve;
        }),
      count: async () => (await admission.more(1)) === null,
    };
    const isWhole = await send(this.#shared.clock, texts, reader).catch((error: unknown) => {
      counters.threw(counters.replay);
      log.error({ route: 'GET /replay', err: error }, 'handler threw');
      return false;
    });
    waiting.delete(end);
    if (signal.aborted) return;
    if (isWhole) res.cork(() => res.end());
    else res.close();
  }
}
