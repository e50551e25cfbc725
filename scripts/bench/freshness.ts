/** From the frame of an exchange to the first client that can read what was in it, beside a client of the exchange itself. */
import { once } from 'node:events';
import { timed, type Ways, waysOfAnswers, waysOfExchange, waysOfStream } from './live-way.ts';
import { printTable } from './report.ts';
import { answered, onStage, webWorker } from './stage.ts';

/** Frames a second of so many assets, and how long each way is measured, seconds. */
const upstream = { rate: 100, symbols: 12, seconds: 25 };

/** Prints the ways with the interval of publication at 0, and their ratios to the reference. */
export const benchFreshness = (): Promise<void> =>
  onStage(async (stage) => {
    const { url: redis } = await stage.redis();
    const [gatewayPort, port] = [await stage.port(), await stage.port()];
    const gateway = `http://127.0.0.1:${gatewayPort}`;
    const args = [gatewayPort, upstream.rate, upstream.symbols].map(String);
    await once(stage.run('scripts/bench/live-upstream.ts', args), 'message');
    const env = {
      ...{ REDIS_URL: redis, UPSTREAM_GATEWAY: gateway, SOURCES: timed, PORT: `${port}` },
      ...{ AUTH_MODE: 'open', LIVE_PUBLISH: '0', LIVE_INTERVAL: '0' },
    };
    stage.run('cmd/feed.ts', [], env);
    stage.run(webWorker, [], env);
    const url = `http://127.0.0.1:${port}`;
    await (await answered(`${url}/v1/prices?symbol=BTC`)).body?.cancel();
    const { seconds } = upstream;
    // Until all are subscribed to.
    await waysOfAnswers(url, seconds / 5);
    const exchange = await waysOfExchange(gateway, seconds);
    const row = (name: string, ways: Ways) => [
      ...[name, ways.at(0.5), ways.at(0.99)],
      ...[ways.at(0.5) / exchange.at(0.5), `${ways.ms.length}`],
    ];
    printTable('From the frame to the client with the interval at 0, ms (goal: p99 15)', [
      ['', 'p50', 'p99', 'p50 to the reference', 'samples'],
      row('a client of the exchange itself, the reference', exchange),
      row('GET /v1/prices, asked every 2 ms', await waysOfAnswers(url, seconds)),
      row('Server-Sent Events', await waysOfStream(url, seconds)),
    ]);
  });
