/**
 * A process with a client of OKX, for tests: `node budget-process.ts '{redis, gateway, count, shared}'`. From the first
 * message on it asks for candles `count` times at once, and sends how often each outcome came.
 */
import { createBus } from '../../actors/bus/bus.ts';
import { createHttpClient } from '../../actors/upstream/client.ts';
import { okx } from '../../actors/venues/okx/index.ts';

const { redis, gateway, count, shared } = JSON.parse(process.argv[2] ?? '{}');
const bus = createBus({ url: redis, process: `budget-${process.pid}` });
const client = createHttpClient({
  source: okx.id,
  apis: okx.apis,
  gateway,
  limits: { retries: 0 },
  ...(shared && { shared: bus.budgets() }),
});
process.on('disconnect', () => process.exit(0));
process.once('message', async () => {
  const outcomes: Record<string, number> = {};
  const { request } = okx.queries.candles;
  const asked = Array.from({ length: count }, async (_, i) => {
    const ask = { market: 'BTC-USDT-SWAP', part: 'swap', instrument: null, interval: '1H' };
    const result = await client.send(request({ ...ask, limit: 1 + (i % 300) }), {
      deadline: 30_000,
    });
    const outcome = result.ok ? 'ok' : result.failure.code;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  });
  await Promise.all(asked);
  process.send?.(outcomes, () => process.exit(0));
});
await bus.last('processes');
process.send?.('ready');
