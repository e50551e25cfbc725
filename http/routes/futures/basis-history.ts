/** What a contract cost above its index over time: as its exchange keeps it, else as it was recorded here. */
import * as topics from '../../../actors/topics/index.ts';
import { basisPercent } from '../../../indicators/derivatives/basis.ts';
import { rowsIn } from '../../../indicators/market/recorded.ts';
import type { Markets } from '../../views/markets.ts';
import { isApiError, kit, params, s } from '../kit.ts';

type Reply = topics.History<topics.BasisPoint> | topics.Recorded;

const isRecord = (reply: Reply | null): reply is topics.Recorded =>
  reply !== null && 'rows' in reply;

const point = kit.columns<topics.BasisPoint>()({
  timestamp: kit.timestamp,
  basis_percent: [
    s.numberOrNull('Mark over index, less 1; null without an index.'),
    ({ mark, index }) => basisPercent(mark, index),
  ],
  mark_price: [s.numberOrNull('At the end of the interval, now while it runs, in quote.'), 'mark'],
  index_price: [s.numberOrNull('Index then, in quote; null where the exchange has none.'), 'index'],
});

const origin: kit.Fields<{
  values: { isRecorded: boolean };
  replies: readonly (Reply | null)[];
  made: unknown;
}> = {
  properties: {
    origin: s.oneOf(
      ['exchange', 'recorded'],
      'Asked of the exchange, or read of what this service has recorded of an exchange that keeps none.',
    ),
    coverage: s.optional(kit.coverage),
    note: s.optional(s.string('Why there are no points.')),
  },
  read: ({ values, replies: [own = null], made }) =>
    values.isRecorded && isRecord(own)
      ? { origin: 'recorded', ...kit.record.read({ replies: [own], made }) }
      : { origin: 'exchange' },
};

/** A dated future by one of its own names, or a perpetual by any, on an exchange that keeps its history or not. */
function contractOf(markets: Markets, keeping: readonly string[], exchange: string, name: string) {
  const named = markets.find(exchange, name);
  const isFuture = named?.kind === 'future';
  const found = isFuture
    ? named
    : markets.resolve(name, { kind: 'perpetual', exchanges: [exchange] });
  if (isApiError(found)) return found;
  const { symbol, market } = found;
  return { symbol, market, isFuture, isRecorded: !keeping.includes(exchange) };
}

/** The recorded prices of a contract. */
const recordedPoints = ({ rows: [own] }: topics.Recorded): topics.BasisPoint[] =>
  rowsIn(own, { mark: 'mark' }, { index: 'index' }).map(({ time, mark, index }) => ({
    timestamp: time,
    mark,
    index,
  }));

/** A contract of an exchange that keeps the history, or of any other with perpetuals. */
export function basisHistoryRoute({
  markets,
  exchanges,
  registry,
}: kit.MarketContext & { registry: kit.Registry }) {
  const keeping = exchanges.basisHistory ?? [];
  const ids = [...new Set([...keeping, ...params.exchangesWith(registry, 'perpetual')])];
  return kit.history({
    path: '/v1/futures/basis/history',
    summary: 'Mark, index and basis of a perpetual or a dated future over time',
    params: {
      ...params.seriesParams(params.nineIntervals, 100, 500),
      symbol: {
        ...params.symbolOrBitcoin,
        resolve: ({ exchange, symbol }: kit.CheckedValues) =>
          contractOf(markets, keeping, String(exchange), String(symbol)),
      },
      exchange: params.exchangeOrUsual(ids),
    },
    of: {
      names: ['basisHistory', 'series'],
      isAnswered: ids.length > 0,
      head: kit.joined<{ values: { symbol: string; exchange: string; market: string } }>(
        kit.symbolField,
        kit.exchangeField,
        kit.contractField,
      ),
      record: origin,
      what: ({ symbol, exchange }) => `the basis of ${symbol} on ${exchange}`,
      ask({ exchange, market, isFuture, isRecorded, ...values }) {
        if (isRecorded) {
          const series = { series: 'basis', keys: [topics.recordedKey(exchange, market)] } as const;
          return { ...kit.storeQueries(series, kit.recordedSteps(values)), name: 'series' };
        }
        const asked = kit.stepsOf({ market, kind: 'perpetual' }, values);
        return { source: exchange, params: { ...asked, kind: isFuture ? undefined : asked.kind } };
      },
    },
    fold: (reply) => (isRecord(reply) ? recordedPoints(reply) : reply.points),
    points: kit.points(point),
  });
}
