import type { LiquidationContext } from './common.ts';
import { eventRoutes } from './events.ts';
import { liquidationHeatmapRoutes } from './heatmap.ts';
import { liquidationHistoryRoutes } from './liquidation-history.ts';
import { mapRoutes } from './map.ts';
import { tableRoutes } from './sums.ts';

/** Liquidations as the exchanges publish them. */
export const liquidationRoutes = (context: LiquidationContext) => [
  ...eventRoutes(context),
  ...tableRoutes(context),
  ...liquidationHistoryRoutes(context),
  ...mapRoutes(context),
  ...liquidationHeatmapRoutes(context),
];
