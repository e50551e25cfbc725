/** Names of Tardis. https://docs.tardis.dev/historical-data-details */
import t from 'tap';
import { exchangeName } from '../../../actors/replay/names.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';

t.test('all markets of Hyperliquid have one name', async (t) => {
  for (const part of hyperliquid.parts)
    for (const kind of hyperliquid.kinds)
      t.equal(exchangeName('hyperliquid', part, { kind }), 'hyperliquid', `${part} ${kind}`);
});
