/**
 * What people read, on the processes of a service with a part of the exchanges and few symbols: the pages in a real browser,
 * the lines of the documentation, and the READMEs of the clients.
 */
import t, { type Test } from 'tap';
import { jobNames, onDemand } from '../../actors/registry.ts';
import { tryReadme } from '../support/client-readme.ts';
import { runDocumentedLines } from '../support/documented-lines.ts';
import { seePages } from '../support/pages.ts';
import { tryPythonReadme } from '../support/python-client.ts';
import { startService } from '../support/service.ts';
import { simulatorProcess } from '../support/simulator-process.ts';
import { until } from '../support/until.ts';

/** What the pages show and the documentation asks for by name: the first rates, liquidations, options and books. */
const exchanges = [
  'binance',
  'bitfinex',
  'bybit',
  'coinbase',
  'deribit',
  'hyperliquid',
  'kraken',
  'okx',
];

// Two hundred looks in a browser: minutes on a slow machine.
t.setTimeout(1_200_000);

t.test('the pages and the documentation', { timeout: 1_200_000 }, async (t) => {
  // Half of the coins of the demo, and enough for the altcoin season.
  const { url: gateway } = await simulatorProcess(t, { symbols: 100 });
  const service = await startService(t, {
    env: {
      WEB_CONCURRENCY: '1',
      SOURCES: [...exchanges, ...jobNames.keys(), ...onDemand].join(),
      UPSTREAM_GATEWAY: gateway,
      SIMULATED_DATA: '1',
    },
  });
  const isReady = async () => (await service.get('/readyz')).status === 200;
  await until(isReady, 'it is ready', 90_000, 500);
  const documented = async (t: Test) => {
    t.jobs = 2;
    await Promise.all([
      t.test('the Python client', { buffered: true }, (t) => tryPythonReadme(t, service)),
      t.test('the TypeScript client', { buffered: true }, (t) => tryReadme(t, service)),
      t.test('the lines', { buffered: true }, (t) => runDocumentedLines(t, service)),
    ]);
  };
  await seePages(t, service, documented);
});
