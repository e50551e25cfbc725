/** Tracked wallets of Hyperliquid, as their rows show them. */
import t from 'tap';
import { PositionLog } from '../../../http/answers/followed-log.ts';
import { hyperliquidWalletRoutes } from '../../../http/routes/hyperliquid-wallets.ts';
import { InstrumentsView } from '../../../http/views/instruments.ts';
import { Markets } from '../../../http/views/markets.ts';
import { PricesView } from '../../../http/views/prices.ts';
import { instrument, reading } from '../../support/makers.ts';
import { rowReader } from '../../support/row-reader.ts';
import { coverage, positionEvents, positions, walletOf } from '../../support/wallet-makers.ts';

const instruments = new InstrumentsView();
const listed = [
  instrument({ market: 'BTC', symbol: 'BTC', quote: 'USDC' }),
  instrument({ market: 'xyz:TSLA', symbol: 'XYZ:TSLA', quote: 'USDC', dex: 'xyz' }),
];
instruments.accept(reading(listed, { source: 'hyperliquid' }));
const markets = new Markets({ instruments, prices: new PricesView() });
const rows = hyperliquidWalletRoutes({ markets, positionLog: new PositionLog() });
const asked: unknown[] = [];
const read = rowReader(rows, {
  reply({ name, params }) {
    asked.push(params);
    if (name === 'positionEvents') return { coverage, least_usd: 1, events: positionEvents };
    if (name === 'hyperliquidWallet') return walletOf;
    const { symbol } = Object(params);
    const wanted = positions.filter((one) => (symbol ?? one.symbol) === one.symbol);
    return { coverage, positions: wanted };
  },
});
const symbolsIn = async (path: string) =>
  (await read(path)).items.map(({ symbol }: { symbol: string }) => symbol).join(' ');

t.test('positions by side and value, of a market in any spelling', async (t) => {
  const path = '/v1/hyperliquid/positions';
  t.match(await read(path), { coverage, count: 3, items: positions });
  t.equal(await symbolsIn(`${path}?side=short`), 'BTC');
  t.equal(await symbolsIn(`${path}?min_usd=501`), 'BTC BTC');
  t.equal(await symbolsIn(`${path}?limit=1`), 'BTC');
  t.match(await read(`${path}?address=0x${'B'.repeat(40)}`), { items: [{ side: 'short' }] });
  await read(`${path}?symbol=xyz:tsla`);
  t.match(asked.at(-1), { symbol: 'XYZ:TSLA' });
  t.match(await read(`${path}?symbol=xyz:NONE`), { error: 'unknown_symbol' });
});

t.test('what was opened and closed', async (t) => {
  const path = '/v1/hyperliquid/whales';
  t.match(await read(path), { coverage, count: 2, items: positionEvents.slice(0, 2) });
  t.match(await read(`${path}?action=open`), { count: 1, items: [{ side: 'short' }] });
  t.match(await read(`${path}?side=long`), { count: 1, items: [{ action: 'close' }] });
  t.match(await read(`${path}?address=0x${'B'.repeat(40)}`), { count: 1 });
  t.match(await read(`${path}?symbol=BTC&min_usd=1500000`), { items: [{ action: 'close' }] });
  t.match(await read(`${path}?min_usd=5`), { error: 'bad_parameter' });
});

t.test('wallets by size and profit, and levels of liquidation', async (t) => {
  const { value_groups, profit_groups } = await read('/v1/hyperliquid/distribution?symbol=BTC');
  t.match(value_groups.at(-2), { from_usd: 1e6, to_usd: 5e6, wallets: 2, long_usd: 2_000_000 });
  t.match(
    [value_groups[0].from_usd, value_groups.at(-1).to_usd, profit_groups[0].from_usd],
    [0, null, null],
  );
  t.match(value_groups[0], { wallets: 0, long_part: null });
  const { levels, model } = await read('/v1/hyperliquid/liquidation-map?symbol=BTC');
  t.equal(model, 'exchange_prices');
  t.match(
    levels.map(({ side }: { side: string }) => side),
    ['long', 'short'],
  );
});

t.test('one wallet', async (t) => {
  const address = `0x${'A'.repeat(40)}`;
  const path = `/v1/hyperliquid/wallet?address=${address}`;
  t.match(await read(path), { address: address.toLowerCase(), dex: null, ...walletOf });
  await read(`${path}&dex=XYZ`);
  t.strictSame(asked.at(-1), { address: address.toLowerCase(), dex: 'xyz' });
  t.match(await read('/v1/hyperliquid/wallet?address=0x1'), { error: 'bad_parameter' });
});
