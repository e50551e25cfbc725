/** Everything in one command: redis-server, feed and web processes, and with `--demo` the simulator. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { childEnv } from '../config/config.ts';
import type { Logger } from '../config/log.ts';
import { issueKey } from '../http/auth/issue.ts';
import { developmentIssuer } from './issuer.ts';
import { type Kept, keep } from './keep.ts';
import { freePort } from './port.ts';
import { needRedis, type ProcessContext, runProcess, StartError } from './process.ts';
import { startRedis } from './redis.ts';

const demo = process.argv.includes('--demo');

/** Keeps a script of ours running as a child. It ends by itself when this process dies. */
function child(script: string, args: string[], env: Record<string, string>, log: Logger): Kept {
  const path = join(import.meta.dirname, '..', script);
  const spawn = () =>
    fork(path, args, {
      env: childEnv(env),
      detached: true,
      stdio: ['ignore', 2, 2, 'ipc'],
    });
  return keep(script, spawn, log);
}

/** Resolves when the service answers that it is warm, or after `patience` ms. */
async function warm(url: string, patience: number): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end; ) {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) }).catch(
      () => null,
    );
    await answer?.body?.cancel();
    if (answer?.ok) return true;
    await new Promise((wait) => setTimeout(wait, 100));
  }
  return false;
}

/** A key for whoever runs this, without the limits of the free plan. */
const firstKey = (redisUrl: string, log: Logger): Promise<string> =>
  issueKey({ redisUrl, account: 'local', plan: 'pro', name: 'npm start', log });

async function greet(url: string, key: string | null): Promise<void> {
  const ready = await warm(url, 30_000);
  const header = key === null ? '' : `-H 'x-api-key: ${key}' `;
  console.log(`
Tidemark ${demo ? '(demo: simulated upstreams) ' : ''}on ${url}${ready ? '' : '\n  not every source has answered yet: see /v1/status'}

  curl ${header}'${url}/v1/prices?symbol=BTC'
  curl '${url}/v1/status'
  Reference: ${url}/docs
  Stop with ctrl-C.
`);
}

async function local({ config, log }: ProcessContext): Promise<() => Promise<void>> {
  const started: Kept[] = [];
  const stop = async () => {
    for (const kept of started.reverse()) await kept.stop();
  };
  try {
    const port = await freePort(config.host, config.port);
    const env: Record<string, string> = { PORT: String(port) };
    if (config.redisUrl === null) {
      const redis = await startRedis(config.dataDir, log);
      started.push(redis.kept);
      env.REDIS_URL = redis.url;
    }
    if (demo) {
      const simulator = await freePort('127.0.0.1', 0);
      const args = ['--port', String(simulator)];
      started.push(child('scripts/simulator/main.ts', args, {}, log));
      env.UPSTREAM_GATEWAY = `http://127.0.0.1:${simulator}`;
    }
    if (config.authMode === 'keys' && config.authJwksUrl === null) {
      const { provider } = await developmentIssuer(config.dataDir, config.nodeEnv);
      env.AUTH_JWKS_URL = provider.jwksUrl;
      env.AUTH_ISSUER = provider.issuer;
      env.AUTH_AUDIENCE = provider.audience;
    }
    for (const script of ['cmd/feed.ts', 'cmd/compute.ts', 'cmd/web.ts']) {
      started.push(child(script, [], env, log));
    }
    const redisUrl = env.REDIS_URL ?? needRedis(config);
    const key = config.authMode === 'keys' ? await firstKey(redisUrl, log) : null;
    const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host;
    void greet(`http://${host}:${port}`, key);
    return stop;
  } catch (error) {
    await stop();
    throw error instanceof Error ? error : new StartError(String(error));
  }
}

await runProcess('local', local);
