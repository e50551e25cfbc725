/** Tracked wallets of Hyperliquid: their positions, what they open and close, and where they would be liquidated. */
import {
  type PositionEvent,
  positionActions,
  positionEvent,
  type WalletCoverage,
  type WalletPosition,
  walletBalance,
  walletCoverage,
  walletFill,
  walletOrder,
  walletPosition,
} from '../../actors/topics/hyperliquid-wallets.ts';
import * as s from '../../actors/topics/schema.ts';
import {
  groupedWallets,
  liquidationLevels,
  type WalletGroup,
} from '../../indicators/derivatives/wallet-positions.ts';
import type { CheckedValues, Param, Route } from '../endpoints/route.ts';
import { isApiError } from '../wire/errors.ts';
import type { RoutesContext } from './context.ts';
import { columns, plain } from './factory/columns.ts';
import { history } from './factory/history.ts';
import * as params from './params.ts';

const group = 'Exchange analytics';
const source = 'hyperliquid-wallets';
const venue = 'hyperliquid';

type Context = Pick<RoutesContext, 'markets' | 'positionLog'>;

/** A perpetual of the exchange, those of builders among them; all when absent. */
const symbolOrAll = ({ markets }: Context) =>
  ({
    ...params.symbolOrAll,
    description: 'Base asset or a market of it, in any spelling (`xyz:TSLA`). All when absent.',
    resolve({ symbol }: CheckedValues) {
      if (symbol === undefined) return { symbol: undefined };
      const found = markets.resolve(String(symbol), { kind: 'perpetual', exchanges: [venue] });
      return isApiError(found) ? found : { symbol: found.symbol };
    },
  }) as const;

const symbolOf = ({ markets }: Context) =>
  params.asset(params.symbolOrBitcoin, markets, { kind: 'perpetual', exchanges: [venue] });

/** Positions that an answer is made of at most. */
const most = 100_000;

const position = plain(walletPosition);
const event = plain(positionEvent);
const sideParam = params.word(['long', 'short'], 'Both sides when absent.');

function positionsRoute(context: Context): Route[] {
  return history({
    path: '/v1/hyperliquid/positions',
    group,
    summary:
      'Large open positions of tracked wallets of Hyperliquid, with their liquidation prices',
    params: {
      symbol: symbolOrAll(context),
      side: sideParam,
      min_usd: params.atLeastOr(0, 0, 'Least value of a position, US dollars.'),
      limit: params.limit(50, 500, 'Most positions.'),
    },
    of: {
      names: ['walletPositions'],
      head: { properties: {}, read: () => ({}) },
      what: () => 'the positions of wallets of hyperliquid',
      ask: ({ symbol }) => ({
        source,
        params: { most, ...(symbol !== undefined && { symbol }) },
      }),
    },
    fold: ({ coverage, positions }, { values: { side, min_usd, limit } }) => {
      const wanted = positions
        .filter((one) => one.value_usd >= min_usd && (side ?? one.side) === one.side)
        .slice(0, limit);
      return { coverage, count: wanted.length, items: position.all(wanted) };
    },
    fields: listOf(walletPosition, 'Largest value first.'),
  });
}

/** The coverage, a number and a list. */
function listOf<S extends s.TSchema>(item: S, order: string) {
  return columns<{ coverage: WalletCoverage; count: number; items: s.Static<S>[] }>()({
    coverage: walletCoverage,
    count: s.count,
    items: s.list(item, order),
  });
}

const address = {
  type: 'string',
  required: true,
  pattern: '^0x[0-9a-fA-F]{40}$',
  maxLength: 42,
  description: 'Address of the wallet.',
  example: '0xdfc24b077bc1425ad1dea75bcb6f8158e10df303',
} as const satisfies Param;

const dex = {
  type: 'string',
  pattern: '^[A-Za-z0-9]+$',
  maxLength: 8,
  description:
    'Dex of a builder (`xyz`), whose accounts are apart; the exchange itself when absent.',
} as const satisfies Param;

const wallet = s.object({
  account_value_usd: s.number(
    'Of the perpetual account, US dollars. A unified account keeps a part of its collateral in spot.',
  ),
  margin_used_usd: s.number('Margin of all positions, US dollars.'),
  withdrawable_usd: s.number('What may be withdrawn, US dollars.'),
  positions: s.list(walletPosition, 'As the exchange orders them.'),
  orders: s.list(walletOrder, 'As the exchange orders them.'),
  fills: s.list(walletFill, 'The newest 200, of all dexes, newest first.'),
  spot: s.list(walletBalance, 'Balances of the spot account.'),
});

const walletRoute = (): Route[] =>
  history({
    path: '/v1/hyperliquid/wallet',
    group,
    summary: 'A wallet of Hyperliquid: positions, margin, orders, fills and spot balances',
    params: { address, dex },
    of: {
      names: ['hyperliquidWallet'],
      head: columns<{ values: { address: string; dex?: string | undefined } }>()({
        address: [
          s.string('As asked, in lower case.'),
          ({ values }) => values.address.toLowerCase(),
        ],
        dex: [s.stringOrNull('As asked.'), ({ values }) => values.dex ?? null],
      }),
      what: ({ address: of }) => `the wallet ${of}`,
      ask: ({ address: of, dex: on }) => ({
        source,
        params: { address: of.toLowerCase(), dex: on?.toLowerCase() ?? '' },
      }),
    },
    fold: (reply) => reply,
    fields: plain(wallet),
  });

interface EventsWanted {
  symbol?: string | undefined;
  action?: PositionEvent['action'] | undefined;
  min_usd: number;
}
const isEventOf = (one: PositionEvent, { symbol, action, min_usd }: EventsWanted): boolean =>
  one.value_usd >= min_usd &&
  (symbol ?? one.symbol) === one.symbol &&
  (action ?? one.action) === one.action;

const actionParam = params.word(positionActions, 'Both when absent.');

function whalesRoute(context: Context): Route[] {
  return history({
    path: '/v1/hyperliquid/whales',
    group,
    summary: 'Large positions that tracked wallets of Hyperliquid have opened and closed',
    params: {
      symbol: symbolOrAll(context),
      action: actionParam,
      min_usd: params.atLeastOr(100_000, 1_000_000, 'Least value of the position, US dollars.'),
      limit: params.limit(50, 500, 'Most events.'),
    },
    of: {
      names: ['positionEvents'],
      head: { properties: {}, read: () => ({}) },
      what: () => 'the positions of wallets of hyperliquid',
      ask: () => ({ source, params: {} }),
    },
    log: (values) => ({
      log: context.positionLog,
      limit: values.limit,
      item: (one: PositionEvent) => (isEventOf(one, values) ? event.read(one) : null),
    }),
    list: 'items',
    fold({ coverage, events }, { values }) {
      const wanted = events.filter((one) => isEventOf(one, values)).slice(0, values.limit);
      return { coverage, count: wanted.length, items: event.all(wanted) };
    },
    fields: listOf(positionEvent, 'Newest first.'),
  });
}

const groupRow = columns<WalletGroup & { to: number | null }>()({
  from_usd: [
    s.numberOrNull('Least of the group, US dollars; null for the lowest one.'),
    ({ from }) => (Number.isFinite(from) ? from : null),
  ],
  to_usd: [s.numberOrNull('Least of the next group; null for the highest one.'), 'to'],
  wallets: s.integer('Wallets in the group.'),
  long_usd: s.number('Value of their longs, US dollars.'),
  short_usd: s.number('Value of their shorts, US dollars.'),
  long_part: [
    s.numberOrNull('Longs over both, a fraction; null without a position.'),
    ({ long_usd, short_usd }) =>
      long_usd + short_usd > 0 ? long_usd / (long_usd + short_usd) : null,
  ],
  profitable: s.integer('Wallets with a profit on these positions.'),
});

/** The groups with where each ends. */
const groupsOf = (positions: readonly WalletPosition[], by: 'value' | 'profit') =>
  groupedWallets(positions, by).map((one, i, all) =>
    groupRow.read({ ...one, to: all[i + 1]?.from ?? null }),
  );

const distributionFields = columns<{
  coverage: WalletCoverage;
  value_groups: s.Static<typeof groupRow.schema>[];
  profit_groups: s.Static<typeof groupRow.schema>[];
}>()({
  coverage: walletCoverage,
  value_groups: s.list(groupRow.schema, 'By the value of all positions of a wallet, ascending.'),
  profit_groups: s.list(groupRow.schema, 'By the unrealised profit of a wallet, ascending.'),
});

/** A subject of all positions of one asset. */
const positionsOfAsset = {
  names: ['walletPositions'],
  what: ({ symbol }: { symbol: string }) => `the positions in ${symbol} on hyperliquid`,
  ask: ({ symbol }: { symbol: string }) => ({ source, params: { symbol, most } }),
} as const;

const distributionRoute = (context: Context): Route[] =>
  history({
    path: '/v1/hyperliquid/distribution',
    group,
    summary:
      'Tracked wallets of Hyperliquid in an asset by size and by profit, with their value by side',
    params: { symbol: symbolOf(context) },
    of: positionsOfAsset,
    fold: ({ coverage, positions }) => ({
      coverage,
      value_groups: groupsOf(positions, 'value'),
      profit_groups: groupsOf(positions, 'profit'),
    }),
    fields: distributionFields,
  });

const level = columns<ReturnType<typeof liquidationLevels>[number]>()({
  price: s.number('Start of the level, US dollars.'),
  side: s.oneOf(['long', 'short'], 'Of the positions that would be liquidated.'),
  value_usd: s.number('Value of the positions now, US dollars.'),
  wallets: s.integer('Wallets of them.'),
  cumulative_usd: s.number('From the price now to this level, US dollars.'),
});

const mapFields = columns<{
  coverage: WalletCoverage;
  count: number;
  levels: s.Static<typeof level.schema>[];
}>()({
  model: [
    s.literal('exchange_prices', 'The exchange states the liquidation price of each position.'),
    () => 'exchange_prices' as const,
  ],
  coverage: walletCoverage,
  count: s.count,
  levels: s.list(level.schema, 'Ascending by price, within 25 % of the price now.'),
});

const mapRoute = (context: Context): Route[] =>
  history({
    path: '/v1/hyperliquid/liquidation-map',
    group,
    summary:
      'Where tracked wallets of Hyperliquid would be liquidated, by the prices of the exchange',
    params: { symbol: symbolOf(context) },
    of: positionsOfAsset,
    fold: ({ coverage, positions }) => {
      const levels = liquidationLevels(positions);
      return { coverage, count: levels.length, levels: level.all(levels) };
    },
    fields: mapFields,
  });

export const hyperliquidWalletRoutes = (context: Context): Route[] => [
  ...positionsRoute(context),
  ...walletRoute(),
  ...whalesRoute(context),
  ...distributionRoute(context),
  ...mapRoute(context),
];
