/** Lists of contracts among which the exchange states by a field what is no coin. */
import type { AssetList } from './list.ts';

const usd = (symbol: string, more: object) => ({
  symbol,
  baseAsset: symbol.replace(/USDT$/, ''),
  quoteAsset: 'USDT',
  status: 'TRADING',
  contractType: 'PERPETUAL',
  underlyingType: 'COIN',
  underlyingSubType: [],
  deliveryDate: 4_133_404_800_000,
  pricePrecision: 2,
  quantityPrecision: 3,
  filters: [],
  ...more,
});
const okx = (instId: string, more: object) => ({
  instId,
  instType: 'SWAP',
  ctType: 'linear',
  ctVal: '0.1',
  ctMult: '1',
  state: 'live',
  ruleType: 'normal',
  instCategory: '1',
  tickSz: '0.01',
  ...more,
});
const bybit = (symbol: string, more: object) => ({
  symbol,
  baseCoin: symbol.replace(/USDT$/, ''),
  quoteCoin: 'USDT',
  status: 'Trading',
  contractType: 'LinearPerpetual',
  symbolType: '',
  isPreListing: false,
  fundingInterval: 240,
  priceFilter: { tickSize: '0.01' },
  ...more,
});
const gate = (name: string, more: object) => ({
  name,
  type: 'direct',
  quanto_multiplier: '10',
  status: 'trading',
  in_delisting: false,
  contract_type: '',
  is_pre_market: false,
  funding_interval: 14_400,
  ...more,
});
const mexc = (symbol: string, more: object) => ({
  symbol,
  baseCoin: symbol.replace(/_USDT$/, ''),
  quoteCoin: 'USDT',
  settleCoin: 'USDT',
  contractSize: 0.1,
  state: 0,
  isHidden: false,
  futureType: 1,
  type: 1,
  conceptPlate: ['mc-trade-zone-defi'],
  priceUnit: 0.01,
  ...more,
});
const htx = (contract_code: string, more: object) => ({
  contract_code,
  contract_size: 0.1,
  contract_status: 1,
  business_type: 'swap',
  contract_type: 'swap',
  labels: ['common'],
  tradfi_labels: [],
  price_tick: 0.01,
  ...more,
});
const bitget = (baseCoin: string, more: object) => ({
  symbol: `${baseCoin}USDT`,
  baseCoin,
  quoteCoin: 'USDT',
  symbolStatus: 'normal',
  symbolType: 'perpetual',
  isRwa: 'NO',
  fundInterval: '8',
  pricePlace: '2',
  priceEndStep: '1',
  ...more,
});
const kucoin = (symbol: string, baseCurrency: string, more: object) => ({
  symbol,
  baseCurrency,
  quoteCurrency: 'USDT',
  type: 'FFWCSX',
  status: 'Open',
  multiplier: 0.1,
  isInverse: false,
  fundingRateGranularity: 14_400_000,
  tickSize: 0.01,
  marketStage: 'NORMAL',
  marketType: 'CRYPTO',
  ...more,
});
export const contractLists: readonly AssetList[] = [
  [
    'binance',
    'linear',
    [
      {
        symbols: [
          usd('BTCUSDT', {}),
          usd('BTCDOMUSDT', { underlyingType: 'INDEX' }),
          usd('ALLUSDT', { underlyingType: 'INDEX', underlyingSubType: ['Index'] }),
          usd('TSLAUSDT', {
            contractType: 'TRADIFI_PERPETUAL',
            underlyingType: 'EQUITY',
            underlyingSubType: ['TradFi'],
          }),
          usd('XAUUSDT', { contractType: 'TRADIFI_PERPETUAL', underlyingType: 'COMMODITY' }),
          usd('NEWUSDT', { underlyingType: 'PREMARKET' }),
          usd('LUNA2USDT', {}),
          usd('1000XUSDT', {}),
        ],
      },
      [],
    ],
    `market     symbol scale kind      asset_class
     BTCUSDT    BTC    1     perpetual -
     BTCDOMUSDT BTCDOM 1     other     index
     ALLUSDT    ALL    1     other     index
     TSLAUSDT   TSLA   1     other     stock
     XAUUSDT    XAU    1     other     commodity
     NEWUSDT    NEW    1     other     pre_launch
     LUNA2USDT  LUNA   1     perpetual -
     1000XUSDT  X      1000  perpetual -`,
  ],
  [
    'aster',
    'linear',
    [
      {
        symbols: [
          usd('BTCUSDT', {}),
          usd('AAPLUSDT', { underlyingType: 'EQUITY' }),
          usd('XAGUSDT', { underlyingType: 'COMMODITY' }),
        ],
      },
    ],
    `market   symbol scale kind      asset_class
     BTCUSDT  BTC    1     perpetual -
     AAPLUSDT AAPL   1     other     stock
     XAGUSDT  XAG    1     other     commodity`,
  ],
  [
    'okx',
    'swap',
    [
      {
        data: [
          okx('BTC-USDT-SWAP', {}),
          okx('BB-USDT-SWAP', { instCategory: '3' }),
          okx('CL-USDT-SWAP', { instCategory: '4' }),
          okx('QRS-USDT-SWAP', { ruleType: 'pre_market' }),
          okx('MATIC-USDT-SWAP', { instCategory: '' }),
        ],
      },
    ],
    `market          symbol scale kind      asset_class
     BTC-USDT-SWAP   BTC    1     perpetual -
     BB-USDT-SWAP    BB     1     other     stock
     CL-USDT-SWAP    CL     1     other     commodity
     QRS-USDT-SWAP   QRS    1     other     pre_launch
     MATIC-USDT-SWAP POL    1     perpetual -`,
  ],
  [
    'bybit',
    'linear',
    [
      {
        result: {
          list: [
            bybit('BTCUSDT', { symbolType: 'innovation' }),
            bybit('SPYUSDT', { symbolType: 'etf' }),
            bybit('EURUSDUSDT', { symbolType: 'forex' }),
            bybit('QRSUSDT', { isPreListing: true }),
            bybit('10000000AIDOGEUSDT', {}),
          ],
        },
      },
    ],
    `market             symbol scale    kind      asset_class
     BTCUSDT            BTC    1        perpetual -
     SPYUSDT            SPY    1        other     stock
     EURUSDUSDT         EURUSD 1        other     fx
     QRSUSDT            QRS    1        other     pre_launch
     10000000AIDOGEUSDT AIDOGE 10000000 perpetual -`,
  ],
  [
    'gate',
    'usdt',
    [
      [
        gate('BTC_USDT', { contract_type: 'crypto' }),
        gate('TSLA_USDT', { contract_type: 'stocks' }),
        gate('XAU_USDT', { contract_type: 'metals' }),
        gate('NAS100_USDT', { contract_type: 'indices' }),
        gate('QRS_USDT', { is_pre_market: true }),
        gate('MBABYDOGE_USDT', {}),
      ],
      [],
    ],
    `market         symbol   scale   kind      asset_class
     BTC_USDT       BTC      1       perpetual -
     TSLA_USDT      TSLA     1       other     stock
     XAU_USDT       XAU      1       other     commodity
     NAS100_USDT    NAS100   1       other     index
     QRS_USDT       QRS      1       other     pre_launch
     MBABYDOGE_USDT BABYDOGE 1000000 perpetual -`,
  ],
  [
    'mexc',
    'contracts',
    [
      {
        data: [
          mexc('BTC_USDT', {}),
          mexc('NVDA_USDT', { conceptPlate: ['mc-trade-zone-tradfi', 'mc-trade-zone-Stock'] }),
          mexc('SILVER_USDT', { conceptPlate: ['mc-trade-zone-tradfi', 'mc-trade-zone-metals'] }),
          mexc('QQQ_USDT', { type: 2 }),
          mexc('PUMPFUN_USDT', {}),
          mexc('GAS_USDT', {}),
        ],
      },
    ],
    `market       symbol scale kind      asset_class
     BTC_USDT     BTC    1     perpetual -
     NVDA_USDT    NVDA   1     other     stock
     SILVER_USDT  SILVER 1     other     commodity
     QQQ_USDT     QQQ    1     other     stock
     PUMPFUN_USDT PUMP   1     perpetual -
     GAS_USDT     GASDAO 1     perpetual -`,
  ],
  [
    'htx',
    'linear',
    [
      {
        data: [
          htx('BTC-USDT', { labels: ['hot'] }),
          htx('TSLA-USDT', { labels: ['stock'] }),
          htx('NVDA-USDT', { tradfi_labels: ['Stocks'] }),
          htx('EURUSD-USDT', {}),
        ],
      },
    ],
    `market      symbol scale kind      asset_class
     BTC-USDT    BTC    1     perpetual -
     TSLA-USDT   TSLA   1     other     stock
     NVDA-USDT   NVDA   1     other     stock
     EURUSD-USDT EURUSD 1     other     fx`,
  ],
  [
    'bitget',
    'usdt-futures',
    [
      {
        data: [
          bitget('BTC', {}),
          bitget('QNTSTOCK', { isRwa: 'YES' }),
          bitget('XAU', { isRwa: 'YES' }),
          bitget('PAXG', { isRwa: 'YES' }),
          bitget('TONCOIN', {}),
        ],
      },
    ],
    `market       symbol   scale kind      asset_class
     BTCUSDT      BTC      1     perpetual -
     QNTSTOCKUSDT QNTSTOCK 1     other     stock
     XAUUSDT      XAU      1     other     commodity
     PAXGUSDT     PAXG     1     perpetual -
     TONCOINUSDT  TON      1     perpetual -`,
  ],
  [
    'kucoin',
    'futures',
    [
      {
        data: [
          kucoin('XBTUSDTM', 'XBT', {}),
          kucoin('SOXLUSDTM', 'SOXL', { marketType: 'NYSE' }),
          kucoin('IONUSDTM', 'ION', { marketType: 'NASDAQ' }),
          kucoin('QRSUSDTM', 'QRS', { marketStage: 'PRE_MARKET' }),
          kucoin('JUPUSDTM', 'JUP', { marketType: undefined }),
        ],
      },
    ],
    `market    symbol scale kind      asset_class
     XBTUSDTM  BTC    1     perpetual -
     SOXLUSDTM SOXL   1     other     leveraged
     IONUSDTM  ION    1     other     stock
     QRSUSDTM  QRS    1     other     pre_launch
     JUPUSDTM  JUP    1     perpetual -`,
  ],
  [
    'kucoin',
    'spot',
    [
      {
        data: ['J', 'JUP', 'BTC', 'BTC3L', 'ETH', 'ETHUP', 'ETHDOWN', 'SOL5X', 'ALT', 'KALT'].map(
          (baseCurrency) => ({
            symbol: `${baseCurrency}-USDT`,
            baseCurrency,
            quoteCurrency: 'USDT',
            enableTrading: true,
            market: baseCurrency === 'SOL5X' ? 'ETF' : 'USDS',
            priceIncrement: '0.01',
          }),
        ),
      },
    ],
    `market       symbol           scale kind  asset_class
     J-USDT       J                1     spot  -
     JUP-USDT     JUP              1     spot  -
     BTC-USDT     BTC              1     spot  -
     BTC3L-USDT   BTC3L            1     other leveraged
     ETH-USDT     ETH              1     spot  -
     ETHUP-USDT   ETHUP            1     other leveraged
     ETHDOWN-USDT ETHDOWN          1     other leveraged
     SOL5X-USDT   SOL5X            1     other leveraged
     ALT-USDT     APTOSLAUNCHTOKEN 1     spot  -
     KALT-USDT    ALT              1     spot  -`,
  ],
];
