/** The pages in a real browser, on the processes of a service with a part of the exchanges. */
import t from 'tap';
import { jobNames, onDemand } from '../../actors/registry.ts';
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
  const service = await startService(t, {
    args: ['--demo'],
    env: { WEB_CONCURRENCY: '1', SOURCES: [...exchanges, ...jobNames.keys(), ...onDemand].join() },
  });
  const isReady = async () => (await service.get('/readyz')).status === 200;
  await until(isReady, 'it is ready', 90_000, 500);
  await seePages(t, service);
});
