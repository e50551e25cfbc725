/** The tables of the markets of all exchanges: whole, filtered and sorted. */
import { benchBesideBare, startOurs } from './servers.ts';
import { Stage } from './stage.ts';

/** Rows of the table. */
const markets = 2_000;
const paths = [
  '/v1/spot/pairs-markets?limit=500',
  '/v1/spot/pairs-markets?symbol=BTC',
  '/v1/spot/coins-markets?limit=50',
  '/v1/spot/volume?limit=500',
  '/v1/spot/volume?limit=20',
  '/v1/spot/gainers?limit=200',
];

/** Prints what the answers cost. */
export async function benchTables(): Promise<void> {
  const stage = new Stage();
  try {
    const ours = await startOurs(stage, markets);
    const title = `Tables of ${markets} spot markets`;
    await benchBesideBare(stage, ours, { title, goal: 0.7, paths });
  } finally {
    await stage.end();
  }
}
