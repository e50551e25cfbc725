/** What a contract cost above its index over time: as its exchange keeps it, else as it was recorded here. */
import {
  type BasisPoint,
  type History,
  type Recorded,
  recordedKey,
} from '../../../actors/topics/index.ts';
import * as s from '../../../actors/topics/schema.ts';
import { basisPercent } from '../../../indicators/derivatives/basis.ts';
import type { Route } from '../../endpoints/route.ts';
import type { Markets } from '../../views/markets.ts';
import { isApiError } from '../../wire/errors.ts';
import { nineIntervals, seriesParams } from '../analytics/history-params.ts';
import type { RoutesContext } from '../context.ts';
import { columns } from '../factory/columns.ts';
import {
  type Fields,
  history,
  joined,
  type Made,
  points,
  type Subject,
  symbolField,
  timestamp,
} from '../factory/history.ts';
import { type MarketContext, type StepValues, stepsOf } from '../factory/market-subject.ts';
import { coverage, record, recordedSteps, storeQueries } from '../factory/recorded-subject.ts';
import * as params from '../params.ts';

interface Context extends MarketContext {
  registry: readonly Pick<RoutesContext['registry'][number], 'id' | 'kinds'>[];
}

type Name = 'basisHistory' | 'series';
type Reply = History<BasisPoint> | Recorded;

const isRecord = (reply: Reply | null): reply is Recorded => reply !== null && 'rows' in reply;

const point = columns<BasisPoint>()({
  timestamp,
  basis_percent: [
    s.numberOrNull('Mark over index, less 1, percent; null without an index.'),
    ({ mark, index }) => basisPercent(mark, index),
  ],
  mark_price: [
    s.numberOrNull('At the end of the interval, or now where it still runs, in quote.'),
    'mark',
  ],
  index_price: [
    s.numberOrNull('The same of the index, in quote; null where the exchange has no such candle.'),
    'index',
  ],
});

/** A contract of an exchange, and whether its history is the recorded one. */
interface About {
  symbol: string;
  exchange: string;
  market: string;
  isRecorded: boolean;
}

const head = joined<{ about: About }>(
  symbolField,
  columns<{ about: About }>()({
    exchange: [s.exchange, ({ about }) => about.exchange],
    contract: [s.string("The exchange's own id."), ({ about }) => about.market],
  }),
);

const origin: Fields<Made<Name, About>> = {
  properties: {
    origin: s.oneOf(
      ['exchange', 'recorded'],
      'Asked of the exchange, or read of what this service has recorded of an exchange that keeps none.',
    ),
    coverage: s.optional(coverage),
    note: s.optional(s.string('Why there are no points.')),
  },
  read: ({ about, replies: [own = null], made }) =>
    about.isRecorded && isRecord(own)
      ? { origin: 'recorded', ...record.read({ replies: [own], made }) }
      : { origin: 'exchange' },
};

/** A dated future by one of its own names, or a perpetual by any. */
function contractOf(markets: Markets, exchange: string, name: string) {
  const named = markets.find(exchange, name);
  if (named?.kind === 'future') return named;
  return markets.resolve(name, { kind: 'perpetual', exchanges: [exchange] });
}

/** A contract of an exchange that keeps the history, or of any other with perpetuals. */
function ofContract({ markets, exchanges, registry }: Context): Subject<Name, StepValues, About> {
  const keeping = exchanges.basisHistory ?? [];
  const listing = registry.filter(({ kinds }) => kinds.includes('perpetual'));
  const ids = [...new Set([...keeping, ...listing.map(({ id }) => id)])];
  const [first = ''] = ids;
  return {
    isAnswered: ids.length > 0,
    params: { exchange: { ...params.exchange(ids), default: first } },
    fails: ['upstream_failed'],
    head,
    record: origin,
    what: ({ symbol, exchange }) => `the basis of ${symbol} on ${exchange}`,
    ask(values) {
      const { exchange = first } = values;
      const found = contractOf(markets, exchange, values.symbol);
      if (isApiError(found)) return found;
      const { symbol, market } = found;
      const isRecorded = !keeping.includes(exchange);
      const about = { symbol, exchange, market, isRecorded };
      if (isRecorded) {
        const series = { series: 'basis', keys: [recordedKey(exchange, market)] } as const;
        return { ...storeQueries(series, recordedSteps(values)), about };
      }
      const asked = stepsOf({ market, kind: 'perpetual' }, values);
      const kind = found.kind === 'future' ? undefined : asked.kind;
      return { source: exchange, name: 'basisHistory', params: { ...asked, kind }, about };
    },
  };
}

/** The recorded prices of a contract. */
const recordedPoints = ({ rows: [own] }: Recorded): BasisPoint[] => {
  const { times = [], columns: { mark = [], index = [] } = {} } = own ?? {};
  return times.flatMap((time, i) => {
    const price = mark[i] ?? null;
    return price === null ? [] : [{ timestamp: time, mark: price, index: index[i] ?? null }];
  });
};

export const basisHistoryRoute = (context: Context): Route[] =>
  history({
    path: '/v1/futures/basis/history',
    group: 'Futures markets',
    summary: 'Mark, index and basis of a perpetual or a dated future over time',
    params: seriesParams(nineIntervals, 100, 500),
    of: ofContract(context),
    fold: (reply) => (isRecord(reply) ? recordedPoints(reply) : reply.points),
    points: points(point),
  });
