import type { Route } from '../endpoints/route.ts';
import { alertRoutes } from './alerts/index.ts';
import { accountRatioRoutes } from './analytics/account-ratio.ts';
import { coinbasePremiumRoutes } from './analytics/coinbase-premium.ts';
import { cvdAggregatedRoutes } from './analytics/cvd-aggregated.ts';
import { footprintRoutes } from './analytics/footprint.ts';
import { hyperliquidRoutes } from './analytics/hyperliquid.ts';
import { interestBarRoutes, interestHistoryRoutes } from './analytics/interest-history.ts';
import { krakenDepthRoutes, krakenRoutes } from './analytics/kraken.ts';
import { longShortRoutes, marginHistoryRoute } from './analytics/long-short.ts';
import { netPositionRoutes } from './analytics/net-position.ts';
import { orderFlowRoutes } from './analytics/order-flow.ts';
import { settledFundingRoutes } from './analytics/settled-funding.ts';
import { takerAggregatedRoutes } from './analytics/taker-aggregated.ts';
import { authRoutes } from './auth.ts';
import { batchRoute } from './batch.ts';
import { bookRoutes } from './books/index.ts';
import { bullMarketPeakRoute } from './bull-market-peak.ts';
import { binanceBrackets, binanceOtherwise, binanceRoutes } from './compat/binance/index.ts';
import { hyperliquidCompatRoutes, hyperliquidOtherwise } from './compat/hyperliquid/index.ts';
import { openbbRoutes } from './compat/openbb/index.ts';
import { udfOtherwise, udfRoutes } from './compat/udf/index.ts';
import type { RoutesContext } from './context.ts';
import { dexRoutes } from './dex.ts';
import { fixingRoutes } from './fixings.ts';
import { fundingRoutes } from './funding/index.ts';
import { basisHistoryRoute } from './futures/basis-history.ts';
import { termStructureRoute } from './futures/term-structure.ts';
import { historyCoverageRoutes } from './history-coverage.ts';
import { hyperliquidWalletRoutes } from './hyperliquid-wallets.ts';
import { indicatorRoutes } from './indicators.ts';
import { lendingRoutes } from './lending.ts';
import { liquidationRoutes } from './liquidations/index.ts';
import { marketRoutes } from './market.ts';
import { marketIndicatorRoutes } from './market-indicators.ts';
import { marketTables } from './markets/index.ts';
import { onDemandRoutes } from './on-demand.ts';
import { onchainRoutes } from './onchain.ts';
import { optionsRoutes } from './options/index.ts';
import { volatilityRoutes } from './options/volatility.ts';
import { rawRowRoutes } from './raw-rows.ts';
import { recordingRoutes } from './recordings.ts';
import { referenceRateRoute } from './reference-rate.ts';
import { rowsRoutes } from './rows/index.ts';
import { scorecardRoutes } from './scorecard.ts';
import { screenerRoutes } from './screener.ts';
import { sentimentRoute } from './sentiment.ts';
import { sessionRoutes } from './session.ts';
import { statusRoutes } from './status.ts';
import { systemRoutes } from './system.ts';
import { tradeRoutes } from './trades.ts';
import { usageRoutes } from './usage.ts';

/** What is refused in the form of others: paths that their rows do not have. */
export const otherwise = [binanceBrackets, binanceOtherwise, hyperliquidOtherwise, udfOtherwise];

/** The route table: every endpoint there is. */
export function allRoutes(context: RoutesContext): Route[] {
  const routes = [
    ...marketRoutes(context),
    ...rawRowRoutes(context),
    ...onDemandRoutes(context),
    ...tradeRoutes(context),
    ...bookRoutes(context),
    ...fundingRoutes(context),
    ...liquidationRoutes(context),
    ...marketTables(context),
    termStructureRoute(context),
    ...basisHistoryRoute(context),
    ...orderFlowRoutes(context),
    ...cvdAggregatedRoutes(context),
    ...takerAggregatedRoutes(context),
    ...footprintRoutes(context),
    ...coinbasePremiumRoutes(context),
    ...accountRatioRoutes(context),
    ...longShortRoutes(context),
    ...netPositionRoutes(context),
    ...marginHistoryRoute(context),
    ...interestHistoryRoutes(context),
    ...interestBarRoutes(context),
    ...krakenRoutes(context),
    ...settledFundingRoutes(context),
    ...krakenDepthRoutes(context),
    ...hyperliquidRoutes(context),
    ...hyperliquidWalletRoutes(context),
    ...optionsRoutes(context),
    ...volatilityRoutes(context),
    ...indicatorRoutes(context),
    ...(context.candleIntervals.size === 0 ? [] : screenerRoutes()),
    ...marketIndicatorRoutes(context),
    bullMarketPeakRoute(context),
    sentimentRoute(context),
    referenceRateRoute(context),
    ...recordingRoutes(context),
    ...fixingRoutes(context),
    ...rowsRoutes(context),
    ...binanceRoutes(context),
    ...hyperliquidCompatRoutes(context),
    ...udfRoutes(context),
    ...onchainRoutes(context),
    ...dexRoutes(context),
    ...lendingRoutes(context),
    ...statusRoutes(context),
    ...scorecardRoutes(),
    ...historyCoverageRoutes(),
    batchRoute(),
    ...(context.keys === null
      ? []
      : [...authRoutes({ keys: context.keys }), ...sessionRoutes({ keys: context.keys })]),
    ...(context.alerts === null ? [] : alertRoutes(context.alerts)),
    ...(context.quota === null ? [] : usageRoutes(context)),
  ];
  routes.push(...openbbRoutes(routes));
  return [...routes, ...systemRoutes({ ...context, routes })];
}
