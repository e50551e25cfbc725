/** Recorded frames of streams, read by us and by ccxt. */
import { deflateRawSync } from 'node:zlib';
import type { LiveTopic } from '../../../../actors/sources/define.ts';
import type { LatestStream } from '../../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../../actors/sources/venue.ts';
import type { Instrument } from '../../../../actors/topics/index.ts';
import { backpack } from '../../../../actors/venues/backpack/index.ts';
import { cryptocom } from '../../../../actors/venues/cryptocom/index.ts';
import { dydx } from '../../../../actors/venues/dydx/index.ts';
import { hyperliquid } from '../../../../actors/venues/hyperliquid/index.ts';
import { kucoin } from '../../../../actors/venues/kucoin/index.ts';
import { okx } from '../../../../actors/venues/okx/index.ts';
import { whitebit } from '../../../../actors/venues/whitebit/index.ts';
import { woo } from '../../../../actors/venues/woo/index.ts';
import { recording } from '../../../support/recordings.ts';
import { offline } from '../ccxt.ts';
import type { Loose } from '../probes/recorded.ts';
import { context, rounded } from '../stream-suite.ts';

/** What both read. */
interface Read {
  ours: unknown;
  theirs: unknown;
}

const frame = (venue: string, name: string): unknown => recording(venue, name)?.response;

/** The values of the rows that a part's live topics read in messages, one after the other. */
function readAll(
  { live }: Pick<Venue, 'live'>,
  part: string,
  { messages, markets }: { messages: readonly unknown[]; markets: readonly Partial<Instrument>[] },
) {
  const at = () => ({ ...context(markets), connection: {} });
  const rowsOf = (topic: LiveTopic): object[] => {
    const stream: LatestStream<LiveTopic> | undefined = live?.[topic]?.[part];
    const context = at();
    return messages.flatMap((message) =>
      (stream?.parse(message, context)?.[topic]?.rows ?? []).map((row) => ({ ...row })),
    );
  };
  const [prices, derivatives, openInterest] = [
    rowsOf('prices'),
    rowsOf('derivatives'),
    rowsOf('openInterest'),
  ];
  return { prices, derivatives, openInterest };
}

const pick = (rows: readonly object[], ...keys: readonly string[]) =>
  rounded(rows.map((row) => keys.map((key): unknown => Reflect.get(row, key) ?? null)));

/** The contexts have no names: those of the recording are the first three perpetuals of the exchange. */
async function contexts(): Promise<Read> {
  const message = frame('hyperliquid', 'ws-all-dexs-asset-ctxs');
  const { data } = JSON.parse(JSON.stringify(message));
  const own: Record<string, string>[] = data.ctxs[0][1];
  const names = ['BTC', 'ETH', 'ATOM'];
  const told = own.map(({ markPx, midPx }, at) => [names[at], { markPx, midPx }]);
  const packed = deflateRawSync(JSON.stringify(Object.fromEntries(told))).toString('base64');
  const markets = names.map((market) => ({ market, symbol: market, quote: 'USDC' }));
  const messages = [{ channel: 'fastAssetCtxs', data: packed }, message];
  const { prices, derivatives, openInterest } = readAll(hyperliquid, 'perp', { messages, markets });
  const exchange: Loose = await offline('hyperliquid');
  const tickers = own.map((row) => exchange.parseTicker(row));
  const rates = own.map((row) => exchange.parseFundingRate(row));
  const interests = own.map((row) => exchange.parseOpenInterest({ info: row }));
  return {
    ours: [
      pick(prices.slice(3), 'price', 'volume'),
      pick(derivatives.slice(3), 'mark', 'index', 'funding_rate'),
      pick(openInterest, 'units'),
    ],
    theirs: [
      pick(tickers, 'close', 'quoteVolume'),
      pick(rates, 'markPrice', 'indexPrice', 'fundingRate'),
      pick(interests, 'openInterestAmount'),
    ],
  };
}

/** The second frame has what changed since the first. */
async function marks(): Promise<Read> {
  const messages = ['ws-fast-asset-ctxs', 'ws-fast-asset-ctxs-update'].map((name) =>
    frame('hyperliquid', name),
  );
  const markets = [{ market: 'BTC', quote: 'USDC' }];
  const { prices, derivatives } = readAll(hyperliquid, 'perp', { messages, markets });
  const spot = { market: '@107', kind: 'spot', symbol: 'HYPE', quote: 'USDC' } as const;
  const pairs = readAll(hyperliquid, 'spot', { messages, markets: [spot] });
  return {
    ours: [pick(prices, 'price'), pick(derivatives, 'mark'), pick(pairs.prices, 'price')],
    theirs: [
      [[85_811.5], [85_812.5]],
      [[85_814], [85_814]],
      [[92.945], [92.945]],
    ],
  };
}

/** A mark, an index and a rate; of the ticker what `result` holds is recorded, and ccxt reads no open interest in it. */
async function values(): Promise<Read> {
  const result = frame('cryptocom', 'ws-perp-ticker');
  const messages = [
    ...['ws-mark', 'ws-index', 'ws-funding'].map((name) => frame('cryptocom', name)),
    { id: -1, method: 'subscribe', code: 0, result },
  ];
  const markets = ['BTCUSD-PERP', 'ETHUSD-PERP'].map((market) => ({ market, quote: 'USD' }));
  const { prices, derivatives, openInterest } = readAll(cryptocom, 'all', { messages, markets });
  const exchange: Loose = await offline('cryptocom');
  const { data }: Loose = result;
  return {
    ours: [
      pick(prices, 'price', 'high', 'low', 'bid', 'ask', 'base', 'stated'),
      pick(derivatives, 'mark', 'index', 'funding_rate', 'stated'),
      pick(openInterest, 'units', 'mark'),
    ],
    theirs: [
      pick(
        [exchange.parseTicker(data[0])],
        ...['last', 'high', 'low', 'bid', 'ask', 'baseVolume', 'timestamp'],
      ),
      [
        [86_176.3, null, null, 1_790_114_562_000],
        [null, 86_178.17, null, 1_790_114_562_000],
        [null, null, -0.000_004_992, 1_790_114_562_000],
      ],
      [[161_646.3614, 2_335.25]],
    ],
  };
}

/** The frames of a connection in their order. ccxt reads no channel of all markets of dYdX. */
async function oracles(): Promise<Read> {
  const messages = ['ws-markets-subscribed', 'ws-markets-oracle', 'ws-markets-trading'].map(
    (name) => frame('dydx', name),
  );
  const markets = ['BTC-USD', 'ETH-USD'].map((market) => ({ market, quote: 'USD' }));
  const { prices, derivatives, openInterest } = readAll(dydx, 'perp', { messages, markets });
  return {
    ours: [
      pick(prices, 'price', 'volume', 'stated'),
      pick(derivatives, 'mark', 'funding_rate'),
      pick(openInterest, 'units', 'value'),
    ],
    theirs: [
      rounded([
        [60_387.517_79, 247_515_340.0835, null],
        [2_623.2521, 214_358_009.6882, null],
        [2_623.3521, null, 1_724_371_254_301],
        [2_623.3521, null, 1_724_371_254_301],
      ]),
      rounded([
        [60_387.517_79, 0.000_013_516_666_666_666_67],
        [2_623.2521, 0.000_010_516_666_666_666_67],
        [2_623.3521, null],
        [2_623.3521, null],
      ]),
      rounded([
        [648.2389, 648.2389 * 60_387.517_79],
        [15_395.279, 15_395.279 * 2_623.2521],
        [15_398.406, 15_398.406 * 2_623.3521],
      ]),
    ],
  };
}

/** ccxt reads none of these. */
async function premiums(): Promise<Read> {
  const messages = [frame('whitebit', 'ws-premium-index-all')];
  const markets = ['1INCH_PERP', 'BTC_PERP'].map((market) => ({ market }));
  const { prices, derivatives } = readAll(whitebit, 'futures', { messages, markets });
  return {
    ours: [prices, pick(derivatives, 'mark', 'index', 'funding_rate', 'next_funding', 'stated')],
    theirs: [
      [],
      [
        [0.103_16, 0.103_07, 0.0001, 1_790_121_600_000, 1_790_113_268_565],
        [86_167.8, 86_224.5, 0.000_063_82, 1_790_121_600_000, 1_790_113_268_565],
      ],
    ],
  };
}

/** An equity of the exchange, taken as if it were followed: the recording has no other. */
async function equity(): Promise<Read> {
  const messages = [frame('backpack', 'ws-mark-price')];
  const markets = [{ market: 'AAPL.US_USDC_PERP', quote: 'USDC', funding_hours: 1 }];
  const { derivatives } = readAll(backpack, 'all', { messages, markets });
  return {
    ours: pick(derivatives, 'mark', 'index', 'funding_rate', 'next_funding', 'stated'),
    theirs: [[340.43, 340.52, 0.000_006_25, 1_790_136_000_000, 1_790_134_357_847]],
  };
}

/** Version 3, of which ccxt reads nothing; open interest is recorded of Ether alone, whose mark price is made. */
async function topics(): Promise<Read> {
  const mark = { ts: 1_790_137_719_000, px: '2000', s: 'PERP_ETH_USDT' };
  const recorded = ['ws-v3-mark-price', 'ws-v3-index-price', 'ws-v3-est-funding'];
  const messages = [
    ...recorded.map((name) => frame('woo', name)),
    { topic: 'markprice@PERP_ETH_USDT', ts: mark.ts, data: mark },
    frame('woo', 'ws-v3-open-interest'),
  ];
  const markets = ['PERP_BTC_USDT', 'PERP_ETH_USDT'].map((market) => ({ market }));
  // The prices come on connections of their own.
  const live = { ...woo.live, prices: {} };
  const { derivatives, openInterest } = readAll({ live }, 'perp', { messages, markets });
  return {
    ours: [
      pick(derivatives.slice(0, 3), 'mark', 'index', 'funding_rate', 'next_funding', 'stated'),
      pick(openInterest, 'units', 'value', 'stated'),
    ],
    theirs: [
      [
        [87_081, null, null, null, 1_790_137_719_004],
        // With the mark that came before: the value of what is open needs it, so it is remembered.
        [87_081, 87_127, null, null, 1_790_137_719_004],
        [87_081, null, 0.000_043_26, 1_790_150_400_000, 1_790_137_719_004],
      ],
      [[95_500, 191_000_000, 1_782_770_880_570]],
    ],
  };
}

/** The mark of a contract whose rate is recorded is that of another one. */
async function swaps(): Promise<Read> {
  const [rate, mark, open]: Loose[] = ['ws-funding-rate', 'ws-mark-price', 'ws-open-interest'].map(
    (name) => frame('okx', name),
  );
  const [told] = rate.data;
  const { instId } = told;
  const own = { arg: { ...mark.arg, instId }, data: [{ ...mark.data[0], instId }] };
  const markets = [{ market: instId }, { market: open.arg.instId }];
  const messages = [own, rate, mark, open];
  const { derivatives, openInterest } = readAll(okx, 'swap', { messages, markets });
  const exchange: Loose = await offline('okx');
  return {
    ours: [
      pick(derivatives.slice(1, 2), 'funding_rate', 'next_funding'),
      pick(openInterest, 'units', 'stated'),
    ],
    theirs: [
      pick([exchange.parseFundingRate(told)], 'fundingRate', 'fundingTimestamp'),
      pick([exchange.parseOpenInterest(open.data[0])], 'openInterestAmount', 'timestamp'),
    ],
  };
}

/** A rate goes along with the mark after it. */
async function lots(): Promise<Read> {
  const [rate, mark]: Loose[] = ['ws-uta-funding-fee', 'ws-uta-mark-price'].map((name) =>
    frame('kucoin', name),
  );
  const markets = [{ market: mark.d.s, contract: 0.001 }];
  const at = { ...context(markets), connection: {} };
  const { parse } = kucoin.live.derivatives.futures;
  const derivatives = [rate, mark].flatMap(
    (message) => parse(message, at)?.derivatives?.rows ?? [],
  );
  const { default: ccxt } = await import('ccxt');
  const exchange: Loose = new ccxt.pro.kucoin();
  const { fundingRate, nextFundingTimestamp } = exchange.parseWsFundingRate(rate.d);
  const ticker = exchange.parseWsUtaTicker(mark.d);
  return {
    ours: pick(derivatives, 'mark', 'index', 'funding_rate', 'next_funding', 'stated'),
    theirs: pick(
      [{ ...ticker, fundingRate, nextFundingTimestamp }],
      ...['markPrice', 'indexPrice', 'fundingRate', 'nextFundingTimestamp', 'timestamp'],
    ),
  };
}

/** By what they show; ccxt reads no marks of Hyperliquid, whose numbers stand in the recordings. */
export const liveFrames: Readonly<Record<string, () => Promise<Read>>> = {
  'backpack: mark price': equity,
  'cryptocom: values': values,
  'dydx: markets': oracles,
  'hyperliquid: contexts': contexts,
  'hyperliquid: marks': marks,
  'kucoin: marks and rates': lots,
  'okx: rates and open interest': swaps,
  'whitebit: premiums': premiums,
  'woo: topics': topics,
};
