/** A base asset in the field's usual ticker, and how many of those one native unit holds. */
export interface Canonical {
  symbol: string;
  /** 1000 for 1000PEPE, else 1. */
  scale: number;
}

/** The base and the quote of an id that joins the two, such as `BTC-USDT`; null for an id of any other form. */
export function pairOf(id: string, separator: string): { base: string; quote: string } | null {
  const [base, quote, ...more] = id.split(separator);
  return base && quote && more.length === 0 ? { base, quote } : null;
}

/** Prefixes that state a lot of coins, the longest first: 1000000MOG, 10000SATS, 1MBABYDOGE. */
const prefixes = [
  ['1000000', 1_000_000],
  ['100000', 100_000],
  ['10000', 10_000],
  ['1000', 1000],
  ['1M', 1_000_000],
] as const;

const isUpper = (code: number) => code >= 65 && code <= 90;
const isLetter = (code: number) => isUpper(code) || (code >= 97 && code <= 122);
const twoLetters = (text: string, at: number) =>
  isLetter(text.charCodeAt(at)) && isLetter(text.charCodeAt(at + 1));

/**
 * The usual ticker of a venue's base asset: 1000PEPE, kPEPE and PEPE1000 are PEPE with scale 1000
 * (price / scale, quantity x scale), XBT is BTC. A prefix counts only before two letters, a suffix
 * only after two; upper-cases.
 */
export function canonical(base: string): Canonical {
  if (base === 'XBT') return { symbol: 'BTC', scale: 1 };
  for (const [prefix, scale] of prefixes) {
    if (base.startsWith(prefix) && twoLetters(base, prefix.length)) {
      return { symbol: base.slice(prefix.length).toUpperCase(), scale };
    }
  }
  if (base.startsWith('k') && isUpper(base.charCodeAt(1)) && twoLetters(base, 1)) {
    return { symbol: base.slice(1).toUpperCase(), scale: 1000 };
  }
  if (base.endsWith('1000') && twoLetters(base, base.length - 6)) {
    return { symbol: base.slice(0, -4).toUpperCase(), scale: 1000 };
  }
  return { symbol: base.toUpperCase(), scale: 1 };
}
