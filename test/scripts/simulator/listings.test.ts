/** What the simulated venues list: ids in the form that each venue documents, and markets of every state. */
import t from 'tap';
import { venues } from '../../../scripts/simulator/registry.ts';
import { assets } from '../../../scripts/simulator/symbols.ts';

const now = Date.UTC(2026, 7, 14);
/** A market of each sort; the group is the venue's own list. */
const ids: Readonly<Record<keyof typeof venues, string>> = {
  aster: 'spot BTCUSDT, spot ETHBTC, linear 1000PEPEUSDT, linear TSLAUSDT',
  backpack: 'all BTC_USDC, all ETH_BTC, all kPEPE_USDC_PERP, all TSLA.US_USDC_PERP, all SOON_USDC',
  binance:
    'spot BTCUSDT, spot ETHBTC, spot BTCEUR, fapi 1000PEPEUSDT, fapi BTCUSDT_260925, dapi BTCUSD_260925',
  bingx: 'spot BTC-USDT, linear 1000PEPE-USDT, inverse BTC-USD, linear NCSKTSLA2USD-USDT',
  bitfinex: 'all tBTCUSD, all tDOGE:USD, all tBTCUST, all tETHBTC, all tBTCF0:USTF0',
  bitget:
    'spot BTCUSDT, usdt-futures 1000BONKUSDT, usdc-futures BTCPERP, coin-futures BTCUSD, coin-futures ETHUSD_260925',
  bitstamp: 'markets btcusd, markets ethbtc, markets btcusd-perp, markets tslausd-perp',
  bybit:
    'spot ETHBTC, linear 1000PEPEUSDT, linear SHIB1000USDT, linear BTCPERP, linear BTC-25SEP26, inverse BTCUSD',
  coinbase: 'spot BTC-USD, spot USDT-USD, perpetual BTC-PERP, perpetual 1000PEPE-PERP',
  cryptocom: 'all ETH_BTC, all BTCUSD-PERP, all TSLAUSD-PERP, all BTCUSD-260925',
  deribit:
    'spot ETH_BTC, linear BTC_USDC-PERPETUAL, linear 1000PEPE_USDC-PERPETUAL, linear TSLA_USDC-PERPETUAL, inverse BTC-25SEP26',
  dydx: 'perp BTC-USD, perp APT,raydium,apt11111pump-USD',
  gate: 'spot BTC_USDT, spot BTC3L_USDT, usdt BTC_USDT, usdt 1000BONK_USDT, btc BTC_USD, usd1 BTC_USD1',
  htx: 'spot btcusdt, spot xrp3susdt, linear 1000BONK-USDT, inverse BTC-USD',
  hyperliquid: 'perp BTC, perp kPEPE, spot @100, spot @166, spot @301',
  kraken:
    'spot XXBTZUSD, spot XDGUSD, spot USDTZUSD, spot XBTUSDT, futures PF_XBTUSD, futures PI_XBTUSD, futures FI_XBTUSD_260925',
  kucoin:
    'spot BTC-USDT, spot BTC3L-USDT, futures XBTUSDTM, futures 1000PEPEUSDTM, futures XBTUSDM, futures XBTMU26',
  lighter: 'all 0, all 1, all 2048, all 2056',
  mexc: 'spot BTCUSDT, spot BTC3LUSDT, contracts 1000BONK_USDT, contracts TSLASTOCK_USDT, contracts BTC_USD',
  okx: 'SPOT BTC-USDT, SWAP BTC-USDT-SWAP, SWAP BTC-USD-SWAP, FUTURES BTC-USDT-260925',
  phemex: 'spot sBTCUSDT, linear u1000PEPEUSDT, inverse BTCUSD, inverse cETHUSD',
  whitebit: 'spot BTC_USDT, futures BTC_PERP',
  woo: 'spot SPOT_BTC_USDT, perp PERP_BTC_USDT',
};

const isVenueId = (id: string): id is keyof typeof venues => Object.hasOwn(venues, id);

for (const id of Object.keys(venues).filter(isVenueId)) {
  t.test(id, async (t) => {
    const all = venues[id].markets(assets(1, 80));
    const markets = all.filter(({ listed, expires = now + 1 }) => listed <= now && now < expires);
    const found = new Set(markets.map(({ group, id }) => `${group} ${id}`));
    const missing = ids[id].split(/, (?=[\w-]+ )/).filter((name) => !found.has(name));
    t.strictSame(missing, [], 'each sort has its native id');
    t.equal(found.size, markets.length, 'no id twice in a group');
    t.ok(
      markets.some(({ state }) => state !== 'live'),
      'one does not trade',
    );
    const bad = all.filter(({ symbol, share, decimals }) => !symbol || share < 0 || decimals > 13);
    t.strictSame(bad, []);
  });
}
