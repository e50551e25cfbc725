/** What exchanges state of their markets, as it is known here: instruments and the newest rows of one exchange. */
import { warmingUp } from '../errors.ts';
import { instrumentKinds, instrumentsAnswer } from '../views/instruments.ts';
import type { RoutesContext } from './context.ts';
import * as params from './params.ts';
import { type Route, route } from './route.ts';

type Context = Pick<RoutesContext, 'instruments' | 'registry'>;

const common = { method: 'GET', group: 'Markets of an exchange', access: 'key' } as const;

const symbol = {
  type: 'string',
  maxLength: 64,
  description:
    "Base asset, a pair in a usual spelling (`BTC/USDT`, `BTC-USDT`), or an exchange's own symbol. All when absent.",
  example: 'BTC',
} as const;

const instrumentsRoute = ({ instruments, registry }: Context): Route =>
  route({
    ...common,
    path: '/v1/instruments',
    summary: 'Every market of every exchange: its own symbol, base, quote, contract, unified name',
    params: {
      exchange: params.exchange(registry.map(({ id }) => id)),
      symbol,
      kind: { type: 'string', enum: instrumentKinds, description: 'All kinds when absent.' },
    },
    answer: instrumentsAnswer,
    from: { view: (wanted) => instruments.read(wanted) ?? warmingUp },
  });

export const rawRowRoutes = (context: Context): Route[] => [instrumentsRoute(context)];
