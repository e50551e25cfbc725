import { type Route, route } from '../endpoints/route.ts';
import { sentimentAnswer } from '../views/sentiment.ts';
import type { RoutesContext } from './context.ts';

/** The mood of the market in one answer. */
export const sentimentRoutes = ({ sentiment }: Pick<RoutesContext, 'sentiment'>): Route[] => [
  route({
    method: 'GET',
    path: '/v1/sentiment',
    group: 'Market indicators',
    summary: 'Fear and greed index with the premium of Bitcoin on Coinbase',
    params: {},
    answer: sentimentAnswer,
    access: 'key',
    from: { answers: sentiment.read },
  }),
];
