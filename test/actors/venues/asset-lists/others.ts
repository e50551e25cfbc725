/** Lists of other forms. */
import type { AssetList } from './list.ts';

const future = (symbol: string, base: string, more: object) => ({
  symbol,
  base,
  quote: 'USD',
  tradeable: true,
  contractSize: 1,
  category: '',
  tradfi: false,
  tickSize: 0.01,
  ...more,
});
const lighter = (market_id: number, symbol: string, trading_hours: string) => ({
  market_id,
  symbol,
  status: 'active',
  market_type: 'perp',
  price_decimals: 2,
  market_config: { hidden: false, trading_hours },
});
const phemex = (symbol: string, baseCurrency: string, perpProductSubType: string) => ({
  symbol,
  type: 'PerpetualV2',
  baseCurrency,
  quoteCurrency: 'USDT',
  status: 'Listed',
  perpProductSubType,
  fundingInterval: 28_800,
  tickSize: '0.01',
});

export const otherLists: readonly AssetList[] = [
  [
    'kraken',
    'futures',
    [
      {
        instruments: [
          future('PF_XBTUSD', 'XBT', {}),
          future('PF_GOLDUSD', 'GOLD', { tradfi: true, category: 'Commodities' }),
          future('PF_NVDAXUSD', 'NVDAX', { category: 'Equities' }),
        ],
      },
    ],
    `market      symbol scale kind      asset_class
     PF_XBTUSD   BTC    1     perpetual -
     PF_GOLDUSD  GOLD   1     other     commodity
     PF_NVDAXUSD NVDAX  1     other     stock`,
  ],
  [
    'bitfinex',
    'all',
    [
      [
        [
          ['BTCUSD', []],
          ['LUNAUST', []],
          ['LUNA2:USD', []],
          ['TITAN1:USD', []],
          ['DOGE:UST', []],
        ].map(([pair]) => [pair, []]),
        ['BTCF0:USTF0', 'EURF0:USTF0', 'GERMANY40IXF0:USTF0', 'XAUTF0:USTF0'].map((pair) => [
          pair,
          [],
        ]),
        [
          ['ALG', 'ALGO'],
          ['IDX', 'ID'],
        ],
        ['TITAN1:USD'],
      ],
    ],
    `market               symbol    scale kind      asset_class
     tBTCUSD              BTC       1     spot      -
     tLUNA2:USD           LUNA      1     spot      -
     tTITAN1:USD          TITAN1    1     other     stock
     tDOGE:UST            DOGE      1     spot      -
     tBTCF0:USTF0         BTC       1     perpetual -
     tEURF0:USTF0         EUR       1     other     fx
     tGERMANY40IXF0:USTF0 GERMANY40IX 1   other     index
     tXAUTF0:USTF0        XAUT      1     perpetual -`,
  ],
  [
    'lighter',
    'all',
    [
      {
        order_book_details: [
          lighter(1, 'BTC', ''),
          lighter(7, 'NVDA', 'us_equity'),
          lighter(9, 'XAU', '24/5'),
        ],
      },
    ],
    `market symbol scale kind      asset_class
     1      BTC    1     perpetual -
     7      NVDA   1     other     stock
     9      XAU    1     other     commodity`,
  ],
  [
    'phemex',
    'linear',
    [
      {
        data: {
          currencies: [],
          perpProductsV2: [
            phemex('BTCUSDT', 'BTC', ''),
            phemex('u1000SHIBUSDT', '1000 SHIB', 'Normal'),
            phemex('NVDAUSDT', 'NVDA', 'TradFi'),
            phemex('QRSUSDT', 'QRS', 'PreMarket'),
          ],
        },
      },
    ],
    `market        symbol scale kind      asset_class
     BTCUSDT       BTC    1     perpetual -
     u1000SHIBUSDT SHIB   1000  perpetual -
     NVDAUSDT      NVDA   1     other     stock
     QRSUSDT       QRS    1     other     pre_launch`,
  ],
  [
    'backpack',
    'all',
    [
      [
        {
          symbol: 'kPEPE_USDC_PERP',
          baseSymbol: 'kPEPE',
          quoteSymbol: 'USDC',
          marketType: 'PERP',
          orderBookState: 'Open',
          fundingInterval: '3600000',
        },
        {
          symbol: 'AAPL.US_USDC_PERP',
          baseSymbol: 'AAPL.US',
          quoteSymbol: 'USDC',
          marketType: 'PERP',
          orderBookState: 'Open',
          rwaMarketType: 'Equity',
        },
      ],
    ],
    `market            symbol  scale kind      asset_class
     kPEPE_USDC_PERP   PEPE    1000  perpetual -
     AAPL.US_USDC_PERP AAPL.US 1     other     stock`,
  ],
  [
    'cryptocom',
    'all',
    [
      {
        result: {
          data: [
            {
              symbol: 'BTC_USD_STABLE_COIN',
              base_ccy: 'BTC',
              quote_ccy: 'USD_STABLE_COIN',
              inst_type: 'CCY_PAIR',
              tradable: true,
            },
            {
              symbol: 'TSLAUSD-PERP',
              base_ccy: 'TSLA',
              quote_ccy: 'USD',
              inst_type: 'PERPETUAL_SWAP',
              contract_size: '1',
              tradable: true,
              product_type: 'EQUITIES',
            },
          ],
        },
      },
    ],
    `market              symbol scale kind  asset_class quote
     BTC_USD_STABLE_COIN BTC    1     spot  -           USDC
     TSLAUSD-PERP        TSLA   1     other stock       USD`,
  ],
  [
    'bitstamp',
    'markets',
    [
      [
        {
          market_symbol: 'ustusd',
          base_currency: 'UST',
          counter_currency: 'USD',
          trading: 'Enabled',
          market_type: 'SPOT',
          asset_class: 'CRYPTO',
        },
        {
          market_symbol: 'gbpusd',
          base_currency: 'GBP',
          counter_currency: 'USD',
          trading: 'Enabled',
          market_type: 'SPOT',
        },
        {
          market_symbol: 'ndxusd-perp',
          base_currency: 'NDX',
          counter_currency: 'USD',
          trading: 'Enabled',
          market_type: 'PERPETUAL',
          asset_class: 'INDEX',
          payoff_type: 'Linear',
          contract_size: '1',
        },
      ],
    ],
    `market      symbol scale kind  asset_class
     ustusd      USTC   1     spot  -
     gbpusd      GBP    1     other fx
     ndxusd-perp NDX    1     other index`,
  ],
  [
    'bingx',
    'linear',
    [
      {
        data: [
          { symbol: 'TRUMP-USDT', status: 1 },
          { symbol: 'TRUMPSOL-USDT', status: 1 },
          { symbol: 'NCSKTSLA2USD-USDT', status: 1 },
          { symbol: 'NCCOGOLD2USD-USDT', status: 1 },
        ],
      },
    ],
    `market            symbol       scale kind      asset_class
     TRUMP-USDT        TRUMPMAGA    1     perpetual -
     TRUMPSOL-USDT     TRUMP        1     perpetual -
     NCSKTSLA2USD-USDT NCSKTSLA2USD 1     other     stock
     NCCOGOLD2USD-USDT NCCOGOLD2USD 1     other     commodity`,
  ],
  [
    'whitebit',
    'futures',
    [
      [
        {
          name: 'BTC_PERP',
          stock: 'BTC',
          money: 'PERP',
          type: 'futures',
          tradesEnabled: true,
          moneyPrec: '2',
        },
        {
          name: 'NVDA_PERP',
          stock: 'NVDA',
          money: 'PERP',
          type: 'tradfiFutures',
          tradesEnabled: true,
          moneyPrec: '2',
        },
      ],
    ],
    `market    symbol scale kind      asset_class
     BTC_PERP  BTC    1     perpetual -
     NVDA_PERP NVDA   1     other     stock`,
  ],
  [
    'deribit',
    'linear',
    [
      {
        result: [
          {
            instrument_name: 'NVDA_USDC-PERPETUAL',
            base_currency: 'NVDA',
            counter_currency: 'USDC',
            is_active: true,
            kind: 'future',
            settlement_period: 'perpetual',
            underlying_type: 'equity',
            tick_size: 0.01,
          },
          {
            instrument_name: 'SOL_USDC-PERPETUAL',
            base_currency: 'SOL',
            counter_currency: 'USDC',
            is_active: true,
            kind: 'future',
            settlement_period: 'perpetual',
            underlying_type: 'crypto',
            tick_size: 0.01,
          },
        ],
      },
    ],
    `market              symbol scale kind      asset_class
     NVDA_USDC-PERPETUAL NVDA   1     other     stock
     SOL_USDC-PERPETUAL  SOL    1     perpetual -`,
  ],
];
