/** What was recorded on the machine of the web process. */
import * as s from '../../actors/topics/schema.ts';
import { type Route, route } from '../endpoints/route.ts';
import type { RoutesContext } from './context.ts';

const answer = s.list(
  s.object({
    exchange: s.string('Exchange id.'),
    day: s.string('Day, UTC.'),
    from: s.unixMs('Start of the first file of the day, Unix ms.'),
    to: s.unixMs('When its last file was written last, Unix ms.'),
    files: s.integer('Files of the day.'),
    bytes: s.integer('Their size on the disk.'),
    types: s.list(
      s.string(),
      'What is recorded: trades, books, quotes, derivatives, liquidations.',
    ),
    symbols: s.list(s.string(), 'Assets whose messages are recorded; all when empty.'),
    gaps: s.integer('Files that do not continue the file before them.'),
  }),
  'By exchange and day, the oldest first.',
);

/** The recordings. */
export const recordingRoutes = ({ recordings }: Pick<RoutesContext, 'recordings'>): Route[] => [
  route({
    method: 'GET',
    path: '/v1/recordings',
    group: 'Service',
    summary: 'What was recorded of exchanges, by day (docs/recording.md)',
    params: {
      exchange: {
        type: 'string',
        description: 'Exchange id; all when absent.',
        example: 'binance',
      },
      days: {
        type: 'integer',
        description: 'The newest days of each exchange.',
        minimum: 1,
        maximum: 400,
        default: 30,
      },
    },
    answer,
    access: 'key',
    from: {
      async act({ values: { exchange, days } }) {
        return { status: 200 as const, data: (await recordings?.days(exchange, days)) ?? [] };
      },
    },
  }),
];
