/** What the tests of keys and identities share: a provider with a real key set server, and processes on one Redis. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { exportJWK, type GenerateKeyPairResult, generateKeyPair, SignJWT } from 'jose';
import type { Test } from 'tap';
import { createBus } from '../../../actors/bus/bus.ts';
import type { AccountChange } from '../../../actors/topics/index.ts';
import { defaultPlans, type Plans } from '../../../config/plans.ts';
import type { Caller } from '../../../http/auth/caller.ts';
import { type Auth, createAuth } from '../../../http/auth/gate.ts';
import type { IdentityProvider } from '../../../http/auth/identity.ts';
import type { AuthLog } from '../../../http/auth/log.ts';
import { isApiError } from '../../../http/wire/errors.ts';
import { FakeClock } from '../../support/clock.ts';
import type { TestRedis } from '../../support/redis.ts';

export const issuer = 'https://id.example/';
export const audience = 'tidemark-test';

/** A key pair whose public half a provider can publish. */
export interface SigningKey {
  kid: string;
  alg: string;
  publicKey: GenerateKeyPairResult['publicKey'];
  privateKey: GenerateKeyPairResult['privateKey'];
  jwk: Record<string, unknown>;
}

export async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, alg, publicKey, privateKey, jwk };
}

/** A token that is right in everything but what `changes` says. Times are relative to `now`, Unix ms. */
export function sign(
  key: SigningKey,
  now: number,
  changes: Readonly<Record<string, unknown>> & { kid?: string } = {},
): Promise<string> {
  const seconds = Math.floor(now / 1000);
  const { kid = key.kid, ...claims } = changes;
  const payload = {
    sub: 'alice',
    iss: issuer,
    aud: audience,
    iat: seconds,
    exp: seconds + 3_600,
    ...claims,
  };
  const given = Object.entries(payload).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(given))
    .setProtectedHeader({ alg: key.alg, kid })
    .sign(key.privateKey);
}

/** A key set server on loopback. */
export interface Provider extends IdentityProvider {
  /** What it publishes. */
  keys: SigningKey[];
  /** Answers this instead of its keys, with this status. */
  broken: { status: number; body: string } | null;
  /** Takes requests and says nothing. */
  hanging: boolean;
  /** Requests so far. */
  readonly asked: number;
  down(): Promise<void>;
  up(): Promise<void>;
}

export async function startProvider(t: Test, keys: SigningKey[]): Promise<Provider> {
  let asked = 0;
  let server: Server;
  const listen = (port: number) =>
    new Promise<number>((resolve) => {
      server = createServer((_request, response) => {
        asked += 1;
        if (provider.hanging) return;
        const body = JSON.stringify({ keys: provider.keys.map(({ jwk }) => jwk) });
        response.writeHead(provider.broken?.status ?? 200).end(provider.broken?.body ?? body);
      });
      server.listen(port, '127.0.0.1', () => {
        resolve((server.address() as AddressInfo).port);
      });
    });
  const port = await listen(0);
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const provider: Provider = {
    keys,
    broken: null,
    hanging: false,
    jwksUrl: `http://127.0.0.1:${port}/jwks.json`,
    issuer,
    audience,
    get asked() {
      return asked;
    },
    down,
    up: async () => void (await listen(port)),
  };
  t.teardown(down);
  return provider;
}

/** Everything that was logged, as text. */
export class LogBook {
  text = '';
  readonly log: AuthLog = {
    debug: (fields, message) => this.#note(fields, message),
    info: (fields, message) => this.#note(fields, message),
    warn: (fields, message) => this.#note(fields, message),
    error: (fields, message) => this.#note(fields, message),
  };

  #note(fields: object, message: string): void {
    this.text += `${message} ${inspect(fields, { depth: 9 })}\n`;
  }
}

export interface Member {
  auth: Auth;
  clock: FakeClock;
  book: LogBook;
  /** Changes that came by the stream. */
  heard: AccountChange[];
  /** Resolves when it follows the stream. */
  following: Promise<void>;
}

/** One process of the service. `deaf` ones do not follow the stream. */
export function join(
  t: Test,
  redis: Pick<TestRedis, 'url'>,
  options: { provider?: IdentityProvider; plans?: Plans; deaf?: true; clock?: FakeClock } = {},
): Member {
  const { provider = null, plans = defaultPlans, clock = new FakeClock(Date.now()) } = options;
  const book = new LogBook();
  const id = `p-${Math.random()}`;
  const bus = createBus({ url: redis.url, process: id, random: () => 0.01 });
  const auth = createAuth({
    redisUrl: redis.url,
    process: id,
    provider,
    plans,
    publish: bus.publish,
    clock,
    log: book.log,
  });
  const heard: AccountChange[] = [];
  const follower = options.deaf
    ? null
    : bus.follow({
        accounts(_key, change) {
          heard.push(change);
          auth.changed(change);
        },
      });
  t.teardown(async () => {
    await auth.stop();
    await bus.close();
  });
  return { auth, clock, book, heard, following: follower?.ready ?? Promise.resolve() };
}

/** A plain client to look behind the scenes. */
export function rawClient(t: Test, redis: TestRedis): Redis {
  const raw = new Redis(redis.url.replace('unix://', ''), { retryStrategy: () => 20 });
  raw.on('error', () => {});
  t.teardown(() => raw.disconnect());
  return raw;
}

export const caller = (account: string, plan: Caller['plan'] = 'free'): Caller => ({
  account,
  plan,
  key: null,
});

/** The value, or a failed test with the error's message. */
export function granted<T extends object>(value: T): Exclude<T, { error: unknown }> {
  if (isApiError(value)) throw new Error(`refused: ${value.message}`);
  return value as Exclude<T, { error: unknown }>;
}

/** The full text of a new key. */
export async function newKey(auth: Auth, who: Caller, name = 'test'): Promise<string> {
  const { key } = granted(await auth.keys.create(who, name, ''));
  if (key === null) throw new Error('no key in the answer');
  return key;
}
