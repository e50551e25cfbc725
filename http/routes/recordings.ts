/** What was recorded on the machine of the web process. */
import { minute } from '../../config/time.ts';
import { apiError, kit, params, s } from './kit.ts';

const answer = s.list(
  s.object({
    exchange: s.string('Exchange id.'),
    day: s.string('Day, UTC.'),
    from: s.unixMs('Start of the first file of the day.'),
    to: s.unixMs('When its last file was written last.'),
    files: s.integer('Files of the day.'),
    bytes: s.integer('Their size on the disk.'),
    types: s.list(s.string(), 'Any of trades, books, quotes, derivatives, liquidations, polls.'),
    symbols: s.list(s.string(), 'Assets whose messages are recorded; all when empty.'),
    gaps: s.integer('Files that do not continue the file before them.'),
  }),
  'By exchange and day, the oldest first.',
);

const page = s.object({
  items: s.list(
    s.object({
      id: s.stringOrNull("The exchange's own; null where it states none."),
      timestamp: s.unixMs('When it was traded.'),
      received: s.integer('When it was received, Unix microseconds.'),
      side: s.oneOf(['buy', 'sell'], 'What the taker did.'),
      price: s.number('Of one base asset, in the quote of the market.'),
      quantity: s.number('Base asset, whatever the exchange counts in.'),
      recovered: s.boolean('The stream had missed it: it was asked of the exchange afterwards.'),
    }),
    'By the time of receipt, the oldest first.',
  ),
  gaps: s.list(s.integer(), 'Unix ms of a lost connection or a new start: trades may be missing.'),
  next: s.stringOrNull('The `cursor` of the next page; null after the last one.'),
});

type Context = kit.Needs<'recordings' | 'clock'>;

/** Any exchange: what is recorded may be of one that is not followed any more. */
const exchange = {
  type: 'string',
  description: 'Exchange id.',
  example: 'binance',
} as const;

/** The trades of a market by range. */
const recordedTrades = ({ recordings, clock }: Context) =>
  kit.route({
    path: '/v1/trades/recorded',
    summary: 'Recorded public trades of one market by the time of receipt (docs/recording.md)',
    params: {
      exchange: { ...exchange, required: true, maxLength: 32 },
      market: {
        ...params.market,
        description: "The exchange's own symbol, in any letter case.",
      },
      kind: params.kind,
      from: {
        type: 'integer',
        description: 'Start of the time of receipt, Unix ms; a minute before `to` when absent.',
        minimum: 0,
        time: 'ms',
      },
      to: {
        type: 'integer',
        description: 'End of it, not included; the end of what there is when absent.',
        minimum: 0,
        time: 'ms',
      },
      limit: params.limit(1_000, 10_000, 'Most trades of a page.'),
      cursor: { type: 'string', description: '`next` of the page before.', maxLength: 32 },
    },
    answer: page,
    list: 'items',
    from: {
      async act({ values: { exchange, market, kind, limit, cursor = null, ...range } }) {
        const to = range.to ?? clock.now();
        const from = range.from ?? to - minute;
        const question = { exchange, market, kind, from, to, limit, cursor };
        const found = await recordings?.trades(question);
        if (!found)
          return apiError(
            'bad_parameter',
            'exchange is not recorded here, or cursor is no `next` of a page',
          );
        const { trades: items, gaps, next } = found;
        return { status: 200 as const, data: { items, gaps, next } };
      },
    },
  });

/** The recordings. */
export const recordingRoutes = ({ recordings, clock }: Context) => [
  recordedTrades({ recordings, clock }),
  kit.route({
    path: '/v1/recordings',
    summary: 'What was recorded of exchanges, by day (docs/recording.md)',
    params: {
      exchange: { ...exchange, description: 'Exchange id; all when absent.' },
      days: params.limit(30, 400, 'The newest days of each exchange.'),
    },
    answer,
    from: {
      async act({ values: { exchange, days } }) {
        return { status: 200 as const, data: (await recordings?.days(exchange, days)) ?? [] };
      },
    },
  }),
];
