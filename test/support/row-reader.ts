/** Rows read without a server: a request is checked, asked of its sources and answered as in one. */
import type { Bus } from '../../actors/bus/bus.ts';
import { failed } from '../../actors/failure.ts';
import type { Query, QueryName } from '../../actors/topics/index.ts';
import { Snapshot } from '../../http/answers/snapshots.ts';
import type { Route } from '../../http/endpoints/route.ts';
import { type Check, createCheck, pathNames } from '../../http/endpoints/validate.ts';
import { type ApiError, isApiError } from '../../http/wire/errors.ts';
import { FakeClock } from './clock.ts';
import { fitting } from './fitting.ts';
import { askRow, fresh, frontQueries, queryBus } from './queries.ts';

/** What a source replies; null where no reply comes. */
export type Replies = (query: Query<QueryName>) => object | null;

interface Around {
  reply?: Replies;
  /** What answers in place of `reply`. */
  bus?: Pick<Bus, 'query'> | undefined;
  clock?: FakeClock;
}

const checks = new WeakMap<Route, Check>();

function checkOf(row: Route): Check {
  const check = checks.get(row) ?? createCheck(row);
  checks.set(row, check);
  return check;
}

/** The answer of a row to a query string and the segments of its path. */
export async function answerTo(
  row: Route,
  [query, segments = []]: readonly [query: string, segments?: readonly string[]],
  { reply = () => null, bus: own, clock = new FakeClock() }: Around = {},
): Promise<Snapshot | ApiError> {
  const checked = checkOf(row)(query, segments);
  if (isApiError(checked)) return checked;
  if ('view' in row.from) return fitting(row, row.from.view(checked.values));
  const replies = queryBus((asked) => {
    const value = reply(asked);
    return value ? fresh(value, clock) : failed('timeout', 'no answer');
  });
  return askRow(row, checked.values, frontQueries(own ?? replies, clock));
}

/** Reads paths with queries, such as `/v1/prices?symbol=BTC`: the data of the answer, or the error. */
export const rowReader =
  (rows: readonly Route[], around: Around = {}) =>
  async (path: string) => {
    const [name = '', query = ''] = path.split('?');
    const row = rows.find((one) => one.path === name && pathNames(name).length === 0);
    if (row === undefined) throw new Error(`there is no row ${name}`);
    const answer = await answerTo(row, [query], around);
    return answer instanceof Snapshot ? JSON.parse(answer.dataText) : answer;
  };
