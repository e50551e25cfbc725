/** Queries of the front without a Redis: replies go through the codec of the bus, as they do over the wire. */
import type { Bus, QueryOptions } from '../../actors/bus/bus.ts';
import { decode, decodeResult, encode, encodeResult } from '../../actors/bus/codec.ts';
import type { AnyAnswers } from '../../actors/bus/respond.ts';
import { failed, type Result, success } from '../../actors/failure.ts';
import type { Query, QueryName, Reply } from '../../actors/topics/index.ts';
import { FrontQueries } from '../../http/answers/queries.ts';
import type { Route } from '../../http/endpoints/route.ts';
import { isApiError } from '../../http/wire/errors.ts';
import type { FakeClock } from './clock.ts';
import { fitting } from './fitting.ts';

type Answerer = (
  query: Query<QueryName>,
  options: QueryOptions,
) => Result<Reply<unknown>> | Promise<Result<Reply<unknown>>>;

/** A bus on which `answer` is all that answers. */
export const queryBus = (answer: Answerer): Pick<Bus, 'query'> => ({
  query: async (query, options = {}) => decodeResult(encodeResult(await answer(query, options))),
});

/** Nothing answers. */
export const silentBus = queryBus(() => failed('timeout', 'no answer'));

/** The handlers of a source in place of the process that has them. */
export const served = (answers: AnyAnswers, clock: FakeClock): Pick<Bus, 'query'> =>
  queryBus(async ({ name, params }, { account = '' }) => {
    const answer = answers[name];
    if (!answer) throw new Error(`asked ${name}`);
    const asked = decode<{ params: never }>(encode({ params }));
    return answer(asked.params, { deadline: clock.now() + 10_000, account });
  });

/** A reply that is not kept. */
export const fresh = <T>(value: T, clock: FakeClock, life = 0): Result<Reply<T>> =>
  success({ value, received: clock.now(), until: clock.now() + life });

/** The front's queries over such a bus. */
export const frontQueries = (bus: Pick<Bus, 'query'>, clock: FakeClock): FrontQueries =>
  new FrontQueries({ bus, clock, random: () => 0.5 });

/** What a row with a query answers to checked values; it fits the schema of the row. */
export async function askRow(
  row: Route,
  values: Readonly<Record<string, string | number | undefined>>,
  queries: Pick<FrontQueries, 'read'>,
) {
  if (!('query' in row.from)) throw new Error(`${row.path} has no query`);
  const question = row.from.query(values);
  if (isApiError(question) || !('source' in question)) return fitting(row, question);
  return fitting(row, await queries.read(question, 'a'));
}
