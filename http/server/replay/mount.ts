/**
 * Recordings in the shapes of tardis-machine (https://docs.tardis.dev/api/tardis-machine): GET /replay and /replay-normalized,
 * WebSockets /ws-replay, /ws-replay-normalized and /ws-stream-normalized. They take keys as all rows; each MiB counts as a request.
 */
import type { TemplatedApp } from 'uWebSockets.js';
import type { ReplaySource, Texts } from '../../answers/replay.ts';
import { type ApiError, apiError } from '../../wire/errors.ts';
import { wellFramed } from '../framing.ts';
import type { Shared } from '../handling.ts';
import { Download } from './download.ts';
import { Feed } from './feed.ts';

/** Time in which a client of /ws-replay subscribes, ms. */
const subscribing = 2_000;

const optionsIn = (query: string): unknown => {
  const text = new URLSearchParams(query).get('options');
  if (text === null) throw new Error('options must be given: URL-encoded JSON');
  return JSON.parse(text);
};

/** The texts, or the error of their options. */
function opened(make: () => Texts): Texts | ApiError {
  try {
    return make();
  } catch (error) {
    return apiError('bad_parameter', error instanceof Error ? error.message : 'bad options');
  }
}

/** Serves what was recorded. */
export function mountReplay(app: TemplatedApp, shared: Shared, source: ReplaySource): void {
  const gets = {
    '/replay': (options: unknown) => source.lines(options),
    '/replay-normalized': (options: unknown) => source.normalised(options),
  };
  for (const [path, open] of Object.entries(gets)) {
    const { serve } = new Download(shared, (query) => opened(() => open(optionsIn(query))));
    app.get(path, wellFramed(shared, 'GET', serve));
  }
  const native = (query: string, said: readonly string[]) =>
    opened(() => source.native(Object.fromEntries(new URLSearchParams(query)), said));
  new Feed(shared, { listens: subscribing, open: native }).mount(app, '/ws-replay');
  const normalised = (query: string) => opened(() => source.normalised(optionsIn(query)));
  new Feed(shared, { listens: 0, open: normalised }).mount(app, '/ws-replay-normalized');
  const live = (query: string, _said: readonly string[], signal: AbortSignal) =>
    opened(() => source.live(optionsIn(query), signal));
  new Feed(shared, { listens: 0, open: live }).mount(app, '/ws-stream-normalized');
}
