/** Several GET answers in one request. */
import { kit, s } from './kit.ts';

/** Most paths of one request. */
export const mostBatchPaths = 20;

const body = s.object({
  paths: s.unchecked<readonly string[]>({
    type: 'array',
    minItems: 1,
    maxItems: mostBatchPaths,
    items: { type: 'string', minLength: 1, maxLength: 4096 },
    description: 'Paths of GET requests with their queries.',
  }),
});

const item = s.named(
  'BatchAnswer',
  s.object({
    path: s.string('As given.'),
    status: s.integer('HTTP status that the path has by itself.'),
    as_of: s.optional(s.unixMs('When the newest reading in the data was received.')),
    version: s.optional(s.string('Version of the data, as in its `ETag`.')),
    data: s.optional(s.unchecked<unknown>({ description: 'As the path has it by itself.' })),
    code: s.optional(s.string('Which error it is.')),
    message: s.optional(s.string('The fault, in words.')),
  }),
);

export const batchRoute = () =>
  kit.route({
    method: 'POST',
    path: '/v1/batch',
    summary: `Up to ${mostBatchPaths} GET paths as of one moment, counted as so many requests`,
    body,
    bodyExample: { paths: ['/v1/prices?symbol=BTC', '/v1/open-interest?symbol=BTC'] },
    answer: s.object({
      snapshot_id: s.string('Equal for equal answers.'),
      at: s.unixMs('The moment.'),
      count: s.count,
      answers: s.list(item, 'In the order of the paths.'),
    }),
    from: {
      async act({ body: { paths }, count, batch }) {
        const refusal = await count(paths.length - 1);
        if (refusal !== null) return refusal;
        return { status: 200, data: await batch(paths) };
      },
    },
  });
