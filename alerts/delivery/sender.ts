/** Sends one delivery over HTTP. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, request } from 'undici';
import type { Clock } from '../../actors/kernel/clock.ts';
import { httpTarget } from '../../actors/upstream/gateway.ts';
import { checkUrl } from '../rules/addresses.ts';
import type { Queued } from '../store/queued.ts';
import { migratedTo, requestOf, type Verdict, verdictOf } from './messages.ts';
import { Blocked, pinnedLookup } from './pinned-lookup.ts';

/** How long a delivery may take, ms, and how much of an answer is read, bytes. */
export const limits = { deadline: 10_000, answer: 64 * 1_024 } as const;

/** What came of an attempt. */
export interface Attempt extends Verdict {
  /** HTTP status; null without an answer. */
  status: number | null;
  tookMs: number;
}

export interface SenderOptions {
  clock: Clock;
  /** Hosts of one's own network that alerts may be sent to. */
  allowed: ReadonlySet<string>;
  /** That of the upstreams; null where they are asked directly. */
  gateway: string | null;
  /** What signs the webhooks of an account. Rejects when Redis is away. */
  secrets(account: string): Promise<readonly string[]>;
  /** How long a delivery may take, ms; that of `limits` when absent. */
  deadline?: number;
  /** Called when a message has gone to the chat that a group has become. */
  onMoved?(queued: Queued, chatId: string): void;
  /** Resolves names; that of the system when absent. */
  resolve?: typeof lookup;
}

/** Connections are not kept: each delivery is looked at anew. */
const agentOf = (lookup?: LookupFunction): Agent =>
  new Agent({
    connect: { timeout: limits.deadline, ...(lookup && { lookup }) },
    pipelining: 0,
    maxHeaderSize: 16_384,
  });

/** The first bytes of an answer as text. */
async function textOf({ body }: Pick<Dispatcher.ResponseData, 'body'>): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    if (length >= limits.answer) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, limits.answer);
}

const isBlocked = (error: unknown): boolean =>
  error instanceof Blocked || (error instanceof Error && error.cause instanceof Blocked);

/** A fault in words that hold no part of a URL. */
function faultOf(error: unknown): string {
  if (isBlocked(error)) return 'its address is not on the internet';
  if (!(error instanceof Error)) return 'it could not be sent';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  const code = 'code' in error ? String(error.code) : error.name;
  return `it could not be sent (${code})`;
}

export class Sender {
  readonly #options: SenderOptions;
  readonly #agents: { guarded: Agent; plain: Agent };

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#agents = { guarded: agentOf(pinnedLookup(options.resolve ?? lookup)), plain: agentOf() };
  }

  /** Never rejects. A chat that has become another one is followed there, once. */
  async send(queued: Queued): Promise<Attempt> {
    const { receiver } = queued;
    const first = await this.#attempt(queued);
    if (first.movedTo === null || receiver.type !== 'telegram') return first;
    const moved = { ...receiver, chat_id: first.movedTo };
    const second = await this.#attempt({ ...queued, receiver: moved });
    if (second.outcome === 'delivered') this.#options.onMoved?.(queued, first.movedTo);
    return { ...second, tookMs: first.tookMs + second.tookMs };
  }

  async #attempt({ event, receiver }: Queued): Promise<Attempt & { movedTo: string | null }> {
    const { clock, secrets, deadline = limits.deadline } = this.#options;
    const began = clock.monotonic();
    const failed = (error: string, outcome: 'failed' | 'refused' = 'failed') => ({
      ...{ outcome, error, retryAfter: null, status: null, movedTo: null },
      tookMs: clock.monotonic() - began,
    });
    try {
      const keys = receiver.type === 'webhook' ? await secrets(event.account) : [];
      if (receiver.type === 'webhook' && keys.length === 0)
        return failed('the account has no secret');
      const asked = requestOf(receiver, event, { secrets: keys, now: clock.now() });
      const place = this.#placeOf(asked.url, asked.isKnownHost);
      if (typeof place === 'string') return failed(place, 'refused');
      const { url, dispatcher } = place;
      const answer = await request(url, {
        ...{ dispatcher, method: 'POST', headers: asked.headers, body: asked.body, reset: true },
        signal: AbortSignal.timeout(deadline),
      });
      const { statusCode: status, headers } = answer;
      const body = await textOf(answer);
      const verdict = verdictOf(receiver, { status, headers, body }, clock.now());
      const movedTo = verdict.outcome === 'refused' ? migratedTo(receiver, body) : null;
      return { ...verdict, status, movedTo, tookMs: clock.monotonic() - began };
    } catch (error) {
      return failed(faultOf(error), isBlocked(error) ? 'refused' : 'failed');
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#agents.guarded.destroy(), this.#agents.plain.destroy()]);
  }

  /** Where a request goes; the fault where it may not. */
  #placeOf(text: string, isKnownHost: boolean): { url: string; dispatcher: Agent } | string {
    const { allowed, gateway } = this.#options;
    if (isKnownHost && gateway !== null) {
      const { origin, pathname, search } = new URL(text);
      const target = httpTarget(origin, gateway);
      return {
        url: target.origin + target.prefix + pathname + search,
        dispatcher: this.#agents.plain,
      };
    }
    const checked = checkUrl(text, allowed);
    if (typeof checked === 'string') return checked;
    const dispatcher = checked.isAllowed ? this.#agents.plain : this.#agents.guarded;
    return { url: checked.url.href, dispatcher };
  }
}
