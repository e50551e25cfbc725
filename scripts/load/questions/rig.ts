import { Stage } from '../../bench/stage.ts';

/** A service of its own with simulated exchanges that enforce their limits. */
export interface Rig {
  /** Of the service. */
  url: string;
  stop(): Promise<void>;
  /** Requests of the exchanges so far, and those over a limit (429, 418, or the exchange's own form), by host and path. */
  upstream(): Promise<{ requests: Counts; refused: Counts }>;
}

export type Counts = Readonly<Record<string, number>>;

/** The exchanges that the questions ask. */
const sources = 'binance,okx,bybit,htx,hyperliquid,kraken,gate,bitget,bitfinex,kucoin,dydx,deribit';

/** Longest time until the service is ready, and time that its lists are then given to fill, ms. */
const patience = 120_000;
const settling = 20_000;

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

async function counts(url: string): Promise<Counts> {
  return JSON.parse(await (await fetch(url)).text());
}

async function ready(url: string): Promise<void> {
  for (const end = performance.now() + patience; performance.now() < end; await wait(500)) {
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.ok) return;
  }
  throw new Error('the service is not ready');
}

/** Starts the simulator with limits, one feed process and `workers` web workers, open to all clients. */
export async function startRig(workers: number, symbols: number): Promise<Rig> {
  const stage = new Stage();
  try {
    const [port, upstream] = [await stage.port(), await stage.port()];
    const gateway = `http://127.0.0.1:${upstream}`;
    const simulated = ['--port', String(upstream), '--symbols', String(symbols), '--limits'];
    stage.run('scripts/simulator/main.ts', simulated);
    const env = {
      ...{ REDIS_URL: stage.redisUrl, UPSTREAM_GATEWAY: gateway, SOURCES: sources },
      ...{ PORT: String(port), WEB_CONCURRENCY: String(workers), DATA_DIR: stage.folder },
      ...{ AUTH_MODE: 'open', TRUSTED_PROXIES: '127.0.0.1' },
    };
    const url = `http://127.0.0.1:${port}`;
    stage.run('cmd/feed.ts', [], env);
    stage.run('cmd/web.ts', [], env);
    await ready(url);
    await wait(settling);
    return {
      url,
      stop: () => stage.end(),
      async upstream() {
        const [requests, refused] = await Promise.all(
          ['requests', 'refused'].map((name) => counts(`${gateway}/_control/${name}`)),
        );
        return { requests: requests ?? {}, refused: refused ?? {} };
      },
    };
  } catch (error) {
    await stage.end();
    throw error;
  }
}
