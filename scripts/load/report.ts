import type { Options } from './options.ts';
import type { Progress, Result } from './run.ts';

const count = (value: number) => Math.round(value).toLocaleString('en');
const mebibytes = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
const milliseconds = (value: number) => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;

/** One line, as wide as the one before it so that it covers it. */
export function progressLine({ elapsed, rate, errors, non2xx }: Progress, seconds: number): string {
  const parts = [
    `${elapsed} of ${seconds} s`,
    `${count(rate)} req/s`,
    `errors ${count(errors)}`,
    `non-2xx ${count(non2xx)}`,
  ];
  return parts.join('   ').padEnd(70);
}

/** The final table. */
export function table(result: Result, { url }: Options): string {
  const { latency_ms: latency, per_second: rate } = result;
  const non2xx = Object.entries(result.non_2xx).map(([status, n]) => `${status}: ${count(n)}`);
  const rows = [
    ['requests', `${count(result.requests)} in ${result.seconds.toFixed(1)} s`],
    ['throughput', `${count(rate.average)} req/s on average, ${count(rate.min)} at least`],
    ['p50', latency && milliseconds(latency.p50)],
    ['p90', latency && milliseconds(latency.p90)],
    ['p99', latency && milliseconds(latency.p99)],
    ['p99.9', latency && milliseconds(latency.p99_9)],
    ['slowest', latency && milliseconds(latency.max)],
    ['errors', count(result.errors)],
    ['timeouts', count(result.timeouts)],
    ['non-2xx', non2xx.length === 0 ? '0' : non2xx.join('  ')],
    ['bytes', `${mebibytes(result.bytes)}, ${mebibytes(result.bytes / result.seconds)}/s`],
  ];
  const head = `${url.origin}  ${result.endpoints.join('  ')}  ${result.connections} connections`;
  return [head, ...rows.map(([name, value]) => `  ${name?.padEnd(12)}${value ?? '-'}`)].join('\n');
}

/** What the reader should know of the answers before believing the figures. */
export function warnings({ non_2xx, requests }: Result): string[] {
  const share = (n: number) => `${((100 * n) / requests).toFixed(1)} % of the answers`;
  const limited = non_2xx[429] ?? 0;
  const refused = (non_2xx[401] ?? 0) + (non_2xx[403] ?? 0);
  return [
    ...(limited > 0
      ? [`${share(limited)} were 429: the quota is used up, and refusals are what was measured.`]
      : []),
    ...(refused > 0 ? [`${share(refused)} were 401 or 403: is --key right?`] : []),
  ];
}
