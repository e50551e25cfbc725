/** HTX to Kraken: what is recorded of each, and where ccxt reads it otherwise. */
import type { Exchange } from 'ccxt';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { byPath, listing, offline, replayed } from '../ccxt.ts';
import {
  type Body,
  bars,
  book,
  facts,
  handMade,
  instruments,
  perpetual,
  type RecordedVenue,
  refusal,
  rows,
} from './check.ts';
import type { Loose } from './columns.ts';

const bitcoin = 'BTC/USD:BTC';

const htxSpot = (symbol: string, base: string, quote: string) => ({
  ...{ symbol, 'base-currency': base, 'quote-currency': quote, state: 'online' },
});
const htxIndices = { data: [{ contract_code: 'BTC-USD', index_price: 64000 }] };
const htxRate = (body: Body, market: string, hours: number) =>
  rows('derivatives', 'inverse', [body, htxIndices], {
    known: [perpetual(market, { quote: 'USD', inverse: true })],
    but: { funding_hours: hours, mark: undefined, index: undefined },
  });

/** Contracts: ccxt leaves both sides of volumes and open interest. */
export const htx: RecordedVenue = {
  // The recorded spot list holds a leveraged token only; coin-margined swaps and futures have none.
  load: (read) =>
    replayed(
      'htx',
      byPath({
        'common/symbols': {
          data: [
            ...[...read('spot-symbols').data, htxSpot('btcusdt', 'btc', 'usdt')],
            ...[htxSpot('smtusdt', 'smt', 'usdt'), htxSpot('ltcht', 'ltc', 'ht')],
          ],
        },
        'linear-swap-api/v1/swap_contract_info': read('perp-linear-contracts'),
        '/swap_contract_info': {
          data: [
            { symbol: 'BTC', contract_code: 'BTC-USD', contract_size: 100, contract_status: 1 },
          ],
        },
        contract_contract_info: {
          data: [
            {
              ...{
                symbol: 'BTC',
                contract_code: 'BTC211126',
                contract_size: 100,
                contract_status: 1,
              },
              ...{ delivery_date: '20211126', delivery_time: '1637913600000' },
            },
          ],
        },
        'market/tickers': read('spot-tickers'),
        'v5/market/open_interest': read('perp-linear-open-interest-v5'),
        'swap-api/v1/swap_open_interest': read('perp-inverse-open-interest'),
      }),
    ),
  lists: { linear: 'perp-linear-contracts', spot: 'spot-symbols' },
  checks: [
    instruments('linear', 4, { but: (_, { swap }) => ({ followed: swap }) }),
    // ccxt follows leveraged tokens.
    instruments('spot', 1, { but: { market: 'xrp3susdt', symbol: 'XRP3S', followed: false } }),
    // The second market quotes in HT, which we do not follow: taken as if in USDT. ccxt passes no time on.
    rows('prices', 'spot', ['spot-tickers'], {
      known: ['smtusdt', 'ltcht'].map((id) => handMade(id)),
      theirs: async (exchange, { symbol }) =>
        (await exchange.fetchTickers())[exchange.safeSymbol(symbol)],
      but: { stated: 1629789355531 },
    }),
    // No `trade_turnover` yet: base x close, one side. ccxt reads `vol`, which is contracts in other answers.
    rows('prices', 'linear', ['perp-linear-tickers'], {
      at: 'ticks',
      known: [perpetual('BTC-USDT', { contract: 0.001 })],
      but: (_, { baseVolume, last }) => ({
        ...{ volume: (baseVolume * last) / 2, base: baseVolume / 2 },
      }),
    }),
    rows('derivatives', 'linear', [htxIndices, 'perp-linear-funding-v5'], {
      native: ([, body]) => body.data,
      known: [perpetual('BTC-USDT')],
      but: { stated: 1781235318758, mark: undefined, index: undefined },
    }),
    htxRate('perp-batch-funding-shape', 'MANA-USDT', 8),
    // next_funding_time null; ccxt then has no interval.
    htxRate(
      (read) => ({ ...read('perp-inverse-funding'), data: [read('perp-inverse-funding').data] }),
      'BTC-USD',
      8,
    ),
    // Half of both sides. ccxt's amount is a number of contracts: 0.001 BTC each.
    rows('openInterest', 'linear', ['perp-linear-open-interest-v5'], {
      native: () => [{}],
      known: [perpetual('BTC-USDT')],
      theirs: (exchange) => exchange.fetchOpenInterest('BTC/USDT:USDT'),
      but: (_, { openInterestAmount, openInterestValue }) => ({
        ...{ units: (openInterestAmount * 0.001) / 2, value: openInterestValue / 2 },
      }),
    }),
    // The same here: 100 USD each; the base is stated in `amount`.
    rows('openInterest', 'inverse', ['perp-inverse-open-interest'], {
      native: () => [{}],
      known: [perpetual('BTC-USD', { quote: 'USD', contract: 100, inverse: true })],
      theirs: (exchange) => exchange.fetchOpenInterest(bitcoin),
      but: (_, { openInterestAmount }) => ({
        ...{ units: 2769.6757774070747 / 2, value: (openInterestAmount * 100) / 2 },
      }),
    }),
    book('spot', 'spot-orderbook', 'X', { at: 'tick', stated: ({ tick }) => tick.ts, levels: 3 }),
    // ccxt leaves contracts as they are: 0.001 BTC each.
    book('linear', 'perp-orderbook', 'X', {
      ...{
        at: 'tick',
        stated: ({ tick }) => tick.ts,
        instrument: handMade('X', { contract: 0.001 }),
      },
      base: (quantity) => quantity * 0.001,
    }),
    bars('spot', 'spot-candles', 'btcusdt', { turnover: [1505870.732227976, 193489.67275732] }),
    bars('linear', 'perp-candles', 'BTC-USDT', {
      ...{ base: (quantity) => quantity / 2, turnover: [52.3072 / 2] },
    }),
    refusal('spot', 'error', { code: 'refused', message: 'HTX error o-amount-min-error' }),
    refusal('spot', 'error-v5', { code: 'refused', message: 'HTX error 1003' }),
  ],
};

/** A market and its context in one object, as the library joins them before it parses. */
const joined = ([body]: readonly Loose[]): Loose[] =>
  body[0].universe.map((market: object, i: number) => ({ ...market, ...body[1][i] }));
const perpNames = ['meta-and-asset-ctxs', 'analytics-meta-and-asset-ctxs'];

export const hyperliquid: RecordedVenue = {
  // The library counts perpetuals by position.
  load: (read) =>
    listing(
      'hyperliquid',
      joined([read('meta-and-asset-ctxs')]).map((row, i) => ({ ...row, baseId: i })),
    ),
  lists: { spot: 'spot-meta-and-asset-ctxs', perp: 'meta-and-asset-ctxs' },
  received: 1_750_000_001_000,
  checks: [
    rows('instruments', 'perp', ['meta-and-asset-ctxs'], {
      native: joined,
      theirs: (exchange, { name }) => exchange.market(`${name}/USDC:USDC`),
      // The library makes one out of the price: five significant digits.
      but: { step: undefined },
    }),
    // The library reads spot lists inside a request only; token 1 is PURR, token 0 USDC.
    rows('instruments', 'spot', ['spot-meta-and-asset-ctxs'], {
      native: () => [{}],
      theirs: () => ({ base: 'PURR', quote: 'USDC', active: true, spot: true }),
      but: { market: 'PURR/USDC', swap: false },
    }),
    ...perpNames.flatMap((name) => [
      rows('prices', 'perp', [name], {
        native: joined,
        // ccxt takes the prices of a fixed amount for the best ones.
        but: (_, { close }) => ({
          ...{ price: close, change: (108.05 / 111.81 - 1) * 100, bid: null, ask: null },
        }),
      }),
      // The library's own next time is that of the machine's clock; ours is that of receipt.
      rows('derivatives', 'perp', [name], {
        native: joined,
        but: { next_funding: 1_750_003_200_000, stated: undefined },
      }),
      // The library gives no value: units x mark.
      rows('openInterest', 'perp', [name], {
        native: joined,
        theirs: (exchange, info) => exchange.parseOpenInterest({ info }),
        but: { value: 10764.48 * 108.04, stated: undefined },
      }),
    ]),
    // A spot context without a name belongs to the pair at its position.
    rows('prices', 'spot', ['spot-meta-and-asset-ctxs'], {
      native: joined,
      but: (_, { close }) => ({ price: close }),
    }),
    book('perp', 'order-book', 'DYDX', {
      ...{ levels: 5, stated: ({ time }) => time, keys: ['0', '1', 'px', 'sz'], at: 'levels' },
    }),
    // ccxt leaves thousands as they are.
    bars('perp', 'candles', 'kPEPE', {
      instrument: perpetual('kPEPE', { scale: 1000 }),
      at: '',
      ours: ({ open, high, low, close, volume, ...bar }) => ({
        ...bar,
        ...{ open: open * 1000, high: high * 1000, low: low * 1000, close: close * 1000 },
        volume: volume / 1000,
      }),
    }),
    refusal('info', 'error-unknown-coin-book', { code: 'unknown_instrument', status: 200 }),
    refusal('info', 'error-unknown-type', null),
  ],
};

const krakenPerpetual = (market: string, more: Partial<Instrument> = {}) =>
  perpetual(market, { quote: 'USD', funding_hours: 1, ...more });
/** The library of the futures; the recorded list does not hold every market. */
let charts: Promise<Loose> | undefined;
const krakenFutures = (): Promise<Loose> => {
  charts ??= offline('krakenfutures').then((library: Exchange) =>
    Object.assign(Object(library), { symbol: (id: string) => id }),
  );
  return charts;
};
const perpetualRows = {
  native: ([body]: readonly Loose[]) =>
    body.tickers.filter((row: { tag: string }) => row.tag === 'perpetual'),
};
const isInverse = ({ symbol }: { symbol?: string }) => symbol === 'PI_XBTUSD';
const krakenTickers = ['futures-tickers', 'futures-ticker-funding', 'analytics-futures-tickers'];
/** One ticker without funding, as a list. */
const oneTicker: Body = (read) => {
  const { ticker, serverTime } = read('futures-ticker-one');
  return { result: 'success', tickers: [ticker], serverTime };
};
const oneRow = { native: () => [{}], theirs: () => null };

/** Not read: what we do not ask for (trades, and the older of the two funding histories). */
export const kraken: RecordedVenue = {
  load: (read) => offline('kraken', byPath({ AssetPairs: read('spot-pairs') })),
  lists: { spot: 'spot-pairs' },
  // The recorded rows are of other markets than the recorded lists.
  known: {
    futures: [
      krakenPerpetual('PI_XBTUSD', { symbol: 'BTC', inverse: true }),
      krakenPerpetual('PF_XBTUSD', { symbol: 'BTC' }),
      krakenPerpetual('PF_ENJUSD', { symbol: 'ENJ' }),
      handMade('FI_XBTUSD_211231', { kind: 'other' }),
    ],
  },
  checks: [
    rows('instruments', 'spot', ['spot-pairs'], {
      native: () => [{}],
      theirs: async (exchange) => (await exchange.fetchMarkets())[0],
      but: (_, { id }) => ({ market: id, scale: 1, funding_hours: null }),
    }),
    rows('instruments', 'futures', ['futures-instruments'], {
      at: 'instruments',
      theirs: async (_, wire) =>
        (
          await replayed(
            'krakenfutures',
            byPath({ instruments: { result: 'success', instruments: [wire] } }),
          )
        ).safeMarket(wire.symbol),
      but: { followed: true },
    }),
    // ccxt takes the open of the UTC day for that of the last 24 h.
    rows('prices', 'spot', ['spot-tickers'], {
      native: ([body]) => [body.result.XXBTZUSD],
      known: [handMade('XXBTZUSD', { quote: 'USD' })],
      but: { change: null, stated: undefined },
    }),
    ...krakenTickers.flatMap((name) => [
      // ccxt gives no quote volume of linear contracts, and the time of the last trade.
      rows('prices', 'futures', [name], {
        ...perpetualRows,
        theirs: async (_, wire) => (await krakenFutures()).parseTicker(wire),
        but: (wire) =>
          isInverse(wire)
            ? { stated: Date.parse('2022-06-17T11:00:31.335Z') }
            : { volume: wire.volumeQuote, stated: undefined },
      }),
      // ccxt divides by the price here too, where the rate is in base per USD.
      rows('derivatives', 'futures', [name], {
        ...perpetualRows,
        theirs: async (_, wire) => (await krakenFutures()).parseFundingRate(wire),
        but: (wire) => ({
          ...{ stated: undefined, next_funding: undefined, funding_hours: 1 },
          ...(isInverse(wire) && {
            funding_rate: Number(wire.fundingRate) * Number(wire.markPrice),
          }),
        }),
      }),
      // ccxt does not read the open interest of a ticker.
      rows('openInterest', 'futures', [name], {
        ...perpetualRows,
        theirs: () => null,
        but: (wire) => {
          const [open, mark] = [Number(wire.openInterest), Number(wire.markPrice)];
          return isInverse(wire)
            ? { units: open / mark, value: open }
            : { units: open, value: open * mark };
        },
      }),
    ]),
    // Base x last where there is no volumeQuote.
    rows('prices', 'futures', [oneTicker], {
      ...{ ...oneRow, but: { volume: 8309.2546 * 77334, change: (77334 / 77332 - 1) * 100 } },
    }),
    rows('derivatives', 'futures', [oneTicker], {
      ...oneRow,
      but: {
        ...{ mark: 77343.38154086834, index: 77340.22, funding_rate: null },
        next_funding: Date.parse('2026-09-02T18:00:00Z'),
      },
    }),
    // The history states both rates; their quotient is the price, about 20.7k in June 2022.
    facts('relative funding = absolute x price', ({ read }) => {
      const quotients = read('futures-funding-history').rates.map(
        (row: Record<string, number>) => Number(row.relativeFundingRate) / Number(row.fundingRate),
      );
      const isPrice = (price: number) => price > 20_000 && price < 22_000;
      return [
        { prices: quotients.every(isPrice), some: quotients.length > 0 },
        { prices: true, some: true },
      ];
    }),
    book('spot', 'spot-orderbook', 'XBTUSDT', { at: 'result.XBTUSDT', stated: null }),
    // ccxt leaves inverse contracts as they are, one USD each.
    book('futures', 'futures-orderbook', 'PI_XBTUSD', {
      at: 'orderBook',
      base: (usd, price) => usd / price,
    }),
    book('futures', 'analytics-futures-orderbook', 'PF_XBTUSD', { at: 'orderBook' }),
    bars('spot', 'spot-candles', 'XBTUSDT', {
      at: 'result.XBTUSDT',
      turnover: [undefined, undefined, undefined, 0.08317981 * 106039.6],
    }),
    // ccxt gives the volume of inverse contracts in USD, which is our turnover.
    bars('futures', 'futures-candles', 'PI_XBTUSD', {
      theirs: async (_, body) => (await krakenFutures()).parseOHLCVs(body.candles),
      ours: ({ turnover, ...bar }) => ({ ...bar, volume: turnover }),
    }),
    facts('inverse candles: base at the mean of four prices', ({ venue, read, row }) => {
      const instrument = row.known?.futures?.[0] ?? handMade('PI_XBTUSD');
      const ask = { part: 'futures', market: 'PI_XBTUSD', instrument };
      const volume = venue.queries.candles?.parse(read('futures-candles'), ask)[2]?.volume;
      return [{ volume }, { volume: (4995 * 4) / (91415 + 91490.5 + 91415 + 91490.5) }];
    }),
    refusal('spot', 'error-spot', 'unknown_instrument'),
    refusal('futures', 'error-futures', 'refused'),
  ],
};
