/**
 * What the tickers of exchanges mean: data. A row is `TICKER=ASSET`. The asset is the usual ticker, or a name that no other coin has
 * where the exchange uses the ticker of a known coin for another one. Most rows follow ccxt's `commonCurrencies`.
 */

/** `TICKER=ASSET` words as a map. */
const words = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/\s+/).map((word): [string, string] => {
      const [ticker = '', asset = ''] = word.split('=');
      return [ticker, asset];
    }),
  );

/**
 * Spellings of one coin, wherever they are listed: no other coin has them. 1000000BOB is no million of BOB: Binance had both at some
 * hundredths of a dollar (2025-12).
 */
export const spellings: ReadonlyMap<string, string> = words(
  `XBT=BTC BCHSV=BSV BTTC=BTT LUNA2=LUNA NEIROCTO=NEIRO RAYSOL=RAY RAYDIUM=RAY PUMPFUN=PUMP DODOX=DODO BEAMX=BEAM RONIN=RON
  MONAD=MON TONCOIN=GRAM GRAMTON=GRAM REPV2=REP MBABYDOGE=1MBABYDOGE LUNANEW=LUNA NESA=NES SOLAYER=LAYER TSTBSC=TST ZKSYNC=ZK
  BOBBOB=BOB BUILDONBOB=BOB OPENLEDGER=OPEN SOONNETWORK=SOON 1000000BOB=BOBMEME`,
);

/** Tickers of one exchange that it alone reads so. */
interface Own {
  /** The exchange's word for a coin that the field knows by another. */
  same?: string;
  /** The ticker of a known coin for another coin: never joined with that. */
  other?: string;
}

const own: Readonly<Record<string, Own>> = {
  // By their prices of 2026-09: AI 0.28, as Lighter's; MEME 94 times what others list.
  aster: { same: 'BBX=BB STXX=STX', other: 'AI=ARTIFICIALINU MEME=MEMEASTER' },
  binance: { same: 'YOYO=YOYOW' },
  bitget: {
    same: 'OMNI1=OMNI VELO1=VELO',
    other: `APX=ASTROPEPEX DEGEN=DEGENREBORN EVA=EVADORE JADE=JADEPROTOCOL OMNI=OMNIBITGET VELO=VELODROME AI=AIGENSYN DATA=DATAIP FUN=SPORTFUN
    PROS=PHAROS`,
  },
  bitfinex: {
    same: `UST=USDT UDC=USDC ALG=ALGO ATO=ATOM BCHN=BCH DAT=DATA DSH=DASH EDO=PNT EUS=EURS EUT=EURT IOT=IOTA IQX=IQ LUNA=LUNC MNA=MANA
    PAS=PASS QSH=QASH QTM=QTUM RBT=RBTC SNG=SNGLS STJ=STORJ TERRAUST=USTC TSD=TUSD YYW=YOYOW VSY=VSYS WAX=WAXP`,
    // The last two: one BCHABC is not one XEC, and the exchange's own name of IDX is the ticker of another coin.
    other: `AMP=AMPL DOG=MDOGE HTX=HT ORS=ORSGROUP XCH=XCHF YGG=YEED ZBT=ZB BCHABC=BCHABC IDX=IDX`,
  },
  bingx: {
    same: 'TRUMPSOL=TRUMP LIGHTER=LIT GENSYN=AIGENSYN AIINU=ARTIFICIALINU',
    // Toncoin under its new name, GRAM, is GRAMTON there.
    other: 'SNOW=SNOWMAN OMNI=OMNICAT NAP=NAPBINGX TRUMP=TRUMPMAGA GRAM=GRAMBINGX',
  },
  bitstamp: { same: 'UST=USTC' },
  // NEIROCTO is the coin that others list as NEIRO.
  bybit: { same: 'BBX=BB DOP1=DOP', other: 'NEIRO=NEIROETH' },
  coinbase: { same: 'CGLD=CELO PROS=PHAROS', other: 'AI=AIGENSYN EDGE=DEFINITIVE' },
  cryptocom: { same: 'USD_STABLE_COIN=USDC' },
  // Indices of Asia are converted to dollars there, and are points elsewhere.
  gate: {
    same: '88MPH=MPH BROCCOLI=BROCCOLI714 EDGEX=EDGE SIMONSCAT=CAT WAXL=AXL',
    other: `KR200=KR200USD JPN225=JPN225USD HK50=HK50USD DATA=DATAIP EDGE=DEFINITIVE FUN=SPORTFUN ORT=XREATORS ASS=ASSF AXIS=AXISDEFI BIFI=BITCOINFILE BOX=DEFIBOX BYN=BEYONDFI EGG=GOOSEFINANCE GTC=GAMECOM GTC_HT=GAMECOM
    GTC_BSC=GAMECOM HIT=HITCHAIN MM=MILLION MPH=MORPHER POINT=GATEPOINT RAI=RAIREFLEXINDEX SBTC=SUPERBITCOIN TNC=TRINITYNETWORKCREDIT
    VAI=VAIOT TRAC=TRACO`,
  },
  htx: {
    other: `NGL=GFNGL GET=THEMIS GTC=GAMECOM HIT=HITCHAIN PNT=PENTA SBTC=SUPERBITCOIN SOUL=SOULSAVER BIFI=BITCOINFILE FUD=FTXUSERSDEBT`,
  },
  // Its ids have `X` before the older coins and `Z` before currencies; `wsname` has neither.
  kraken: {
    same: `LUNA=LUNC REP=REPV1 UST=USTC XDG=DOGE FEE=KFEE XETC=ETC XETH=ETH XLTC=LTC XMLN=MLN XREP=REPV1 XXBT=BTC XXDG=DOGE XXLM=XLM
    XXMR=XMR XXRP=XRP XZEC=ZEC ZAUD=AUD ZCAD=CAD ZEUR=EUR ZGBP=GBP ZJPY=JPY ZUSD=USD EDGEX=EDGE PROS=PHAROS`,
    // By their prices of 2026-06: EDGE 0.06 beside EDGEX at 0.38, U 0.0005 beside a dollar elsewhere.
    other: 'AI=AIGENSYN EDGE=DEFINITIVE FUN=SPORTFUN U=UNION',
  },
  kucoin: {
    same: 'WAX=WAXP KALT=ALT GALAX=GALA REDSTONE=RED WAXL=AXL BBX=BB QNTX=QNT',
    other: `BIFI=BIFIF VAI=VAIOT ALT=APTOSLAUNCHTOKEN FUD=FTXUSERSDEBT AI=AIGENSYN DATA=DATAIP FUN=SPORTFUN PROS=PHAROS`,
  },
  lighter: { other: 'AI=ARTIFICIALINU' },
  mexc: {
    same: `BEYONDPROTOCOL=BEYOND FILECOIN=FIL FLUX1=FLUX GASNEO=GAS STEPN=GMT TRUMPOFFICIAL=TRUMP COINBASE=COIN NVIDIA=NVDA
    TESLA=TSLA GOLD(PAXG)=PAXG GOLD(XAUT)=XAUT`,
    other: `XBT=XBT BIFI=BIFIF BYN=BEYONDFI COFI=COFIX DFI=DFISTARTER DFT=DFUTURE EGC=EGORASCREDIT FLUX=FLUX1
    FREE=FREEROSSDAO GAS=GASDAO GMT=GMTTOKEN HERO=STEPHERO MIMO=MIMOSA PROS=PROSFINANCE SIN=SINCITYTOKEN SOUL=SOULSWAP`,
  },
  okx: { same: 'PROS=PHAROS', other: 'AI=AIGENSYN' },
  phemex: { same: 'MUX=MU NG=NATGAS SPYX=SPY' },
};

/** By exchange: what its own tickers mean. */
export const ownTickers: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(own).map(([venue, { same = '', other = '' }]) => [
    venue,
    words(`${same} ${other}`.trim()),
  ]),
);

/** Tickers that `ownTickers` reads on spot alone: contracts are about the coins that others call so (MEXC's list of 2026-09), or not known. */
export const spotAlone: ReadonlySet<string> = new Set([
  'kraken AI',
  'kraken EDGE',
  'kraken FUN',
  'kraken U',
  'kucoin ALT',
  'mexc FLUX',
  'mexc GAS',
  'mexc GMT',
]);

/** What one unit of an exchange holds where that is another number than elsewhere: OKX counts tenths of what others list. 2026-09. */
export const units: ReadonlyMap<string, number> = new Map([
  ['okx ANTHROPIC', 0.1],
  ['okx OPENAI', 0.1],
]);

/** An old coin that became a new one: one old coin is `ratio` new ones, from a day on. */
export interface Migration {
  to: string;
  ratio: number;
  /** `YYYY-MM-DD`. */
  since: string;
}

const migration = ([from, to, ratio, since]: readonly [string, string, number, string]) =>
  [from, { to, ratio, since }] as const;

/**
 * Coins whose series go on under a new name. Left out: those where both are traded (MKR and SKY), and old names that are another
 * coin's by now (LIT, LUNA, REP).
 */
export const migrations: ReadonlyMap<string, Migration> = new Map(
  (
    [
      ['MATIC', 'POL', 1, '2024-09-04'],
      ['FTM', 'S', 1, '2025-01-16'],
      ['RNDR', 'RENDER', 1, '2024-07-26'],
      ['EOS', 'A', 1, '2025-05-28'],
      ['GAL', 'G', 60, '2024-07-18'],
      ['KLAY', 'KAIA', 1, '2024-10-31'],
      ['MC', 'BEAM', 100, '2023-11-01'],
      ['BNX', 'FORM', 1, '2025-03-21'],
      ['OMNI', 'NOM', 75, '2025-09-30'],
      ['AI16Z', 'ELIZAOS', 6, '2025-11-06'],
      ['OM', 'MANTRA', 4, '2026-03-04'],
      ['TON', 'GRAM', 1, '2026-06-15'],
      ['TOMO', 'VIC', 1, '2023-11-10'],
      ['UST', 'USTC', 1, '2022-05-28'],
      ['LEND', 'AAVE', 0.01, '2020-10-02'],
      ['ERD', 'EGLD', 0.001, '2020-09-04'],
      ['BCHA', 'XEC', 1_000_000, '2021-07-01'],
      ['NANO', 'XNO', 1, '2021-11-15'],
      ['GNT', 'GLM', 1, '2020-11-19'],
      ['COCOS', 'COMBO', 1, '2023-06-01'],
      ['FRONT', 'SELF', 1, '2024-03-25'],
      ['BTTOLD', 'BTT', 1000, '2022-01-18'],
      ['SUNOLD', 'SUN', 1000, '2021-05-26'],
      ['QUICKOLD', 'QUICK', 1000, '2022-03-28'],
      ['VIDTOLD', 'VIDT', 10, '2022-11-09'],
      ['STRAXOLD', 'STRAX', 10, '2024-03-28'],
      ['HNTOLD', 'HNT', 1, '2023-04-18'],
    ] as const
  ).map(migration),
);
