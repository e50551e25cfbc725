/**
 * The public market data of Hyperliquid in the form of its own API: `/compat/hyperliquid`. Equal questions of all clients are one to
 * the exchange, within the one budget of this address.
 */
import type { Failure } from '../../../../actors/failure.ts';
import { publicQuestion, publicTypes } from '../../../../actors/topics/hyperliquid-info.ts';
import { JsonText } from '../../../answers/json-text.ts';
import type { NoEnvelope } from '../../../endpoints/route.ts';
import { fromFailure, kindOf } from '../../../wire/errors.ts';
import { apiError, kit, s } from '../../kit.ts';

const exchange = 'hyperliquid';

/** Clients read the status, and the text as it is. A body that is none of its questions is 422 there, an unknown market 500 and null. */
const form: NoEnvelope = {
  error(error) {
    if (error.error === 'unknown_symbol') return { status: 500, body: 'null' };
    const { status } = kindOf(error);
    return { status: error.error === 'bad_parameter' ? 422 : status, body: error.message };
  },
  errors: s.string('What is wrong, in words.'),
};

const refusal = apiError(
  'bad_parameter',
  `only public market data are answered here: ${publicTypes.join(', ')}, each with its documented fields; ask Hyperliquid itself for accounts and orders`,
);

/** What all other paths below say. */
export const hyperliquidOtherwise = {
  pattern: '/compat/hyperliquid/*',
  noEnvelope: form,
  error: apiError('not_found', refusal.message),
};

const body = s.unchecked<Readonly<Record<string, unknown>>>({
  type: 'object',
  properties: {
    type: { enum: publicTypes, description: 'What is asked.' },
    coin: { type: 'string', description: "The exchange's own name of a market." },
    dex: {
      type: 'string',
      description: 'A builder of perpetuals; the exchange itself when absent.',
    },
    req: { type: 'object', description: 'Of `candleSnapshot`.' },
  },
  required: ['type'],
});

/** Of a book of a market that it does not know the exchange says JSON's null with 200. */
const answerTo = (failure: Failure) =>
  failure.code === 'unknown_instrument' && failure.status === 200
    ? { status: 200 as const, data: null }
    : fromFailure(failure, 'Hyperliquid');

export const hyperliquidCompatRoutes = ({ bus }: Pick<kit.RoutesContext, 'bus'>): kit.Route[] => [
  kit.route({
    method: 'POST',
    path: '/compat/hyperliquid/info',
    summary:
      'Public market data in the form of Hyperliquid, whose WebSocket is /compat/hyperliquid/ws',
    params: {},
    body,
    bodyExample: { type: 'l2Book', coin: 'BTC' },
    answer: s.unchecked<unknown>({ description: "Hyperliquid's own answer, unchanged." }),
    noEnvelope: form,
    fails: ['unknown_symbol', 'upstream_failed', 'store_unavailable'],
    from: {
      async act({ body, account }) {
        const params = publicQuestion(body);
        if (params === null) return refusal;
        const query = { source: exchange, name: 'hyperliquidInfo', params } as const;
        const reply = await bus.query(query, { account });
        if (!reply.ok) return answerTo(reply.failure);
        // Nothing in its form could say so.
        if (reply.value.stale) return apiError('upstream_failed', 'Hyperliquid does not answer');
        return { status: 200, data: new JsonText<unknown>(reply.value.value) };
      },
    },
  }),
];
