/** The pages in a real browser, on the processes of a service with a part of the exchanges. */
import t from 'tap';
import { jobNames, onDemand } from '../../actors/registry.ts';
import { startSimulator } from '../../scripts/simulator/main.ts';
import { seePages } from '../support/pages.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** What the pages show by name: the first rates, liquidations, options and books. */
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

t.test('the pages in a browser', { timeout: 1_200_000 }, async (t) => {
  // Less than half of the coins of the demo, and enough for the altcoin season.
  const simulator = await startSimulator({ symbols: 80 });
  t.teardown(() => simulator.close());
  const service = await startService(t, {
    env: {
      UPSTREAM_GATEWAY: simulator.url,
      SIMULATED_DATA: '1',
      WEB_CONCURRENCY: '1',
      SOURCES: [...exchanges, ...jobNames.keys(), ...onDemand].join(),
    },
  });
  const isReady = async () => (await service.get('/readyz')).status === 200;
  await until(isReady, 'it is ready', 90_000, 500);
  await seePages(t, service);
});
