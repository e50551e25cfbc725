/** Every error of the API: its status, when to try again, and which failure of an upstream it stands for. */
import t from 'tap';
import type { Failure, FailureCode } from '../../../actors/failure.ts';
import {
  apiError,
  errorBody,
  errors,
  fromFailure,
  fromStore,
  isApiError,
  kindOf,
  madeBody,
} from '../../../http/wire/errors.ts';

t.test('what may be tried again says when', async (t) => {
  const kinds = Object.keys(errors).map((code) => kindOf({ error: code as keyof typeof errors }));
  const [passing, others] = [true, false].map((passes) =>
    kinds.filter(({ status }) => [502, 503].includes(status) === passes),
  );
  t.ok(passing?.every(({ retryAfter }) => Number(retryAfter) > 0));
  t.ok(others?.every(({ retryAfter }) => retryAfter === undefined));
});

t.test('the error of each failure', async (t) => {
  const of = (code: FailureCode, from = fromFailure, more: Partial<Failure> = {}) => {
    const { error, message, retryAfter } = from({ code, message: 'secret', ...more }, 'the book');
    return [error, message, retryAfter];
  };
  const none = undefined;
  const fetched = (code: string) => [
    'upstream_failed',
    `the book could not be fetched (${code})`,
    none,
  ];
  const busy = ['overloaded', errors.overloaded.message, 1];
  const soon =
    'the book: not asked again so soon, since its upstream has just failed several times';
  const store = errors.store_unavailable.message;
  const table: Record<FailureCode, unknown[]> = {
    timeout: fetched('timeout'),
    network: fetched('network'),
    shape: fetched('shape'),
    rate_limited: fetched('rate_limited'),
    banned: fetched('banned'),
    blocked: fetched('blocked'),
    unavailable: fetched('unavailable'),
    refused: fetched('refused'),
    too_large: fetched('too_large'),
    unknown_instrument: [
      'unknown_symbol',
      'the book: the exchange does not know this symbol',
      none,
    ],
    breaker_open: ['overloaded', soon, 5],
    over_budget: busy,
    unanswered: busy,
    stopped: busy,
    not_given: ['bad_parameter', 'the book: the exchange does not give this of this market', none],
    not_ready: ['warming_up', errors.warming_up.message, none],
    redis_away: ['store_unavailable', store, 2],
  };
  const codes = Object.keys(table) as FailureCode[];
  t.same(Object.fromEntries(codes.map((code) => [code, of(code)])), table);
  const stated = codes.map((code) => of(code, fromFailure, { retryAfter: 6_001 })[2]);
  t.same(new Set(stated), new Set([7, none, 2]), 'as the upstream states it, but for a few');
  const bound = '256 questions wait for okx already';
  for (const code of ['over_budget', 'unanswered'] as const)
    t.same(of(code, fromFailure, { bound }), ['overloaded', `the book: ${bound}`, 1], code);
  t.equal(of('timeout', fromFailure, { retryAfter: 1 })[2], 1);
  t.equal(of('timeout', fromFailure, { retryAfter: 0 })[2], 1);
  t.same(of('refused', fromStore), ['store_unavailable', 'the book is not recorded', none]);
  t.same(of('timeout', fromStore), [
    ...['store_unavailable', 'the book: the history cannot be read', none],
  ]);
  t.same(of('stopped', fromStore), busy);
});

t.test('the envelope', async (t) => {
  const error = apiError('unknown_symbol', 'no "X"', { data: [1] });
  t.equal(
    errorBody(error, 5),
    '{"status":"error","timestamp":5,"code":"unknown_symbol","message":"no \\"X\\"","data":[1]}',
  );
  t.equal(
    errorBody(apiError('not_found'), 5),
    '{"status":"error","timestamp":5,"code":"not_found","message":"there is nothing at this path"}',
  );
  t.equal(madeBody('[1]', 5), '{"status":"ok","timestamp":5,"data":[1]}');
  t.same([isApiError(error), isApiError({})], [true, false]);
});
