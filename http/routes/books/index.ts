import { aggregatedRoutes } from './aggregated.ts';
import type { BooksContext } from './asset-books.ts';
import { bookHistoryRoutes } from './depth-history.ts';
import { heatmapRoutes } from './heatmap.ts';
import { largeOrderRoutes } from './large-orders.ts';
import { liquidityRoutes } from './liquidity.ts';

/** Order books over exchanges and over time. Without an exchange that gives them there are no rows. */
export const bookRoutes = (context: BooksContext) =>
  context.exchanges.orderBook.length === 0
    ? []
    : [
        ...aggregatedRoutes(context),
        ...bookHistoryRoutes(context),
        ...heatmapRoutes(context),
        ...largeOrderRoutes(context),
        ...liquidityRoutes(context),
      ];
