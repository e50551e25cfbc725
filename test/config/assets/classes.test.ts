/** What listed rows are about, as the exchanges' own lists said in autumn 2026. */
import t from 'tap';
import { classOf, tickerOf } from '../../../config/assets/resolve.ts';
import { type AssetClass, symbolOf, symbolsOfTicker } from '../../../config/assets/symbols.ts';

const tradfi = { contractType: 'TRADIFI_PERPETUAL', underlyingSubType: ['TradFi'] };
const rows: readonly [venue: string, ticker: string, AssetClass, row: object][] = [
  // https://github.com/ccxt/ccxt/issues/30125 and the spot list itself: TSLAB is a certificate of Tesla, ARB and BB are coins.
  ['binance', 'TSLAB', 'stock', { baseAsset: 'TSLAB', status: 'TRADING' }],
  ['binance', 'BABAB', 'stock', { baseAsset: 'BABAB' }],
  ['binance', 'ARB', 'crypto', { baseAsset: 'ARB' }],
  ['binance', 'BB', 'crypto', { baseAsset: 'BB' }],
  ['binance', 'SHIB', 'crypto', { baseAsset: 'SHIB' }],
  ['binance', 'SKHYNIX', 'stock', { ...tradfi, underlyingType: 'KR_EQUITY' }],
  ['binance', 'TENCENT', 'stock', { contractType: 'PERPETUAL', underlyingType: 'HK_EQUITY' }],
  ['binance', 'OPENAI', 'pre_launch', { ...tradfi, underlyingType: 'PREMARKET' }],
  ['binance', 'BTCDOM', 'index', { contractType: 'PERPETUAL', underlyingType: 'INDEX' }],
  ['backpack', 'QQQ.US', 'stock', { baseSymbol: 'QQQ.US', rwaMarketType: 'INDEX' }],
  ['backpack', 'SPX', 'index', { baseSymbol: 'SPX', rwaMarketType: 'INDEX' }],
  ['backpack', 'KBONK', 'crypto', { baseSymbol: 'kBONK', rwaMarketType: null }],
  ['bitget', 'RNVDA', 'stock', { baseCoin: 'rNVDA' }],
  ['bitget', 'PRESPCX', 'pre_launch', { baseCoin: 'preSPCX' }],
  ['bitget', 'RAY', 'crypto', { baseCoin: 'RAY' }],
  ['bitget', 'PAXG', 'crypto', { baseCoin: 'PAXG', isRwa: 'YES' }],
  ['bitget', 'USDJPY', 'fx', { baseCoin: 'USDJPY', isRwa: 'YES' }],
  ['bitget', 'BZ', 'commodity', { baseCoin: 'BZ', isRwa: 'YES' }],
  ['bitget', 'CLSK', 'stock', { baseCoin: 'CLSK', isRwa: 'YES' }],
  ['bybit', 'NVDAX', 'stock', { symbolType: 'xstocks' }],
  ['bybit', 'WIF', 'crypto', { symbolType: 'innovation' }],
  ['cryptocom', 'US500', 'index', { product_type: 'EQUITY_IND' }],
  ['cryptocom', 'NVDA', 'stock', { product_type: 'EQUITY' }],
  ['cryptocom', 'OPENAIIPO', 'pre_launch', { product_type: 'PRE_IPO' }],
  ['bitget', 'H100', 'index', { isRwa: 'YES' }],
  ['deribit', 'BVIV', 'index', { underlying_type: 'crypto_index' }],
  ['bitfinex', 'UKOIL', 'commodity', {}],
  ['bitfinex', 'EVIV', 'index', {}],
  ['gate', 'USDC', 'crypto', { contract_type: 'forex' }],
  ['gate', 'XAUT', 'crypto', { contract_type: 'metals' }],
  ['gate', 'IAU', 'stock', { contract_type: 'metals' }],
  ['gate', 'XPD', 'commodity', { contract_type: 'metals' }],
  ['gate', 'EURUSD', 'fx', { contract_type: 'forex' }],
  // https://github.com/iterativv/NostalgiaForInfinity/pull/1027: tokens of shares as spot.
  ['gate', 'METAX', 'stock', { base: 'METAX', base_name: 'Meta xStock' }],
  ['gate', 'FUTUON', 'stock', { base: 'FUTUON', base_name: 'Futu Ondo Tokenized' }],
  ['gate', 'AVAX', 'crypto', { base: 'AVAX', base_name: 'Avalanche' }],
  ['bitget', 'TSLAON', 'stock', { baseCoin: 'TSLAON' }],
  ['bitget', 'IAUON', 'stock', { baseCoin: 'IAUON' }],
  ['bitget', 'TON', 'crypto', { baseCoin: 'TON' }],
  ['htx', 'PLTRX', 'stock', { 'base-currency': 'pltrx' }],
  ['htx', 'COINX', 'stock', { 'base-currency': 'coinx' }],
  ['htx', 'TRX', 'crypto', { 'base-currency': 'trx' }],
  ['woo', 'AAPLX', 'stock', {}],
  // World Mobile, and a token of Walmart's share.
  ['kraken', 'WMTX', 'crypto', { aclass_base: 'currency' }],
  ['mexc', 'WMTX', 'crypto', {}],
  ['kraken', 'WMTX', 'stock', { aclass_base: 'tokenized_asset' }],
  ['gate', 'WMTON', 'stock', {}],
  ['lighter', 'USDCHF', 'fx', { token: { asset_type: 'RWA', categories: ['FX'] } }],
  ['lighter', 'KRCOMP', 'index', { token: { asset_type: 'RWA', categories: ['STOCK', 'KRW'] } }],
  ['lighter', 'META', 'stock', { token: { asset_type: 'RWA', categories: [] } }],
  ['lighter', 'META', 'crypto', {}],
  ['lighter', 'META', 'stock', { market_config: { trading_hours: 'US_EQUITIES' } }],
  ['bitget', 'US30', 'index', { isRwa: 'YES' }],
  ['phemex', 'AUDUSD', 'fx', { perpProductSubType: 'TradFi' }],
  ['whitebit', 'TRY', 'fx', { type: 'spot' }],
  ['kucoin', 'TENCENTHKD', 'stock', { assetClass: 'STOCK', marketStage: 'NORMAL' }],
  ['kucoin', 'PLATINUM', 'commodity', { assetClass: 'METAL', marketType: 'COMEX' }],
  ['kucoin', 'ETH', 'crypto', { assetClass: 'CRYPTO', marketType: 'CRYPTO' }],
  ['kucoin', 'TSLAX', 'stock', { market: 'Stocks' }],
  ['mexc', 'AAPLX', 'stock', { conceptPlates: ['Innovation', 'Tokenized Stocks'] }],
  ['mexc', 'TESLA', 'stock', { conceptPlate: ['mc-trade-zone-Stock', 'mc-trade-zone-tradfi'] }],
  ['okx', 'OPENAI', 'pre_launch', { instCategory: '3', ruleType: 'pre_market' }],
  ['okx', 'ANDURIL', 'pre_launch', { instCategory: '3', ruleType: 'pre_market' }],
  ['okx', 'KALSHI', 'pre_launch', { instCategory: '3', ruleType: 'rebase_contract' }],
  ['gate', 'ANDURIL', 'pre_launch', { contract_type: 'stocks', is_pre_market: true }],
  ['gate', 'NVDA', 'stock', { contract_type: 'stocks', is_pre_market: false }],
  ['bybit', 'ANDURIL', 'pre_launch', { symbolType: 'stock', isPreListing: true }],
  ['okx', 'BB', 'stock', { instCategory: '3', ruleType: 'normal' }],
  ['phemex', 'ANTHROPIC', 'pre_launch', { perpProductSubType: 'PreMarket' }],
];

t.test('a row is about this, by the field of its exchange that tells', async (t) => {
  for (const [venue, ticker, asset, row] of rows)
    t.equal(classOf(row, ticker, venue), asset, `${venue} ${ticker}`);
});

t.test('the name of a share, listed or not yet, is that of the company', async (t) => {
  t.equal(tickerOf('cryptocom', 'OPENAIIPO', 'pre_launch'), 'OPENAI');
  t.equal(tickerOf('cryptocom', 'IPO', 'stock'), 'IPO');
  // Where a coin has the ticker of a share: https://github.com/iterativv/NostalgiaForInfinity/pull/1027
  t.equal(tickerOf('bybit', 'AMDSTOCK', 'stock'), 'AMD');
});

t.test('a contract that trades at all hours has the name of what it is about', async (t) => {
  // https://github.com/iterativv/NostalgiaForInfinity/pull/1073
  t.equal(tickerOf('bingx', 'NCSI724SP5002USD', 'index'), 'SP500');
  t.equal(tickerOf('bingx', 'NCSISP5002USD', 'index'), 'SP500');
  t.equal(tickerOf('bingx', 'NCCO7241OILBRENT2USD', 'commodity'), '1OILBRENT');
});

t.test(
  'an index, a metal and energy have one symbol, whatever an exchange calls them',
  async (t) => {
    // BingX 4,341.6 and Bitget 4,343.1; dYdX 97.34 and Gate 97.38; Bitget 7,614 and HTX 7,618 (September 2026).
    t.equal(symbolOf('GOLD', 'commodity'), 'XAU.COMMODITY');
    t.equal(symbolOf('WTI', 'commodity'), 'CL.COMMODITY');
    t.equal(symbolOf('BRENTOIL', 'commodity'), 'BZ.COMMODITY');
    t.equal(symbolOf('SP500', 'index'), 'SPX500.INDEX');
    t.equal(symbolOf('GOLD', 'stock'), 'GOLD.STOCK');
    t.equal(symbolOf('GOLD', 'crypto'), 'GOLD');
    t.equal(symbolOf('XYZ:GOLD', 'commodity'), 'XYZ:GOLD');
    t.ok(symbolsOfTicker('GOLD').includes('XAU.COMMODITY'), 'a question by the other name');
  },
);
