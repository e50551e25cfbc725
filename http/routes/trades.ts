/** The newest public trades of a market. */
import type { PublicTrade, RecentTrades } from '../../actors/topics/index.ts';
import { asDollars } from '../../config/quotes.ts';
import { isFollowedKind } from '../../indicators/market/market-names.ts';
import { type TapeEvent, TradeLogs } from '../answers/trade-log.ts';
import { apiError, isApiError, kit, params, s } from './kit.ts';

type Context = kit.Needs<'markets' | 'exchanges' | 'bus' | 'clock'>;

const trade = kit.columns<PublicTrade & { value_usd: number | null }>()({
  id: s.stringOrNull("The exchange's own; null where it states none."),
  timestamp: s.unixMs('When it was traded.'),
  side: [s.oneOf(['buy', 'sell'], 'Side of the taker.'), ({ bought }) => (bought ? 'buy' : 'sell')],
  price: s.number('Price of one base asset, in the quote of the market.'),
  quantity: s.number('Base asset, whatever the exchange counts in.'),
  value_usd: s.numberOrNull('Price x quantity; null where the market is not quoted in dollars.'),
});

const head = kit.columns<{
  values: { exchange: string; symbol: string; market: string };
  replies: readonly (RecentTrades | null)[];
}>()({
  exchange: [s.exchange, ({ values }) => values.exchange],
  symbol: [s.string('As asked.'), ({ values }) => values.symbol],
  market: [s.ownSymbol, ({ values, replies: [own] }) => own?.market ?? values.market],
  kind: [
    s.stringOrNull('`spot` or `perpetual`.'),
    ({ replies: [own] }) => (own?.kind === 'other' ? null : (own?.kind ?? null)),
  ],
  source: [
    s.oneOf(['live', 'request'], 'Out of the stream of the exchange, or the answer to a request.'),
    ({ replies: [own] }) => own?.source ?? ('request' as const),
  ],
  unheard_since: [s.unheardSince, ({ replies: [own] }) => own?.unheard_since],
  quote: [s.stringOrNull('Quote asset.'), ({ replies: [own] }) => own?.quote ?? null],
});

/** With its value, where the market is quoted in dollars. */
const valued = <T extends { price: number; quantity: number }>(one: T, quote: string) => ({
  ...one,
  value_usd: asDollars(one.price * one.quantity, quote),
});

const isHole = (event: object): event is Extract<TapeEvent, { hole: unknown }> => 'hole' in event;
const isTrade = (event: object): event is Exclude<TapeEvent, { hole: unknown }> =>
  'bought' in event;

/** An entry of the stream: a trade, or a hole with its cause. */
function itemOf(event: object): object | null {
  if (isHole(event)) return event;
  if (!isTrade(event)) return null;
  const { quote, ...one } = event;
  return trade.read(valued(one, quote));
}

/** Without an exchange that has trades there is no row. */
export function tradeRoutes({ markets, exchanges, bus, clock }: Context) {
  const { recentTrades = [], spotTrades = [], perpetualTrades = [] } = exchanges;
  const streamed = new Set([...spotTrades, ...perpetualTrades]);
  const logs = new TradeLogs({ clock, query: (...asked) => bus.query(...asked) });
  return kit.history({
    path: '/v1/trades',
    summary:
      'The newest public trades of one market, out of the stream where it is heard, else asked of the exchange',
    params: {
      exchange: params.exchangeRequired(recentTrades),
      symbol: params.namedMarket(params.marketName, markets),
      limit: params.limit(
        100,
        1000,
        'Most trades (of a stream in `mode=log`: past ones); fewer where the exchange gives fewer, which is 60 to 150 at some.',
      ),
      kind: params.kind,
    },
    of: {
      names: ['recentTrades'],
      isAnswered: recentTrades.length > 0,
      head,
      what: ({ symbol, exchange }) => `the trades of ${symbol} on ${exchange}`,
      ask: ({ exchange, asked, failure, limit }) => ({
        source: exchange,
        params: { ...asked, limit },
        failure,
      }),
    },
    // The trades as they are heard, for clients that want each.
    log({ exchange, symbol, kind, limit }) {
      if (!streamed.has(exchange)) {
        const names = [...streamed].join(', ') || 'no exchange';
        return apiError(
          'bad_parameter',
          `mode=log is for trades that are heard by stream: ${names}`,
        );
      }
      const found = markets.find(exchange, symbol, kind);
      if (found === null) return markets.unknown(exchange, symbol);
      const { market, kind: own } = found;
      const log = logs.of(exchange, { market, kind: isFollowedKind(own) ? own : undefined });
      return isApiError(log) ? log : { log, limit, item: itemOf };
    },
    fold: ({ quote, trades }) => trades.map((one) => valued(one, quote)),
    points: kit.points(trade, 'Newest first.', 'items'),
  });
}
