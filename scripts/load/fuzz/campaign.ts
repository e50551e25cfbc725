import { type Outcome, type Peer, perform } from './client.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import type { Api } from './requests.ts';

/** What is to be sent, and where. */
export interface Plan {
  peer: Peer;
  api: Api;
  seed: number;
  /** Number of the first exchange. */
  first: number;
  requests: number;
  /** Connections at once. */
  connections: number;
}

/** Something that must not happen; `exchange` replays it. */
export interface Finding {
  exchange: number;
  what: string;
  sent: string;
}

export interface Report {
  requests: number;
  exchanges: number;
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Exchanges by their end. */
  ends: Record<Outcome['end'], number>;
  findings: Finding[];
}

/** Findings that are kept; more tell nothing new. */
const mostFindings = 50;
/** Exchanges between two looks at the server's health. */
const healthEvery = 1_000;
const healthPatience = 5_000;

/**
 * Server errors that are documented: 503 (warming up, or too many open questions), and 505 for what is not
 * HTTP/1.1 or comes with its version cut in two, which uWebSockets.js answers by itself.
 */
const allowed = (status: number, owed: boolean) =>
  status < 500 || status === 503 || (status === 505 && !owed);

/**
 * What is wrong with an outcome; null when nothing is. Pipelined requests may be cut off unanswered:
 * uWebSockets.js closes when one comes while the answer before it is still being waited for.
 */
export function fault({ owed, methods }: Exchange, outcome: Outcome): string | null {
  const { end, garbled, statuses } = outcome;
  if (end === 'refused') return 'the connection was refused';
  if (end === 'hung') return 'neither answered nor closed in time';
  if (garbled !== null) return `not an answer: ${JSON.stringify(garbled)}`;
  const bad = statuses.find((status) => !allowed(status, owed));
  if (bad !== undefined) return `answered ${bad}`;
  return owed && end === 'closed' && methods.length === 1 ? 'closed without an answer' : null;
}

/** Whether the server still answers; any status will do. */
async function alive({ host, port }: Peer): Promise<boolean> {
  const signal = AbortSignal.timeout(healthPatience);
  const bare = host.includes(':') ? `[${host}]` : host;
  const answer = await fetch(`http://${bare}:${port}/healthz`, { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer !== null;
}

const shown = ({ pieces }: Exchange): string =>
  JSON.stringify(pieces.map((piece) => piece.toString('latin1', 0, 300)));

const empty = (): Report => ({
  requests: 0,
  exchanges: 0,
  statuses: {},
  ends: { answered: 0, closed: 0, left: 0, hung: 0, refused: 0 },
  findings: [],
});

function count(report: Report, outcome: Outcome): void {
  report.ends[outcome.end]++;
  for (const status of outcome.statuses) {
    report.statuses[status] = (report.statuses[status] ?? 0) + 1;
  }
}

/** Sends until the number of requests is reached or the server is gone; `note` gets each exchange. */
export async function campaign(plan: Plan, note: (report: Report) => void): Promise<Report> {
  const { peer, api, seed, connections } = plan;
  const report = empty();
  let next = plan.first;
  let gone = false;

  const record = (number: number, what: string) => {
    if (report.findings.length >= mostFindings) return;
    report.findings.push({ exchange: number, what, sent: shown(exchangeOf(api, seed, number)) });
  };
  const look = async (number: number) => {
    if (gone || (await alive(peer))) return;
    gone = true;
    record(number, 'the server does not answer any more');
  };
  const work = async () => {
    while (report.requests < plan.requests && !gone) {
      const number = next++;
      const exchange = exchangeOf(api, seed, number);
      report.requests += exchange.methods.length;
      report.exchanges++;
      const outcome = await perform(peer, exchange);
      count(report, outcome);
      const what = fault(exchange, outcome);
      if (what !== null) record(number, what);
      if (number % healthEvery === 0) await look(number);
      note(report);
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  await look(next - 1);
  return report;
}
