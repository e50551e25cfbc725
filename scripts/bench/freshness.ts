/** From the frame of an exchange to the client of a WebSocket, with default settings, beside a client of the exchange itself. */
import { startLive } from './live-service.ts';
import { type Ways, waysOfClient, waysOfExchange } from './live-way.ts';
import { printTable } from './report.ts';
import { onStage } from './stage.ts';
import { waitedBy } from './usage.ts';

/** Frames a second of all exchanges, and the goals for what is added to them, ms. */
const loads = [
  { frames: 500, p50: 3, p99: 10 },
  { frames: 6_000, p50: 5, p99: 25 },
];
/** How long the ways are measured, seconds. */
const seconds = 25;

/** The rows of one load; both clients are measured in the same seconds. */
const rowsOf = ({ frames, ...goals }: (typeof loads)[number]) =>
  onStage(async (stage) => {
    const { url, gateway, pids } = await startLive(stage, frames);
    const waited = () => [waitedBy(pids.feed), waitedBy(pids.web)];
    const before = waited();
    const [exchange, client] = await Promise.all([
      waysOfExchange(gateway, seconds),
      waysOfClient(url, seconds),
    ]);
    const shares = waited().map((value, i) => (100 * (value - (before[i] ?? 0))) / seconds);
    const row = (name: string, ways: Ways, ...rest: string[]) => [
      ...[`${frames} frames a second: ${name}`, `${ways.at(0.5)}`, `${ways.at(0.99)}`],
      ...[`${ways.ms.length}`, ...rest],
    ];
    const waits = shares.map((share) => share.toFixed(1));
    return [
      row('a client of the exchange, the reference', exchange, '', '', ''),
      row('WebSocket', client, `${goals.p50}, ${goals.p99}`, ...waits),
    ];
  });

/** Prints the ways, and how much of the time feed and web were ready and waited for a processor. */
export async function benchFreshness(): Promise<void> {
  const rows: string[][] = [];
  for (const load of loads) rows.push(...(await rowsOf(load)));
  printTable('From the frame to the client with default settings, ms', [
    ['', 'p50', 'p99', 'samples', 'goals', 'feed waited, %', 'web waited, %'],
    ...rows,
  ]);
}
