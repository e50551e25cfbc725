/**
 * Recorded frames of Hyperliquid, whose contexts have no names of markets, read by us and by ccxt; `live.test.ts` and
 * `live-rates.test.ts` have those of the other exchanges, `suite/subjects.ts` the recorded answers.
 */
import { deflateRawSync } from 'node:zlib';
import t from 'tap';
import type { LatestStream } from '../../../actors/sources/streams/stream.ts';
import type { Venue } from '../../../actors/sources/venue.ts';
import type { Instrument, LiveTopic } from '../../../actors/topics/index.ts';
import { hyperliquid } from '../../../actors/venues/hyperliquid/index.ts';
import { absent, recording } from '../../support/recordings.ts';
import { offline } from './ccxt.ts';
import type { Loose } from './probes/recorded.ts';
import { context, rounded } from './stream-suite.ts';

const frame = (name: string): unknown => recording('hyperliquid', name)?.response;
const { live }: Venue = hyperliquid;

/** Columns of the rows of a topic of a part in messages of one connection. */
function read(
  [topic, part, ...columns]: readonly [LiveTopic, string, ...string[]],
  markets: readonly Partial<Instrument>[],
  messages: readonly unknown[],
) {
  const at = { ...context(markets), connection: {} };
  const stream: LatestStream<LiveTopic> | undefined = live?.[topic]?.[part];
  const parsed = messages.map((message) => stream?.parse(message, at)?.[topic]);
  return picked(
    parsed.flatMap((found): readonly object[] => found?.rows ?? []),
    ...columns,
  );
}
const picked = (rows: readonly object[], ...columns: readonly string[]) =>
  rows.map((row) => columns.map((column): unknown => Reflect.get(row, column) ?? null));

t.test(
  'contexts: those of the recording are the first three perpetuals',
  { skip: absent },
  async (t) => {
    const message = frame('ws-all-dexs-asset-ctxs');
    const { data } = JSON.parse(JSON.stringify(message));
    const own: Record<string, string>[] = data.ctxs[0][1];
    const names = ['BTC', 'ETH', 'ATOM'];
    const told = own.map(({ markPx, midPx }, at) => [names[at], { markPx, midPx }]);
    const packed = deflateRawSync(JSON.stringify(Object.fromEntries(told))).toString('base64');
    const markets = names.map((market) => ({ market, symbol: market, quote: 'USDC' }));
    const messages = [{ channel: 'fastAssetCtxs', data: packed }, message];
    const exchange: Loose = await offline('hyperliquid');
    const prices = read(['prices', 'perp', 'price', 'volume'], markets, messages);
    const tickers = own.map((row) => exchange.parseTicker(row));
    t.strictSame(rounded(prices.slice(3)), rounded(picked(tickers, 'close', 'quoteVolume')));
    const derived = ['derivatives', 'perp', 'mark', 'index', 'funding_rate'] as const;
    const rates = own.map((row) => exchange.parseFundingRate(row));
    t.strictSame(
      rounded(read(derived, markets, messages).slice(3)),
      rounded(picked(rates, 'markPrice', 'indexPrice', 'fundingRate')),
    );
    const interests = own.map((row) => exchange.parseOpenInterest({ info: row }));
    t.strictSame(
      rounded(read(['openInterest', 'perp', 'units'], markets, messages)),
      rounded(picked(interests, 'openInterestAmount')),
    );
  },
);

t.test('marks: the second frame has what changed since the first', { skip: absent }, async (t) => {
  const messages = ['ws-fast-asset-ctxs', 'ws-fast-asset-ctxs-update'].map(frame);
  const bitcoin = [{ market: 'BTC', quote: 'USDC' }];
  const spot = [{ market: '@107', kind: 'spot', symbol: 'HYPE', quote: 'USDC' } as const];
  t.strictSame(read(['prices', 'perp', 'price'], bitcoin, messages), [[85_811.5], [85_812.5]]);
  t.strictSame(read(['derivatives', 'perp', 'mark'], bitcoin, messages), [[85_814], [85_814]]);
  t.strictSame(read(['prices', 'spot', 'price'], spot, messages), [[92.945], [92.945]]);
});
