/** HTX as it is simulated: what we parse is what the model says. */
import t from 'tap';
import { htx } from '../../../actors/venues/htx.ts';
import { htx as simulator } from '../../../scripts/simulator/venues/htx.ts';
import { close, now, Reader, simulated } from '../../support/simulated-venue.ts';

t.test('mark and index of every swap', async (t) => {
  const running = await simulated(simulator);
  t.teardown(() => running.close());
  const reader = new Reader(running, htx);
  for (const part of ['linear', 'inverse']) {
    const swaps = reader.followed(part);
    const ids = swaps.map(({ id }) => id);
    const rows = await reader.rows(t, htx.feeds.derivatives, part, ids);
    t.same([...rows.keys()].sort(), ids.sort());
    for (const swap of swaps) {
      const row = rows.get(swap.id);
      // The candle and the index are rounded, to a hundredth and a tenth of a tick.
      close(t, [row?.mark, swap.exact(now) / swap.scale], `${swap.id} mark`, 1e-6);
      close(t, [row?.index, swap.index(now) / swap.scale], `${swap.id} index`, 1e-5);
    }
  }
});
