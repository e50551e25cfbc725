/** Tracked wallets of Hyperliquid: their positions, what they open and close, and where they would be liquidated. */
import * as wallets from '../../actors/topics/hyperliquid-wallets.ts';
import { less } from '../../indicators/digits.ts';
import { holderRoutes, most, source } from './hyperliquid-holders.ts';
import { isApiError, kit, params, s } from './kit.ts';

const venue = 'hyperliquid';

type Context = kit.Needs<'markets' | 'positionLog'>;

/** A perpetual of the exchange, those of builders among them; all when absent. */
const symbolOrAll = ({ markets }: Context) =>
  ({
    ...params.symbolOrAll,
    description: 'Base asset or a market of it, in any spelling (`xyz:TSLA`). All when absent.',
    resolve({ symbol }: kit.CheckedValues) {
      if (symbol === undefined) return { symbol: undefined };
      const found = markets.resolve(String(symbol), { kind: 'perpetual', exchanges: [venue] });
      return isApiError(found) ? found : { symbol: found.symbol };
    },
  }) as const;

const position = kit.plain(wallets.walletPosition);
const event = kit.plain(wallets.positionEvent);
const addressForm = {
  type: 'string',
  pattern: '^0x[0-9a-fA-F]{40}$',
  maxLength: 42,
  example: '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303',
} as const;
/** Only those of one wallet. */
const anyAddress = {
  ...addressForm,
  description: 'Address of a wallet. All tracked wallets when absent.',
} as const satisfies kit.Param;
const sideParam = params.word(['long', 'short'], 'Both sides when absent.');

/** A position, or what happened to it. */
interface Held extends Pick<wallets.PositionEvent, 'symbol' | 'address' | 'side' | 'value_usd'> {
  action?: wallets.PositionEvent['action'];
}
type Wanted = { [N in Exclude<keyof Held, 'value_usd'>]?: Held[N] | undefined };

const isWanted = (
  one: Held,
  { symbol, address: of, side, action, min_usd }: Wanted & { min_usd: number },
): boolean =>
  less(one.value_usd, min_usd) >= 0 &&
  (of?.toLowerCase() ?? one.address) === one.address &&
  (side ?? one.side) === one.side &&
  (symbol ?? one.symbol) === one.symbol &&
  (action ?? one.action) === one.action;

function positionsRoute(context: Context) {
  return kit.history({
    path: '/v1/hyperliquid/positions',
    summary:
      'Large open positions of tracked wallets of Hyperliquid, with their liquidation prices',
    params: {
      symbol: symbolOrAll(context),
      address: anyAddress,
      side: sideParam,
      min_usd: params.atLeastOr(0, 0, 'Least value of a position, US dollars.'),
      limit: params.limit(50, 500, 'Most positions.'),
    },
    of: {
      names: ['walletPositions'],
      head: kit.noFields,
      what: () => 'the positions of wallets of hyperliquid',
      ask: ({ symbol }) => ({
        source,
        params: { most, ...(symbol !== undefined && { symbol }) },
      }),
    },
    list: 'items',
    fold({ coverage, positions }, { values }) {
      const wanted = positions.filter((one) => isWanted(one, values)).slice(0, values.limit);
      return { coverage, count: wanted.length, items: position.all(wanted) };
    },
    fields: listOf(wallets.walletPosition, 'Largest value first.'),
  });
}

/** The coverage, a number and a list. */
function listOf<S extends s.TSchema>(item: S, order: string) {
  const fields = { coverage: wallets.walletCoverage, count: s.count, items: s.list(item, order) };
  return kit.plain(s.object(fields));
}

const address = {
  ...addressForm,
  required: true,
  description: 'Address of the wallet.',
} as const satisfies kit.Param;

const dex = {
  type: 'string',
  pattern: '^[A-Za-z0-9]+$',
  maxLength: 8,
  description: 'Dex of a builder (`xyz`), whose accounts are apart; the exchange when absent.',
} as const satisfies kit.Param;

const wallet = s.object({
  account_value_usd: s.numberOrNull(
    'Of the perpetual account, US dollars; null for a unified account or one with portfolio margin, whose collateral is in `spot`.',
  ),
  margin_used_usd: s.number('Margin of all positions, US dollars.'),
  withdrawable_usd: s.numberOrNull('What may be withdrawn, US dollars; null as above.'),
  positions: s.list(wallets.walletPosition, 'As the exchange orders them.'),
  orders: s.list(wallets.walletOrder, 'As the exchange orders them.'),
  fills: s.list(wallets.walletFill, 'The newest 200, of all dexes, newest first.'),
  spot: s.list(wallets.walletBalance, 'Balances of the spot account.'),
});

const walletRoute = () =>
  kit.history({
    path: '/v1/hyperliquid/wallet',
    summary: 'A wallet of Hyperliquid: positions, margin, orders, fills and spot balances',
    params: { address, dex },
    of: {
      names: ['hyperliquidWallet'],
      head: kit.columns<{ values: { address: string; dex?: string | undefined } }>()({
        address: [s.string('In lower case.'), ({ values }) => values.address.toLowerCase()],
        dex: [s.stringOrNull('As asked.'), ({ values }) => values.dex ?? null],
      }),
      what: ({ address: of }) => `the wallet ${of}`,
      ask: ({ address: of, dex: on }) => ({
        source,
        params: { address: of.toLowerCase(), dex: on?.toLowerCase() ?? '' },
      }),
    },
    fold: (reply) => reply,
    list: 'positions',
    fields: kit.plain(wallet),
  });

const actionParam = params.word(wallets.positionActions, 'Both when absent.');

function whalesRoute(context: Context) {
  return kit.history({
    path: '/v1/hyperliquid/whales',
    summary: 'Large positions that tracked wallets of Hyperliquid have opened and closed',
    params: {
      symbol: symbolOrAll(context),
      address: anyAddress,
      side: sideParam,
      action: actionParam,
      min_usd: params.atLeastOr(100_000, 1_000_000, 'Least value of the position, US dollars.'),
      limit: params.limit(50, 500, 'Most events.'),
    },
    of: {
      names: ['positionEvents'],
      head: kit.noFields,
      what: () => 'the positions of wallets of hyperliquid',
      ask: () => ({ source, params: {} }),
    },
    log: (values) => ({
      log: context.positionLog,
      limit: values.limit,
      item: (one: wallets.PositionEvent) => (isWanted(one, values) ? event.read(one) : null),
    }),
    list: 'items',
    fold({ coverage, events }, { values }) {
      const wanted = events.filter((one) => isWanted(one, values)).slice(0, values.limit);
      return { coverage, count: wanted.length, items: event.all(wanted) };
    },
    fields: listOf(wallets.positionEvent, 'Newest first.'),
  });
}

export const hyperliquidWalletRoutes = (context: Context) => [
  ...positionsRoute(context),
  ...walletRoute(),
  ...whalesRoute(context),
  ...holderRoutes(context),
];
