/** What tickers of exchanges mean, against a table that was written by hand from the exchanges' own lists. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import { migrations, ownTickers, spellings } from '../../../config/assets/renames.ts';
import { assetOf, currencyOf, isLeveraged, wordOf } from '../../../config/assets/resolve.ts';
import { assetOfToken } from '../../../config/assets/tokens.ts';
import { tickerPattern } from '../../../indicators/market/market-names.ts';
import { property } from '../../support/property.ts';

type Kind = 'spot' | 'perpetual';
const table: readonly [venue: string, kind: Kind, ticker: string, symbol: string, scale: number][] =
  [
    // Spellings of one coin.
    ['binance', 'perpetual', 'LUNA2', 'LUNA', 1],
    ['binance', 'perpetual', 'RAYSOL', 'RAY', 1],
    ['binance', 'perpetual', 'DODOX', 'DODO', 1],
    ['binance', 'perpetual', 'BEAMX', 'BEAM', 1],
    ['binance', 'perpetual', 'RONIN', 'RON', 1],
    ['bybit', 'perpetual', 'RAYDIUM', 'RAY', 1],
    ['bybit', 'perpetual', 'DOP1', 'DOP', 1],
    ['bybit', 'perpetual', 'PUMPFUN', 'PUMP', 1],
    ['okx', 'spot', 'BTTC', 'BTT', 1],
    ['kucoin', 'spot', 'NEIROCTO', 'NEIRO', 1],
    ['kucoin', 'perpetual', 'XBT', 'BTC', 1],
    ['kucoin', 'spot', 'KALT', 'ALT', 1],
    ['kucoin', 'spot', 'WAX', 'WAXP', 1],
    ['bitget', 'spot', 'TONCOIN', 'GRAM', 1],
    ['bingx', 'perpetual', 'GRAMTON', 'GRAM', 1],
    ['bybit', 'perpetual', 'SOLAYER', 'LAYER', 1],
    ['bybit', 'perpetual', 'NESA', 'NES', 1],
    ['kucoin', 'perpetual', 'TSTBSC', 'TST', 1],
    ['mexc', 'perpetual', 'LUNANEW', 'LUNA', 1],
    ['mexc', 'perpetual', 'ZKSYNC', 'ZK', 1],
    ['coinbase', 'spot', 'CGLD', 'CELO', 1],
    ['bitstamp', 'spot', 'UST', 'USTC', 1],
    ['bingx', 'perpetual', 'TRUMPSOL', 'TRUMP', 1],
    ['mexc', 'spot', 'GASNEO', 'GAS', 1],
    ['mexc', 'perpetual', 'STEPN', 'GMT', 1],
    ['mexc', 'spot', 'FLUX1', 'FLUX', 1],
    ['kraken', 'spot', 'XDG', 'DOGE', 1],
    ['kraken', 'spot', 'XBT', 'BTC', 1],
    ['kraken', 'spot', 'LUNA', 'LUNC', 1],
    ['kraken', 'spot', 'LUNA2', 'LUNA', 1],
    ['kraken', 'spot', 'REP', 'REPV1', 1],
    ['kraken', 'spot', 'REPV2', 'REP', 1],
    ['kraken', 'spot', 'UST', 'USTC', 1],
    ['bitfinex', 'spot', 'UST', 'USDT', 1],
    ['bitfinex', 'spot', 'LUNA', 'LUNC', 1],
    ['bitfinex', 'spot', 'LUNA2', 'LUNA', 1],
    ['bitfinex', 'spot', 'DSH', 'DASH', 1],
    ['bitfinex', 'spot', 'IOT', 'IOTA', 1],
    // The ticker of a known coin for another coin.
    ['kucoin', 'spot', 'ALT', 'APTOSLAUNCHTOKEN', 1],
    ['mexc', 'spot', 'GAS', 'GASDAO', 1],
    ['mexc', 'spot', 'GMT', 'GMTTOKEN', 1],
    ['mexc', 'spot', 'FLUX', 'FLUX1', 1],
    ['mexc', 'spot', 'XBT', 'XBT', 1],
    // At Bybit NEIRO was 0.02965 while NEIRO at Binance was 0.0002666 (March 2025).
    ['bybit', 'spot', 'NEIRO', 'NEIROETH', 1],
    ['bybit', 'spot', 'NEIROCTO', 'NEIRO', 1],
    ['binance', 'spot', 'NEIRO', 'NEIRO', 1],
    // By the contracts of the tokens, September 2026.
    ['gate', 'spot', 'EDGEX', 'EDGE', 1],
    ['gate', 'perpetual', 'EDGE', 'DEFINITIVE', 1],
    ['bitget', 'spot', 'EDGE', 'EDGE', 1],
    ['gate', 'spot', 'SIMONSCAT', 'CAT', 1],
    ['kucoin', 'spot', 'WAXL', 'AXL', 1],
    ['kucoin', 'spot', 'REDSTONE', 'RED', 1],
    ['kucoin', 'spot', 'AI', 'AIGENSYN', 1],
    ['binance', 'spot', 'AI', 'AI', 1],
    ['bitget', 'spot', 'FUN', 'SPORTFUN', 1],
    ['lighter', 'perpetual', 'AI', 'ARTIFICIALINU', 1],
    ['kucoin', 'perpetual', 'ALT', 'ALT', 1],
    ['mexc', 'perpetual', 'GMT', 'GMT', 1],
    ['mexc', 'perpetual', 'FLUX', 'FLUX', 1],
    ['mexc', 'perpetual', 'GAS', 'GAS', 1],
    ['bingx', 'perpetual', 'GRAM', 'GRAMBINGX', 1],
    // OKX 147.5, Bitget 1,443.39, KuCoin 1,657.99 (September 2026).
    ['okx', 'perpetual', 'OPENAI', 'OPENAI', 0.1],
    ['bitget', 'perpetual', 'OPENAI', 'OPENAI', 1],
    // Indices in dollars: 0.80 where Bitget and Hyperliquid state 1,100 points, 427 where Nikkei has 60,000 (September 2026).
    ['gate', 'perpetual', 'KR200', 'KR200USD', 1],
    ['gate', 'perpetual', 'JPN225', 'JPN225USD', 1],
    ['gate', 'perpetual', 'HK50', 'HK50USD', 1],
    ['bitget', 'perpetual', 'KR200', 'KR200', 1],
    ['bingx', 'perpetual', 'LIGHTER', 'LIT', 1],
    ['bingx', 'perpetual', 'GENSYN', 'AIGENSYN', 1],
    ['mexc', 'perpetual', 'FILECOIN', 'FIL', 1],
    ['mexc', 'perpetual', 'TRUMPOFFICIAL', 'TRUMP', 1],
    ['mexc', 'perpetual', 'NVIDIA', 'NVDA', 1],
    ['gate', 'spot', 'GTC', 'GAMECOM', 1],
    ['htx', 'spot', 'GTC', 'GAMECOM', 1],
    ['htx', 'spot', 'SOUL', 'SOULSAVER', 1],
    ['bingx', 'spot', 'TRUMP', 'TRUMPMAGA', 1],
    ['bitget', 'spot', 'OMNI', 'OMNIBITGET', 1],
    ['bitfinex', 'spot', 'HTX', 'HT', 1],
    ['bitfinex', 'spot', 'XCH', 'XCHF', 1],
    ['bitfinex', 'spot', 'IDX', 'IDX', 1],
    ['kraken', 'spot', 'EDGEX', 'EDGE', 1],
    ['kraken', 'spot', 'EDGE', 'DEFINITIVE', 1],
    ['coinbase', 'spot', 'EDGE', 'DEFINITIVE', 1],
    ['coinbase', 'spot', 'AI', 'AIGENSYN', 1],
    ['kraken', 'spot', 'AI', 'AIGENSYN', 1],
    ['okx', 'perpetual', 'AI', 'AIGENSYN', 1],
    ['aster', 'perpetual', 'AI', 'ARTIFICIALINU', 1],
    ['aster', 'perpetual', 'MEME', 'MEMEASTER', 1],
    ['mexc', 'perpetual', 'BUILDONBOB', 'BOB', 1],
    ['mexc', 'perpetual', 'OPENLEDGER', 'OPEN', 1],
    ['mexc', 'perpetual', 'SOONNETWORK', 'SOON', 1],
    ['bybit', 'perpetual', 'BOBBOB', 'BOB', 1],
    // Shares of BlackBerry and Quantinuum, whose tickers are those of coins.
    ['bybit', 'perpetual', 'BBX', 'BB', 1],
    ['kucoin', 'perpetual', 'QNTX', 'QNT', 1],
    ['binance', 'perpetual', '1000000BOB', 'BOBMEME', 1],
    ['kraken', 'spot', 'FUN', 'SPORTFUN', 1],
    ['kraken', 'spot', 'U', 'UNION', 1],
    ['okx', 'perpetual', 'PROS', 'PHAROS', 1],
    // The same tickers elsewhere.
    ['okx', 'spot', 'EDGE', 'EDGE', 1],
    ['okx', 'spot', 'LUNA', 'LUNA', 1],
    ['binance', 'spot', 'GTC', 'GTC', 1],
    ['okx', 'spot', 'REP', 'REP', 1],
    ['binance', 'spot', 'TRUMP', 'TRUMP', 1],
    // Coins under their old names.
    ['hyperliquid', 'perpetual', 'OM', 'MANTRA', 4],
    ['binance', 'spot', 'MANTRA', 'MANTRA', 1],
    ['okx', 'spot', 'MATIC', 'POL', 1],
    // Coinbase and Bitfinex kept TON in October 2026; Binance, OKX, Bybit, KuCoin, Gate and MEXC list GRAM.
    ['coinbase', 'spot', 'TON', 'GRAM', 1],
    ['okx', 'perpetual', 'GRAM', 'GRAM', 1],
    ['kraken', 'spot', 'EOS', 'A', 1],
    ['gate', 'spot', 'GAL', 'G', 60],
    ['htx', 'spot', 'AI16Z', 'ELIZAOS', 6],
    ['kucoin', 'spot', 'OMNI', 'NOM', 75],
    ['bitget', 'spot', 'OMNI1', 'NOM', 75],
    ['lighter', 'perpetual', 'LIT', 'LIT', 1],
    ['binance', 'spot', 'S', 'S', 1],
    ['okx', 'spot', 'SONIC', 'SONIC', 1],
    // Many coins in one unit.
    ['binance', 'perpetual', '1000PEPE', 'PEPE', 1_000],
    ['binance', 'perpetual', '1000X', 'X', 1_000],
    ['binance', 'spot', '1000SATS', 'SATS', 1_000],
    ['binance', 'perpetual', '1MBABYDOGE', 'BABYDOGE', 1_000_000],
    ['gate', 'perpetual', 'MBABYDOGE', 'BABYDOGE', 1_000_000],
    ['bybit', 'perpetual', '10000000AIDOGE', 'AIDOGE', 10_000_000],
    ['bybit', 'perpetual', '1000000MOG', 'MOG', 1_000_000],
    ['bybit', 'perpetual', '10000SATS', 'SATS', 10_000],
    ['bybit', 'perpetual', '100000AZ', 'AZ', 100_000],
    ['bybit', 'perpetual', '1000NEIROCTO', 'NEIRO', 1_000],
    ['bybit', 'perpetual', 'SHIB1000', 'SHIB', 1_000],
    ['kucoin', 'perpetual', '1000PEPE2', 'PEPE2', 1_000],
    ['hyperliquid', 'perpetual', 'kPEPE', 'PEPE', 1_000],
    ['hyperliquid', 'perpetual', 'kNEIRO', 'NEIRO', 1_000],
    ['backpack', 'perpetual', 'kBONK', 'BONK', 1_000],
    // Names that only look so.
    ['hyperliquid', 'spot', 'kHYPE', 'KHYPE', 1],
    ['okx', 'spot', 'kPEPE', 'KPEPE', 1],
    ['hyperliquid', 'perpetual', 'kava', 'KAVA', 1],
    ['binance', 'spot', '1INCH', '1INCH', 1],
    ['mexc', 'spot', '1CAT', '1CAT', 1],
    ['gate', 'spot', '1MIL', '1MIL', 1],
    ['gate', 'spot', '10SET', '10SET', 1],
    ['gate', 'spot', '88MPH', 'MPH', 1],
    ['gate', 'spot', 'MPH', 'MORPHER', 1],
    ['okx', 'perpetual', '4', '4', 1],
    ['bybit', 'perpetual', '0G', '0G', 1],
    ['bybit', 'perpetual', '2Z', '2Z', 1],
    ['binance', 'perpetual', 'MANA', 'MANA', 1],
    ['gate', 'spot', 'MOVE', 'MOVE', 1],
    ['gate', 'spot', '1000', '1000', 1],
    ['gate', 'spot', 'X1000', 'X1000', 1],
    ['binance', 'perpetual', '币安人生', '币安人生', 1],
    ['okx', 'spot', 'pepe', 'PEPE', 1],
  ];

t.test('a ticker means this asset, so many of it in a unit', async (t) => {
  for (const [venue, kind, ticker, symbol, scale] of table)
    t.strictSame(assetOf(ticker, { venue, kind }), { symbol, scale }, `${venue} ${kind} ${ticker}`);
});

t.test('the words of an exchange for money', async (t) => {
  const quotes = [
    ['bitfinex', 'UST', 'USDT'],
    ['bitfinex', 'UDC', 'USDC'],
    ['kraken', 'ZUSD', 'USD'],
    ['kraken', 'XBT', 'BTC'],
    ['cryptocom', 'USD_STABLE_COIN', 'USDC'],
    ['bitstamp', 'UST', 'USTC'],
    ['okx', 'USDT', 'USDT'],
  ] as const;
  t.strictSame(
    ['USDT', 'USDC', 'BTC'].map((asset) => wordOf(asset, 'bitfinex')),
    ['UST', 'UDC', 'BTC'],
  );
  for (const [venue, ticker, name] of quotes)
    t.equal(currencyOf(ticker, venue), name, `${venue} ${ticker}`);
});

t.test(
  'a token of Hyperliquid is an asset of another chain by its index or by its maker',
  async (t) => {
    const tokens = [
      [{ index: 197, name: 'UBTC', fullName: 'Unit Bitcoin' }, 'BTC'],
      [{ index: 197, name: 'UBTC', fullName: null }, 'BTC'],
      [{ index: 197, name: 'XYZ', fullName: null }, 'XYZ'],
      [{ index: 903, name: 'UBTC', fullName: null }, 'UBTC'],
      [{ index: 299, name: 'UPUMP', fullName: null }, 'PUMP'],
      [{ index: 34, name: 'PUMP', fullName: null }, 'PUMPHYPERLIQUID'],
      [{ index: 35, name: 'MON', fullName: 'Mon' }, 'MONHYPERLIQUID'],
      [{ index: 9, name: 'TRUMP', fullName: null }, 'TRUMPHYPERLIQUID'],
      [{ index: 60, name: 'Pepe', fullName: 'Pepe' }, 'PEPEHYPERLIQUID'],
      [{ index: 61, name: 'CAT', fullName: null }, 'CATHYPERLIQUID'],
      [{ index: 62, name: 'PERP', fullName: null }, 'PERPHYPERLIQUID'],
      [{ index: 63, name: 'FUN', fullName: null }, 'FUNHYPERLIQUID'],
      [{ index: 62, name: 'ANT', fullName: 'Anthill' }, 'ANTHYPERLIQUID'],
      [{ index: 110, name: 'G', fullName: 'G' }, 'GHYPERLIQUID'],
      // By the words of all exchanges MON, AAVE by the hundred, a currency, and a thousand of another.
      [{ index: 112, name: 'MONAD', fullName: 'Monad' }, 'MONADHYPERLIQUID'],
      [{ index: 249, name: 'LEND', fullName: 'Lending' }, 'LENDHYPERLIQUID'],
      [{ index: 277, name: 'RUB', fullName: 'Rub' }, 'RUBHYPERLIQUID'],
      [{ index: 278, name: '1000CAT', fullName: null }, '1000CATHYPERLIQUID'],
      [{ index: 407, name: 'TSLA', fullName: 'Tesla - Wagyu.xyz' }, 'TSLA'],
      [{ index: 403, name: 'UMEGA', fullName: 'Unit MegaETH' }, 'MEGA'],
      [{ index: 443, name: 'UVIRT', fullName: 'Unit Virtual' }, 'VIRTUAL'],
      [{ index: 451, name: 'UAVAX', fullName: 'Unit Avalanche' }, 'AVAX'],
      [{ index: 949, name: 'UAVAX', fullName: null }, 'UAVAX'],
      [{ index: 346, name: 'AAVE0', fullName: null }, 'AAVE'],
      [{ index: 449, name: 'TAO1', fullName: 'TAO - Wagyu.xyz' }, 'TAO'],
      [{ index: 410, name: 'UMON', fullName: 'Unit Monad' }, 'MON'],
      [{ index: 411, name: 'UDZ', fullName: 'Unit DoubleZero' }, '2Z'],
      [{ index: 412, name: 'LINK0', fullName: 'LINK0' }, 'LINK'],
      [{ index: 413, name: 'FXRP', fullName: 'FXRP' }, 'XRP'],
      [{ index: 150, name: 'HYPE', fullName: 'Hyperliquid' }, 'HYPE'],
      [{ index: 151, name: 'kHYPE', fullName: null }, 'KHYPE'],
      [{ index: 1, name: 'PURR', fullName: null }, 'PURR'],
    ] as const;
    for (const [token, asset] of tokens) t.equal(assetOfToken(token), asset, token.name);
  },
);

t.test('a leveraged token is one of a base beside it; JUP is no token of J', async (t) => {
  const bases = new Set(['', 'BTC', 'J', 'S', 'UP', 'ETH', 'ETHDOWN', 'ETHUP', 'SYR']);
  // Gate's tokens of shares: https://github.com/iterativv/NostalgiaForInfinity/pull/1027
  for (const listed of ['TSLA3L', 'TSLA3S', 'SPY3L', 'XYZ3L', 'XYZ2S']) bases.add(listed);
  const tokens = ['BTC3L', 'BTC5S', 'ETHUP', 'ETHDOWN', 'TSLA3L', 'TSLA3S'];
  const coins = ['JUP', 'SUP', 'UP', 'SYRUP', 'BTC', 'XYZ3L', 'BTC6L', 'BTCUP', 'BTCBULL'];
  for (const name of tokens) t.equal(isLeveraged(name, bases), true, name);
  for (const name of coins) t.equal(isLeveraged(name, bases), false, name);
});

t.test(
  'no two tickers of an exchange are one coin, but where old and new names stand side by side',
  async (t) => {
    const symbols = (words: ReadonlyMap<string, string>) => [...words.values()];
    // Prefixes of ids beside plain tickers, networks of one coin, a derivative's name beside the spot one.
    const twice = new Set(['kraken REPV1', 'kraken DOGE', 'gate GAMECOM']);
    for (const [venue, words] of ownTickers) {
      const all = symbols(words);
      const again = all.filter((name, i) => all.indexOf(name) !== i);
      t.strictSame(
        again.filter((name) => !twice.has(`${venue} ${name}`)),
        [],
        venue,
      );
    }
    const made = [...ownTickers.values()].flatMap(symbols).concat(symbols(spellings));
    for (const name of [...made, ...[...migrations.values()].map(({ to }) => to)])
      t.match(name, new RegExp(tickerPattern, 'u'));
  },
);

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const places = [...ownTickers.keys(), 'hyperliquid', 'okx', 'woo'];
const plain = fc
  .string({ unit: fc.constantFrom(...letters), minLength: 3, maxLength: 8 })
  .filter((name) => places.every((venue) => assetOf(name, { venue }).symbol === name));

t.test('a lot is the coin and how many of it, at every exchange', async (t) => {
  const lots: readonly (readonly [(name: string) => string, number])[] = [
    [(name) => `1000${name}`, 1_000],
    [(name) => `10000${name}`, 10_000],
    [(name) => `100000${name}`, 100_000],
    [(name) => `1000000${name}`, 1_000_000],
    [(name) => `10000000${name}`, 10_000_000],
    [(name) => `1M${name}`, 1_000_000],
    [(name) => `${name}1000`, 1_000],
  ];
  const one = fc.tuple(plain, fc.constantFrom(...lots), fc.constantFrom(...places));
  await property(t, one, ([name, [write, scale], venue]) => {
    assert.deepEqual(assetOf(write(name), { venue }), { symbol: name, scale });
    assert.equal(assetOf(name.toLowerCase(), { venue }).symbol, name);
  });
});

t.test('two names of letters that no table holds stay two', async (t) => {
  const pair = fc.tuple(plain, plain, fc.constantFrom(...places));
  await property(t, pair, ([one, other, venue]) => {
    const [a, b] = [assetOf(one, { venue }), assetOf(other, { venue })];
    assert.equal(a.symbol === b.symbol, one === other);
  });
});
