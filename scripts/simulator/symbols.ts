/** Which assets exist in the simulated world, with prices and turnovers of about the right size. */
import { seedOf, unit } from './noise.ts';
import { SymbolPath } from './path.ts';

/** One asset: `rank` 0 trades most. Prices in USD, turnover in USD a day over all venues and markets. */
export interface Asset {
  symbol: string;
  rank: number;
  price: number;
  turnover: number;
  /** When its first market opened, Unix ms; before that there is nothing. */
  listed: number;
  /**
   * `stable`: pegged to the dollar. `equity`: a share that some venues list among their perpetuals. `built`: no coin either, listed by
   * builders of Hyperliquid alone.
   */
  kind: 'coin' | 'stable' | 'equity' | 'built';
  path: SymbolPath;
}

/** Real tickers with base prices in USD, most traded first. */
const known = `
BTC 100000 ETH 3600 SOL 180 XRP 2.2 DOGE 0.21 PEPE 0.000012 SHIB 0.000013 BONK 0.000021 USDC 1 USDT 1
BNB 880 ADA 0.72 TRX 0.28 SUI 3.1 LINK 17 AVAX 24 LTC 96 XLM 0.29 DOT 4.6 HBAR 0.19 BCH 510 UNI 8.4 NEAR 2.7
APT 4.9 ICP 5.6 ETC 20 AAVE 240 ONDO 0.85 ENA 0.55 WIF 0.78 FLOKI 0.00009 ARB 0.42 OP 0.68 FIL 2.4 ATOM 4.3
INJ 12 TIA 1.7 SEI 0.27 TAO 390 RENDER 3.4 FET 0.62 LDO 1.1 CRV 0.71 JUP 0.46 IMX 0.58 STX 0.66 GALA 0.016
SAND 0.27 MANA 0.29 ALGO 0.22 VET 0.023 GRT 0.086 THETA 0.75 EGLD 14 FLOW 0.37 AXS 2.3 XTZ 0.73 EOS 0.61
KAVA 0.36 SNX 0.66 COMP 45 YFI 5200 MKR 1650 SUSHI 0.71 DYDX 0.61 GMX 14 PENDLE 4.7 RUNE 1.2 ZEC 230 DASH 38
XMR 320 NEO 6.1 IOTA 0.18 QTUM 2.2 ZIL 0.011 BAT 0.15 ENJ 0.066 CHZ 0.039 HOT 0.00094 1INCH 0.24 CELO 0.3
ROSE 0.026 ANKR 0.014 SKL 0.024 MASK 1.2 LRC 0.085 ZRX 0.24 STORJ 0.24 OCEAN 0.29 BLUR 0.077 ORDI 8.1
SATS 0.000000041 JTO 1.9 PYTH 0.15 STRK 0.13 W 0.078 ZRO 1.8 EIGEN 1.2 NOT 0.0017 GRAM 1.4 BOME 0.0018
MEME 0.0019 PEOPLE 0.018 WLD 0.94 GAS 3.1 TRB 36 CFX 0.17 KSM 14 GMT 0.042 APE 0.58 MINA 0.16 AR 6.1 ENS 21
CAKE 2.6 FXS 2.7 SSV 8.9 RPL 5.4 API3 0.74 BAND 0.64 COTI 0.046 CTSI 0.068 CKB 0.0044 HIVE 0.2 ICX 0.14
ONE 0.011 ONT 0.13 RVN 0.013 SXP 0.17 WAXP 0.02 XVS 6.1 YGG 0.17 ZEN 9.4 MAGIC 0.19 HIGH 0.5 HOOK 0.1`;

const stables: ReadonlySet<string> = new Set(['USDT', 'USDC']);
/** What builders list, with prices in USD. */
const built = { NVDA: 180, SP500: 6_700, GOLD: 3_650, EUR: 1.12 } as const;

/** Whether an asset is a coin, one that is pegged to the dollar among them. */
export const isCoin = ({ kind }: Asset): boolean => kind === 'coin' || kind === 'stable';

const day = 86_400_000;
const firstDay = Date.UTC(2023, 0, 1);

/** Made-up tickers of five letters, the same for every seed. */
function invented(i: number): [string, number] {
  const parts = ['ZA', 'KO', 'VE', 'RI', 'MU', 'TE', 'LO', 'XA', 'NI', 'QU', 'BE', 'DO', 'FY'];
  const a = parts[i % 13] ?? '';
  const b = parts[Math.floor(i / 13) % 13] ?? '';
  const c = String.fromCharCode(65 + ((i * 7 + Math.floor(i / 169)) % 26));
  return [`${a}${b}${c}`, 10 ** (unit(0x1f2e, i) * 5 - 4)];
}

/** When the asset of a rank was listed: most in 2023, every seventeenth later, some of them last month. */
function listing(symbol: string, rank: number): number {
  if (rank < 12) return firstDay;
  const u = unit(seedOf(7, symbol), 1);
  if (rank % 17 !== 0) return firstDay + Math.floor(u * 270) * day + 8 * 3_600_000;
  return Date.UTC(2024, 0, 1) + Math.floor(u * 1050) * day + 8 * 3_600_000;
}

function kindOf(symbol: string): Asset['kind'] {
  if (symbol === 'TSLA') return 'equity';
  if (Object.hasOwn(built, symbol)) return 'built';
  return stables.has(symbol) ? 'stable' : 'coin';
}

function asset(seed: number, rank: number, symbol: string, price: number): Asset {
  const kind = kindOf(symbol);
  const own = seedOf(seed, symbol);
  const turnover = 2.4e10 / (rank + 1) ** 1.35;
  const base = kind === 'stable' ? dollarsPer(seed, symbol) : price;
  const usual = symbol === 'BTC' ? 1 : 1.25 + 0.75 * unit(own, 3);
  const path = new SymbolPath(own, base, kind === 'stable' ? 0.0003 : usual, turnover);
  return { symbol, rank, price, turnover, listed: listing(symbol, rank), kind, path };
}

/**
 * The `count` most traded coins, at least 12, and what is no coin after them. The list does not depend on the
 * seed, their paths do.
 */
export function assets(seed: number, count: number): Asset[] {
  const words = known.trim().split(/\s+/);
  const size = Math.max(12, count);
  const coins = Array.from({ length: size }, (_, rank) => {
    const [symbol, price] = [words[rank * 2], Number(words[rank * 2 + 1])];
    if (symbol !== undefined) return asset(seed, rank, symbol, price);
    return asset(seed, rank, ...invented(rank - words.length / 2));
  });
  const others = Object.entries({ TSLA: 420, ...built });
  return [
    ...coins,
    ...others.map(([symbol, price], i) => ({
      ...asset(seed, size + i, symbol, price),
      listed: firstDay,
    })),
  ];
}

/**
 * USD for one unit of a currency that prices are quoted in. It does not move, so that candles stay exact in
 * every quote; a stablecoin's own market moves around it by less than 2 basis points.
 */
export function dollarsPer(seed: number, quote: string): number {
  if (quote === 'USD') return 1;
  const noise = 2 * unit(seedOf(seed, quote), 5) - 1;
  if (quote === 'EUR') return 1.12 + 0.04 * noise;
  return 1 + 0.0003 * noise;
}
