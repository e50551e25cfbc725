/** What is no coin, by the field of an exchange's list that tells: data. */
import type { AssetClass } from './symbols.ts';

/**
 * A field of a listed row: its path, and the classes by patterns of its text, or of one of its texts. The first that matches
 * counts; a text that none matches says nothing.
 */
export type ClassField = readonly [
  path: string,
  ...cases: readonly (readonly [RegExp, AssetClass])[],
];

const coin = [/^(coin|crypto)$/i, 'crypto'] as const;
const preLaunch = [/^pre_?-?(market|launch|ipo)$/i, 'pre_launch'] as const;
const words = [
  [/^(x?stocks?|([A-Z]{2}_)?equit(y|ies)|etfs?|shares?)$/i, 'stock'],
  [/^(commodit(y|ies)|(precious[ _-]?)?metals?|energy)$/i, 'commodity'],
  [/^(crypto_)?(index|indexes|indices)$/i, 'index'],
  [/^(forex|fx|fiat|currenc(y|ies))$/i, 'fx'],
  preLaunch,
] as const;
/** The class that a word of a list names; undefined for any other. */
export const classOfWord = (word: string): AssetClass | undefined =>
  [coin, ...words].find(([pattern]) => pattern.test(word))?.[1];
/** Any other word is no coin; most of these are shares. */
const other = [/./, 'stock'] as const;
const isPreLaunch = [/^true$/, 'pre_launch'] as const;

/** Shares and funds whose tokens Binance lists as spot, each with a B behind its ticker; the list has no field that tells. 2026-10. */
const binanceShares = `AAPL AMD AMZN ARM ASML ASTS AVGO AXTI BABA BE BMNR BNC CBRS COHR COIN CRCL CRDO CRM CRWD CRWV DELL DJT DRAM EWY FLNC GLW GME
  GOOGL GS HIMS HOOD IBM INTC INTW IREN KORU LITE META MRNA MRVL MSFT MSTR MU MUU MVLL NBIS NFLX NOK NVDA ORCL PLTR PYPL QCOM QNT QQQ RKLB
  SKHY SMCI SMH SNDK SNXX SOXL SOXS SPCX SPY SQQQ STX TQQQ TSLA TSM USAR WDC`;

/**
 * The fields of each exchange, of which the first that names a class but crypto counts: shares before their listing may be called shares
 * as well. A row without them is about a coin.
 */
export const classFields: Readonly<Record<string, readonly ClassField[]>> = {
  // `underlyingType` is COIN on all contracts: one of NVDA has ["STOCK", "Semiconductor"] and `nasdaq`. 2026-09.
  aster: [
    ['underlyingSubType', preLaunch, ...words],
    ['channel', [/^(nasdaq|[a-z]+stock)$/, 'stock'], [/^forex$/, 'fx']],
    ['underlyingType', coin, ...words, other],
  ],
  // Funds are listed as indices: QQQ.US is a share of one.
  backpack: [
    ['baseSymbol', [/\.US$/, 'stock']],
    ['rwaMarketType', coin, ...words, other],
  ],
  // TradFi contracts state what they are in `underlyingType`; indices of coins are INDEX there.
  binance: [
    ['underlyingSubType', ...words],
    ['underlyingType', coin, ...words],
    ['contractType', [/^TRADIFI/, 'stock']],
    ['baseAsset', [new RegExp(`^(${binanceShares.split(/\s+/).join('|')})B$`), 'stock']],
  ],
  bingx: [
    ['symbol', [/^NCCO/, 'commodity'], [/^NCSK/, 'stock'], [/^NCFX/, 'fx'], [/^NCSI/, 'index']],
  ],
  // Crude oil and Brent have the tickers of shares. Spot: rNVDA is a share, preSPCX one before its listing.
  bitget: [
    ['baseCoin', [/^(CL|BZ)$/, 'commodity']],
    ['isRwa', [/^YES$/, 'stock']],
    ['baseCoin', [/^r[A-Z]/, 'stock'], [/^pre[A-Z]/, 'pre_launch']],
  ],
  bitstamp: [['asset_class', coin, ...words, other]],
  bybit: [
    ['isPreListing', isPreLaunch],
    ['symbolType', ...words],
  ],
  cryptocom: [
    [
      'product_type',
      [/^DIGITAL_CURRENCIES$/, 'crypto'],
      [/^EQUITY_IND$/, 'index'],
      ...words,
      other,
    ],
  ],
  deribit: [['underlying_type', coin, ...words, other]],
  // Spot: "Apple xStock", "Apple Ondo Tokenized".
  gate: [
    ['is_pre_market', isPreLaunch],
    ['contract_type', coin, ...words, other],
    ['base_name', [/xStock|Ondo Tokenized/i, 'stock']],
  ],
  htx: [
    ['labels', ...words],
    ['tradfi_labels', ...words],
    ['underlying', [/./, 'leveraged']],
    // Spot: no field tells that it is a token of Coinbase's share.
    ['base-currency', [/^coinx$/i, 'stock']],
  ],
  // `aclass_base` is `currency` of coins and of money.
  kraken: [
    ['aclass_base', [/forex/, 'fx'], [/^(?!currency$)/, 'stock']],
    ['category', [/equit|stock/i, 'stock'], [/forex/i, 'fx'], [/commodit/i, 'commodity']],
    ['tradfi', [/^true$/, 'stock']],
  ],
  kucoin: [
    ['market', [/^ETF$/, 'leveraged'], [/^Stocks$/, 'stock']],
    ['marketStage', ...words],
    ['assetClass', coin, ...words, other],
    ['marketType', coin, ...words, other],
  ],
  // The token of a perpetual that is about no coin, by the list of tokens: a bond is its yield there.
  lighter: [
    ['token.categories', [/^PRE_IPO$/, 'pre_launch'], [/^(BONDS|COMPUTE)$/, 'index'], ...words],
    ['token.asset_type', other],
    // Filled until 2026; coins trade at all hours.
    ['market_config.trading_hours', other],
  ],
  // Metals name their token in brackets: GOLD(XAUT).
  mexc: [
    [
      'conceptPlate',
      // Beside `mc-trade-zone-Stock`.
      [/preipo/i, 'pre_launch'],
      [/stock/i, 'stock'],
      [/metal|commodit/i, 'commodity'],
      [/forex/i, 'fx'],
      [/tradfi/i, 'stock'],
    ],
    // Spot: "Tokenized Stocks".
    ['conceptPlates', [/stock/i, 'stock']],
    ['type', [/^2$/, 'stock']],
    ['baseCoin', [/STOCK$/, 'stock'], [/\(/, 'commodity']],
  ],
  okx: [
    ['ruleType', [/^(pre_market|rebase_contract)$/, 'pre_launch']],
    ['instCategory', [/^1$/, 'crypto'], [/^3$/, 'stock'], [/^4$/, 'commodity'], other],
  ],
  phemex: [['perpProductSubType', [/^TradFi$/, 'stock'], ...words]],
  whitebit: [['type', [/^tradfi/i, 'stock']]],
  // The list has no field that tells: EWT is the fund of Taiwan's shares there, and no coin. 2026-09.
  woo: [['symbol', [/^PERP_EWT_/, 'stock']]],
};

/**
 * What exchanges add to the tickers of what is no coin: NCSKTSLA2USD, NCSI724SP5002USD (it trades at all hours), TSLASTOCK, GOLD(XAUT),
 * AAPL.US, OPENAIIPO and GERMANY40IX.
 */
export const additions: Readonly<Record<string, RegExp>> = {
  backpack: /\.US$/g,
  bingx: /^NC(CO|SK|FX|SI)(724)?|2USDT?$/g,
  bitfinex: /IX$/g,
  bitget: /STOCK$/g,
  bybit: /STOCK$/g,
  cryptocom: /IPO$/g,
  mexc: /STOCK$|\(.*\)$/g,
};

const classed = (asset: AssetClass, tickers: string) =>
  tickers.split(/\s+/).map((ticker) => [ticker, asset] as const);

const money = 'USD EUR GBP JPY CHF AUD CAD NZD SGD HKD CNH KRW INR BRL MXN TRY ZAR PLN UAH RUB NGN';

/** Money; tokens of an ounce of gold and of a dollar, which are coins: whatever an exchange calls them. */
export const fixedClass: ReadonlyMap<string, AssetClass> = new Map([
  ...classed('fx', money),
  ...classed('crypto', 'PAXG XAUT USDC USDT'),
]);

/** EURUSD, USDCHF and all others. */
const rates = money
  .split(' ')
  .flatMap((base) => money.split(' ').map((quote) => `${base}${quote}`))
  .join(' ');

/**
 * Shares and funds whose tokens are spot pairs, with X (xStocks) or ON (Ondo) behind their tickers: AAPLX, TSLAON. 2026-06. Those whose
 * tokens may be taken for a coin (METAX, COINX; WMTX is World Mobile) are not among them.
 */
const shares =
  'AAPL AMD AMZN AVGO CRCL GOOGL HOOD INTC IVV IWM MSFT MSTR NFLX NVDA ORCL PLTR QQQ SPY TQQQ TSLA';
const tokenised = shares.replaceAll(/\w+/g, '$&X $&ON');

/** Tickers that no coin has. They count where a list has no field that tells, and where the field does not tell what it is. */
export const classOfTicker: ReadonlyMap<string, AssetClass> = new Map([
  ...classed('commodity', 'XAU XAG XPT XPD XCU COPPER USOIL UKOIL WTI XBR BRENTOIL NATGAS XNG'),
  ...classed(
    'index',
    `SPX500 SP500 US500 NDX100 NAS100 NASDAQ100 US100 US30 US2000 DJ30 UK100 DE40 EU50 FRA40 HK50 AUS200 JP225 JPN225 KR200 KRCOMP HSI
    GER40 DXY VIX BVIV EVIV BTCDOM H100 B200`,
  ),
  ...classed('fx', rates),
  ...classed('stock', `${shares} IAU SLV EWY EWJ SNDK SOXL SOXS KORU WMT`),
  ...classed('stock', `${tokenised} IAUON ITOTON METAON SLVON WMTON`),
  ...classed('pre_launch', 'OPENAI ANTHROPIC'),
]);
