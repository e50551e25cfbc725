/**
 * What the instrument lists of the exchanges are about: the asset of each market, how many of it are in a unit, and the class by the
 * field that tells.
 */
import t from 'tap';
import { isRecord } from '../../../actors/read.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import { type VenueId, venues } from '../../../actors/venues/registry.ts';
import { bodiesOf, ownPoll, received } from './fixtures.ts';

/**
 * A market of the fixture that rows are made of, and a line for each: the members that differ, the name of the market first and
 * written as in JSON, then asset, scale, kind and class.
 */
const lists: readonly (readonly [VenueId, part: string, of: string, rows: string])[] = [
  [
    ...(['binance', 'linear', 'BTCUSDT'] as const),
    `symbol=BTCUSDT                                                                        -> BTC    1    perpetual -
     symbol=BTCDOMUSDT baseAsset=BTCDOM underlyingType=INDEX                               -> BTCDOM 1    other     index
     symbol=ALLUSDT baseAsset=ALL underlyingType=INDEX underlyingSubType=["Index"]         -> ALL    1    other     index
     symbol=TSLAUSDT baseAsset=TSLA contractType=TRADIFI_PERPETUAL underlyingType=EQUITY   -> TSLA   1    other     stock
     symbol=XAUUSDT baseAsset=XAU contractType=TRADIFI_PERPETUAL underlyingType=COMMODITY  -> XAU    1    other     commodity
     symbol=NEWUSDT baseAsset=NEW underlyingType=PREMARKET                                 -> NEW    1    other     pre_launch
     symbol=LUNA2USDT baseAsset=LUNA2                                                      -> LUNA   1    perpetual -
     symbol=1000XUSDT baseAsset=1000X                                                      -> X      1000 perpetual -`,
  ],
  [
    ...(['aster', 'linear', 'BTCUSDT'] as const),
    `symbol=AAPLUSDT baseAsset=AAPL underlyingType=EQUITY   -> AAPL 1 other stock
     symbol=XAGUSDT baseAsset=XAG underlyingType=COMMODITY  -> XAG  1 other commodity`,
  ],
  [
    ...(['okx', 'swap', 'BTC-USDT-SWAP'] as const),
    `instId=BTC-USDT-SWAP                        -> BTC 1 perpetual -
     instId=BB-USDT-SWAP instCategory="3"        -> BB  1 other     stock
     instId=CL-USDT-SWAP instCategory="4"        -> CL  1 other     commodity
     instId=QRS-USDT-SWAP ruleType=pre_market    -> QRS 1 other     pre_launch
     instId=MATIC-USDT-SWAP instCategory=""      -> POL 1 perpetual -`,
  ],
  [
    ...(['bybit', 'linear', 'BTCUSDT'] as const),
    `symbol=BTCUSDT symbolType=innovation                    -> BTC    1        perpetual -
     symbol=SPYUSDT baseCoin=SPY symbolType=etf              -> SPY    1        other     stock
     symbol=EURUSDUSDT baseCoin=EURUSD symbolType=forex      -> EURUSD 1        other     fx
     symbol=QRSUSDT baseCoin=QRS isPreListing=true           -> QRS    1        other     pre_launch
     symbol=10000000AIDOGEUSDT baseCoin=10000000AIDOGE       -> AIDOGE 10000000 perpetual -`,
  ],
  [
    ...(['gate', 'usdt', 'BTC_USDT'] as const),
    `name=BTC_USDT contract_type=crypto     -> BTC      1       perpetual -
     name=TSLA_USDT contract_type=stocks    -> TSLA     1       other     stock
     name=XAU_USDT contract_type=metals     -> XAU      1       other     commodity
     name=NAS100_USDT contract_type=indices -> NAS100   1       other     index
     name=QRS_USDT is_pre_market=true       -> QRS      1       other     pre_launch
     name=MBABYDOGE_USDT                    -> BABYDOGE 1000000 perpetual -`,
  ],
  [
    ...(['mexc', 'contracts', 'BTC_USDT'] as const),
    `symbol=NVDA_USDT baseCoin=NVDA conceptPlate=["mc-trade-zone-tradfi","mc-trade-zone-Stock"]      -> NVDA   1 other     stock
     symbol=SILVER_USDT baseCoin=SILVER conceptPlate=["mc-trade-zone-tradfi","mc-trade-zone-metals"] -> SILVER 1 other     commodity
     symbol=QQQ_USDT baseCoin=QQQ type=2                                                             -> QQQ    1 other     stock
     symbol=PUMPFUN_USDT baseCoin=PUMPFUN                                                            -> PUMP   1 perpetual -
     symbol=GAS_USDT baseCoin=GAS                                                                    -> GASDAO 1 perpetual -`,
  ],
  [
    ...(['htx', 'linear', 'BTC-USDT'] as const),
    `contract_code=BTC-USDT labels=["hot"]            -> BTC    1 perpetual -
     contract_code=TSLA-USDT labels=["stock"]         -> TSLA   1 other     stock
     contract_code=NVDA-USDT tradfi_labels=["Stocks"] -> NVDA   1 other     stock
     contract_code=EURUSD-USDT                        -> EURUSD 1 other     fx`,
  ],
  [
    ...(['bitget', 'usdt-futures', 'BTCUSDT'] as const),
    `symbol=QNTSTOCKUSDT baseCoin=QNTSTOCK isRwa=YES -> QNTSTOCK 1 other     stock
     symbol=XAUUSDT baseCoin=XAU isRwa=YES           -> XAU      1 other     commodity
     symbol=PAXGUSDT baseCoin=PAXG isRwa=YES         -> PAXG     1 perpetual -
     symbol=TONCOINUSDT baseCoin=TONCOIN             -> TON      1 perpetual -`,
  ],
  [
    ...(['kucoin', 'futures', 'XBTUSDTM'] as const),
    `symbol=XBTUSDTM                                        -> BTC  1 perpetual -
     symbol=SOXLUSDTM baseCurrency=SOXL marketType=NYSE     -> SOXL 1 other     leveraged
     symbol=IONUSDTM baseCurrency=ION marketType=NASDAQ     -> ION  1 other     stock
     symbol=QRSUSDTM baseCurrency=QRS marketStage=PRE_MARKET -> QRS  1 other     pre_launch
     symbol=JUPUSDTM baseCurrency=JUP marketType=           -> JUP  1 perpetual -`,
  ],
  [
    ...(['kucoin', 'spot', 'BTC-USDT'] as const),
    `symbol=J-USDT baseCurrency=J                   -> J                1 spot  -
     symbol=JUP-USDT baseCurrency=JUP               -> JUP              1 spot  -
     symbol=BTC-USDT                                -> BTC              1 spot  -
     symbol=BTC3L-USDT baseCurrency=BTC3L           -> BTC3L            1 other leveraged
     symbol=ETH-USDT baseCurrency=ETH               -> ETH              1 spot  -
     symbol=ETHUP-USDT baseCurrency=ETHUP           -> ETHUP            1 other leveraged
     symbol=ETHDOWN-USDT baseCurrency=ETHDOWN       -> ETHDOWN          1 other leveraged
     symbol=SOL5X-USDT baseCurrency=SOL5X market=ETF -> SOL5X            1 other leveraged
     symbol=ALT-USDT baseCurrency=ALT               -> APTOSLAUNCHTOKEN 1 spot  -
     symbol=KALT-USDT baseCurrency=KALT             -> ALT              1 spot  -`,
  ],
  [
    ...(['kraken', 'futures', 'PF_XBTUSD'] as const),
    `symbol=PF_XBTUSD base=XBT                               -> BTC   1 perpetual -
     symbol=PF_GOLDUSD base=GOLD tradfi=true category=Commodities -> GOLD  1 other     commodity
     symbol=PF_NVDAXUSD base=NVDAX category=Equities         -> NVDAX 1 other     stock`,
  ],
  [
    ...(['lighter', 'all', '1'] as const),
    `market_id=1                                                    -> BTC  1 perpetual -
     market_id=70 symbol=NVDA market_config.trading_hours=us_equity -> NVDA 1 other     stock
     market_id=90 symbol=XAU market_config.trading_hours=24/5       -> XAU  1 other     commodity`,
  ],
  [
    ...(['phemex', 'linear', 'BTCUSDT'] as const),
    `symbol=BTCUSDT                                                       -> BTC  1    perpetual -
     symbol=u1000SHIBUSDT baseCurrency="1000\\u0020SHIB" perpProductSubType=Normal -> SHIB 1000 perpetual -
     symbol=NVDAUSDT baseCurrency=NVDA perpProductSubType=TradFi          -> NVDA 1    other     stock
     symbol=QRSUSDT baseCurrency=QRS perpProductSubType=PreMarket         -> QRS  1    other     pre_launch`,
  ],
  [
    ...(['backpack', 'all', 'BTC_USDC_PERP'] as const),
    `symbol=kPEPE_USDC_PERP baseSymbol=kPEPE                          -> PEPE    1000 perpetual -
     symbol=AAPL.US_USDC_PERP baseSymbol=AAPL.US rwaMarketType=Equity -> AAPL.US 1    other     stock`,
  ],
  [
    ...(['cryptocom', 'all', 'BTCUSD-PERP'] as const),
    `symbol=TSLAUSD-PERP base_ccy=TSLA product_type=EQUITIES -> TSLA 1 other stock`,
  ],
  [
    ...(['bitstamp', 'markets', 'btcusd'] as const),
    `market_symbol=ustusd base_currency=UST              -> USTC 1 spot  -
     market_symbol=gbpusd base_currency=GBP asset_class= -> GBP  1 other fx`,
  ],
  [
    ...(['bitstamp', 'markets', 'btcusd-perp'] as const),
    'market_symbol=ndxusd-perp base_currency=NDX asset_class=INDEX -> NDX 1 other index',
  ],
  [
    ...(['bingx', 'linear', 'BTC-USDT'] as const),
    `symbol=TRUMP-USDT        -> TRUMPMAGA    1 perpetual -
     symbol=TRUMPSOL-USDT     -> TRUMP        1 perpetual -
     symbol=NCSKTSLA2USD-USDT -> NCSKTSLA2USD 1 other     stock
     symbol=NCCOGOLD2USD-USDT -> NCCOGOLD2USD 1 other     commodity`,
  ],
  [
    ...(['whitebit', 'futures', 'BTC_PERP'] as const),
    `name=BTC_PERP                                -> BTC  1 perpetual -
     name=NVDA_PERP stock=NVDA type=tradfiFutures -> NVDA 1 other     stock`,
  ],
  [
    ...(['deribit', 'linear', 'BTC_USDC-PERPETUAL'] as const),
    `instrument_name=NVDA_USDC-PERPETUAL base_currency=NVDA underlying_type=equity -> NVDA 1 other     stock
     instrument_name=SOL_USDC-PERPETUAL base_currency=SOL underlying_type=crypto   -> SOL  1 perpetual -`,
  ],
];

/** The value as in JSON, else the text; nothing for an empty one. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? undefined : text;
  }
}

/** The row with members by their paths. */
function withMembers(row: object, members: readonly string[]): object {
  const made = structuredClone(row);
  for (const member of members) {
    const [path = '', ...value] = member.split('=');
    const names = path.split('.');
    const owner = names.slice(0, -1).reduce<unknown>((at, name) => Object(at)[name], made);
    Reflect.set(Object(owner), names.at(-1) ?? '', parsed(value.join('=')));
  }
  return made;
}

/** The bodies with other rows in the list that has a row whose member `key` is `id`; `make` gets that row. */
function withRows(bodies: unknown, [key, id]: [string, string], make: (row: object) => object[]) {
  const put = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const row = value.find((one) => isRecord(one) && String(one[key]) === id);
      return isRecord(row) ? make(row) : value.map(put);
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, put(inner)]));
  };
  return put(bodies);
}

for (const [id, part, of, text] of lists)
  t.test(`${id}, ${part}: the assets and the classes of a list made of ${of}`, async (t) => {
    const venue: Venue = venues[id];
    const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
    const wanted = lines.map((words) => {
      const arrow = words.indexOf('->');
      const [symbol, scale, kind, asset_class] = words.slice(arrow + 1);
      const [name = ''] = words;
      const market = String(parsed(name.slice(name.indexOf('=') + 1)));
      return { members: words.slice(0, arrow), market, symbol, scale, kind, asset_class };
    });
    const key = lines[0]?.[0]?.split('=')[0] ?? '';
    const bodies = withRows(bodiesOf(venue, `${part}-instruments`), [key, of], (row) =>
      wanted.map(({ members }) => withMembers(row, members)),
    );
    const context = { received, instruments: new Map() };
    const { rows } = ownPoll(venue, 'instruments', part).parse(
      Array.isArray(bodies) ? bodies : [],
      context,
    );
    for (const { members: _, scale, asset_class, ...row } of wanted) {
      const found = rows.find(({ market }) => market === row.market);
      const own = { asset_class: '-', ...found };
      t.match(own, { ...row, scale: Number(scale), asset_class }, row.market);
    }
  });

t.test('Bitfinex: the classes by the names of pairs and the list of securities', async (t) => {
  const pairs = (...names: string[]) => names.map((pair) => [pair, []]);
  const body = [
    pairs('BTCUSD', 'LUNA2:USD', 'TITAN1:USD', 'DOGE:UST'),
    pairs('EURF0:USTF0', 'GERMANY40IXF0:USTF0', 'XAUTF0:USTF0'),
    [['ALG', 'ALGO']],
    ['TITAN1:USD'],
  ];
  const { rows } = ownPoll(venues.bitfinex, 'instruments', 'all').parse([body], {
    received,
    instruments: new Map(),
  });
  t.strictSame(
    rows.map(({ symbol, kind, asset_class = '-' }) => `${symbol} ${kind} ${asset_class}`),
    [
      ...['BTC spot -', 'LUNA spot -', 'TITAN1 other stock', 'DOGE spot -'],
      ...['EUR other fx', 'GERMANY40IX other index', 'XAUT perpetual -'],
    ],
  );
});

t.test('Crypto.com: a pair in dollars that any stablecoin settles is one in USDC', async (t) => {
  const row = { base_ccy: 'BTC', quote_ccy: 'USD_STABLE_COIN', inst_type: 'CCY_PAIR' };
  const data = [{ ...row, symbol: 'BTC_USD_STABLE_COIN', tradable: true }];
  const context = { received, instruments: new Map() };
  const { rows } = ownPoll(venues.cryptocom, 'instruments', 'all').parse(
    [{ result: { data } }],
    context,
  );
  t.match(rows, [{ symbol: 'BTC', kind: 'spot', quote: 'USDC' }]);
});
