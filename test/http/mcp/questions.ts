/**
 * What a person asks, the calls of tools that answer it, at most two, and the answer as it follows from the tables of the
 * world. A place in an answer is a path: `symbol=SOL` is the member with that value, `max(price)` the one with the largest,
 * `*` all of them, `key` the name of the one before.
 */
import { venues } from '../../../actors/venues/registry.ts';
import {
  book,
  closes,
  coins,
  exchanges,
  expiry,
  failing,
  forced,
  gas,
  hotWallets,
  type Market,
  markets,
  optionStrikes,
  pairs,
  symbols,
  technical,
  walletTokens,
} from './world.ts';

/** A tool, its arguments, and places in its answer. */
type Call = readonly [tool: string, given: Readonly<Record<string, unknown>>, places: string];

/** The answer is what stands at all places of all calls, one after the other. */
export type Question = readonly [
  ask: string,
  answer: readonly unknown[],
  ...calls: readonly [Call] | readonly [Call, Call],
];

const sum = <T>(of: readonly T[], value: (row: T) => number): number =>
  of.reduce((total, row) => total + value(row), 0);

function most<T>(of: readonly T[], value: (row: T) => number): T {
  const [first] = of.toSorted((a, b) => value(b) - value(a));
  if (first === undefined) throw new Error('of nothing');
  return first;
}

const least = <T>(of: readonly T[], value: (row: T) => number): T => most(of, (row) => -value(row));

const of = (symbol: string): readonly Market[] => markets.filter((row) => row.symbol === symbol);
const on = (exchange: string): readonly Market[] =>
  markets.filter((row) => row.exchange === exchange);
const market = (exchange: string, symbol: string): Market =>
  most(of(symbol), (row) => (row.exchange === exchange ? 1 : 0));

/** Funding of eight hours and of a year of 365 days, as fractions. */
const eight = ({ rate, hours }: Market) => (rate * 8) / hours;
const yearly = (row: Market) => eight(row) * 3 * 365;
const mean = (rows: readonly Market[], value: (row: Market) => number) =>
  sum(rows, value) / rows.length;
const price = (row: Market) => row.price;
const interest = (row: Market) => row.interest;
const volume = (row: Market) => row.volume;
const spotVolume = (row: Market) => row.spotVolume;
const highest = (symbol: string) => most(of(symbol), yearly);
const lowest = (symbol: string) => least(of(symbol), yearly);
const spread = (symbol: string) => yearly(highest(symbol)) - yearly(lowest(symbol));
const widest = most(symbols, spread);
const biggest = most(exchanges, (exchange) => sum(on(exchange), interest));
const middle = (symbol: string) => {
  const [, , low = 0, high = 0] = of(symbol)
    .map(price)
    .sort((a, b) => a - b);
  return (low + high) / 2;
};

const gone = (rows: typeof forced) => sum(rows, ({ value }) => value);
const forcedOf = (symbol: string, side?: string) =>
  forced.filter((row) => row.symbol === symbol && (side ?? row.side) === row.side);
const forcedOn = (exchange: string) => gone(forced.filter((row) => row.exchange === exchange));
const forcing = [...new Set(forced.map(({ exchange }) => exchange))];

const optionsOf = (type: string) => optionStrikes.filter((row) => row.type === type);
const optionCoins = (rows: readonly { coins: number }[]) => sum(rows, (row) => row.coins);
const ratio = optionCoins(optionsOf('put')) / optionCoins(optionsOf('call'));
/** What the holders of all options get at this price. */
const payout = (at: number) =>
  sum(optionStrikes, (row) => {
    const inside = row.type === 'call' ? at - row.strike : row.strike - at;
    return Math.max(0, inside) * row.coins;
  });

const rise = (symbol: string) => mean(of(symbol), ({ change }) => change);
const fallen = symbols.filter((symbol) => rise(symbol) < 0).sort((a, b) => rise(a) - rise(b));
const hot = Object.fromEntries(hotWallets.map((row) => [row.label, row.eth_balance]));
const mid = (book.bid + book.ask) / 2;
const wallet = { address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045' };

const overview = (view: string, place: string): Call => ['market_overview', { view }, place];
const prices = (symbol: string, place: string): Call => ['price', { symbol }, place];
const funding = (symbol: string, place: string): Call => ['funding', { symbol }, place];
const fundingBy = (view: string, given: object, place: string): Call => [
  'funding',
  { view, ...given },
  place,
];
const open = (symbol: string, place: string): Call => ['open_interest', { symbol }, place];
const forcedBy = (view: string, place: string): Call => ['liquidations', { view }, place];
const option = (view: string, place: string): Call => ['options', { view, symbol: 'BTC' }, place];
const chain = (view: string, place: string): Call => ['on_chain', { view }, place];
const candles = (view: string, place: string): Call => [
  'candles_with_indicators',
  { view, symbol: 'BTC' },
  place,
];
const bookOf = (place: string): Call => [
  'order_book',
  { exchange: 'binance', symbol: 'BTC' },
  place,
];
const SOL = { symbol: 'SOL' };
const BTC = { symbol: 'BTC' };

// biome-ignore format: one question, one row
export const questions: readonly Question[] = [
  ['Which exchange pays the most funding on SOL?', [highest('SOL').exchange], funding('SOL', 'highest/exchange')],
  ['Where is a long in SOL cheapest to hold?', [lowest('SOL').exchange], funding('SOL', 'lowest/exchange')],
  ['In which order do exchanges pay funding on DOGE?', of('DOGE').toSorted((a, b) => yearly(b) - yearly(a)).map((row) => row.exchange), funding('DOGE', 'rates/*/exchange')],
  ['What is the funding of BTC on okx for eight hours?', [eight(market('okx', 'BTC'))], funding('BTC', 'rates/exchange=okx/funding_rate_8h')],
  ['How often is funding paid on hyperliquid?', [market('hyperliquid', 'ETH').hours], funding('ETH', 'rates/exchange=hyperliquid/interval_hours')],
  ['What would a long in XRP on gate pay in a year?', [yearly(market('gate', 'XRP'))], funding('XRP', 'rates/exchange=gate/annualized')],
  ['What is the average funding of ETH?', [mean(of('ETH'), eight)], funding('ETH', 'average_rate_8h')],
  ['And weighted by turnover, for BTC?', [sum(of('BTC'), (row) => eight(row) * row.volume) / sum(of('BTC'), volume)], fundingBy('weighted', BTC, 'vol_weighted_rate_8h')],
  ['And by open interest, for SOL?', [sum(of('SOL'), (row) => eight(row) * row.interest) / sum(of('SOL'), interest)], fundingBy('weighted', SOL, 'oi_weighted_rate_8h')],
  ['Which asset has the highest funding on average?', [most(symbols, (symbol) => mean(of(symbol), yearly))], fundingBy('current', {}, 'items/max(annualized)/symbol')],
  ['What is the widest funding arbitrage, and where?', [widest, lowest(widest).exchange, highest(widest).exchange], fundingBy('arbitrage', {}, 'items/0/symbol items/0/long/exchange items/0/short/exchange')],
  ['What does funding arbitrage on BTC bring in a year, percent?', [spread('BTC') * 100], fundingBy('arbitrage', BTC, 'items/0/apr_percent')],
  ['How far is the BTC perpetual of okx from its index, percent?', [(market('okx', 'BTC').price / market('okx', 'BTC').spot - 1) * 100], fundingBy('term_structure', BTC, 'items/exchange=okx/basis_percent')],
  ['What does BTC cost on okx?', [market('okx', 'BTC').price], prices('BTC', 'exchanges/okx/price')],
  ['What is the median price of SOL?', [middle('SOL')], prices('SOL', 'median_price')],
  ['What is the average price of XRP?', [mean(of('XRP'), price)], prices('XRP', 'average_price')],
  ['Where is ETH cheapest?', [least(of('ETH'), price).exchange], prices('ETH', 'exchanges/min(price)/key')],
  ['Where is BTC dearest?', [most(of('BTC'), price).exchange], prices('BTC', 'exchanges/max(price)/key')],
  ['How many exchanges have DOGE?', [of('DOGE').length], prices('DOGE', 'exchange_count')],
  ['What does SOL cost on binance, and on hyperliquid?', [market('binance', 'SOL').price, market('hyperliquid', 'SOL').price], prices('SOL', 'exchanges/binance/price exchanges/hyperliquid/price')],
  ['Which asset has the most open interest?', [most(symbols, (symbol) => sum(of(symbol), interest))], ['open_interest', {}, 'max(total_oi_usd)/key']],
  ['How much open interest has ETH?', [sum(of('ETH'), interest)], open('ETH', 'total_oi_usd')],
  ['Which exchange has the most open interest in BTC?', [most(of('BTC'), interest).exchange], open('BTC', 'exchanges/max(oi_usd)/key')],
  ['How many SOL are open on bybit?', [interest(market('bybit', 'SOL')) / price(market('bybit', 'SOL'))], open('SOL', 'exchanges/bybit/oi_contracts')],
  ['Which exchange is the largest in futures, and what is its share?', [biggest, sum(on(biggest), interest) / sum(markets, interest)], overview('exchanges', 'items/0/exchange items/0/oi_share')],
  ['On which exchange do most futures change hands?', [most(exchanges, (exchange) => sum(on(exchange), volume))], overview('exchanges', 'items/max(volume_24h_usd)/exchange')],
  ['What is the turnover of all spot markets, and of all futures?', [sum(markets, spotVolume), sum(markets, volume)], overview('assets', 'total_spot_volume_24h_usd total_futures_volume_24h_usd')],
  ['What is the spot turnover of SOL?', [sum(of('SOL'), spotVolume)], overview('spot_assets', 'items/symbol=SOL/volume_24h_usd')],
  ['What is the futures turnover of XRP?', [sum(of('XRP'), volume)], overview('futures_assets', 'items/symbol=XRP/volume_24h_usd')],
  ['What rose most today?', [most(symbols, rise)], overview('futures_gainers', 'items/0/symbol')],
  ['What fell today, the most first?', fallen, overview('spot_losers', 'items/*/symbol')],
  ['What is the best bid for BTC on binance?', [book.bid], bookOf('bids/0/price')],
  ['And the spread, percent?', [((book.ask - book.bid) / mid) * 100], bookOf('spread_pct')],
  ['Where did the last hour of BTC close?', [closes.at(-1)], candles('candles', 'bars/-1/close')],
  ['What was the highest hourly close of the day?', [Math.max(...closes)], candles('candles', 'bars/max(close)/close')],
  ['Is BTC overbought by RSI?', [technical.rsi], candles('indicators', 'rsi')],
  ['Has BTC closed above its average of 50 hours?', [closes.at(-1), technical.ema50], candles('candles', 'bars/-1/close'), candles('indicators', 'ema50')],
  ['How much of BTC was liquidated today?', [gone(forcedOf('BTC'))], forcedBy('by_symbol', 'items/symbol=BTC/liquidation_usd_24h')],
  ['More longs or more shorts of ETH?', [gone(forcedOf('ETH', 'long')), gone(forcedOf('ETH', 'short'))], forcedBy('by_symbol', 'items/symbol=ETH/long_24h_usd items/symbol=ETH/short_24h_usd')],
  ['Which asset was liquidated most?', [most(['BTC', 'ETH', 'SOL'], (symbol) => gone(forcedOf(symbol)))], forcedBy('by_symbol', 'items/max(liquidation_usd_24h)/symbol')],
  ['On which exchange, besides all together?', [most(forcing, forcedOn)], forcedBy('by_exchange', 'items/1/exchange')],
  ['What was the largest forced order, and where?', [most(forced, ({ value }) => value).exchange, most(forced, ({ value }) => value).value], forcedBy('orders', 'orders/max(value_usd)/exchange orders/max(value_usd)/value_usd')],
  ['What is the max pain of BTC options?', [least(optionStrikes, ({ strike }) => payout(strike)).strike], option('max_pain', 'expiries/0/max_pain_price')],
  ['What is the put/call ratio, and when do they expire?', [ratio, new Date(expiry).toISOString().slice(0, 10)], option('expiries', 'put_call_ratio expiries/0/date')],
  ['Which strike is held most?', [most(optionStrikes, (row) => row.coins).strike], option('greeks', 'items/max(open_interest_base)/strike')],
  ['How many BTC are in options?', [optionCoins(optionStrikes)], option('exchanges', 'items/0/open_interest_base')],
  ['Which chain has the cheapest gas, and what is it on Ethereum?', [least(Object.entries(gas), ([, gwei]) => gwei)[0], gas.ethereum], chain('gas', 'min(gas_gwei)/chain chain=ethereum/gas_gwei')],
  ['Which stablecoin is the largest?', [most(coins, (coin) => coin.circulating).symbol], chain('stablecoins', 'stablecoins/max(circulating)/symbol')],
  ['On which chains is USDC?', coins.flatMap((coin) => (coin.symbol === 'USDC' ? coin.chains : [])), chain('stablecoins', 'stablecoins/symbol=USDC/chains/*')],
  ['How much ETH has the hot wallet of Binance?', [hot.binance_hot], chain('exchange_wallets', 'label=binance_hot/eth_balance')],
  ['How deep is the pool of PEPE?', pairs.flatMap((pair) => (pair.base_token === 'PEPE' ? [pair.liquidity_usd] : [])), ['on_chain', { view: 'dex_search', q: 'PEPE' }, 'pairs/base_token=PEPE/liquidity_usd']],
  ['What is this wallet worth, and what is most of it?', [sum(walletTokens, (row) => row.value_usd), most(walletTokens, (row) => row.value_usd).token], ['wallet', wallet, 'total_value_usd tokens/max(value_usd)/token']],
  ['Which source does not answer?', [failing], ['source_health', {}, 'sources/state=down/key']],
  ['How old are the data of okx, ms?', [(exchanges.indexOf('okx') + 1) * 1_000], ['source_health', {}, 'sources/okx/feeds/0/age_ms']],
  ['Which exchanges are there?', Object.keys(venues), ['source_health', { view: 'exchanges' }, 'exchanges/*/id']],
  ['Where do I find gas prices, and what are they on Base?', ['/v1/onchain/gas', gas.base], ['search_endpoints', { query: 'gas prices' }, 'endpoints/0/path'], ['call_endpoint', { path: '/v1/onchain/gas' }, 'chain=base/gas_gwei']],
  ['Has the exchange with the most open interest in BTC the dearest BTC too?', [most(of('BTC'), interest).exchange, most(of('BTC'), price).exchange], open('BTC', 'exchanges/max(oi_usd)/key'), prices('BTC', 'exchanges/max(price)/key')],
];
