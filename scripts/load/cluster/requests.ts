/** Requests of all groups of endpoints at a steady rate, and what became of them. */
import { setTimeout as rest } from 'node:timers/promises';
import type { Answer } from './balancer.ts';
import { type Age, type Finding, listed, most, note } from './findings.ts';
import type { Around } from './followers.ts';
import type { ClusterOptions } from './options.ts';
import { entriesOf } from './streams.ts';

/** What a group is answered by: the memory of a web process, or a process of another role that is asked. */
type By = 'memory' | 'feed' | 'compute' | 'history';
interface Group {
  by: By;
  path(symbol: string): string;
}

/** Of Binance where one exchange has to be named: it has all of what is asked. */
const groups: Readonly<Record<string, Group>> = {
  prices: { by: 'memory', path: (symbol) => `/v1/prices?symbol=${symbol}` },
  'open interest': { by: 'memory', path: (symbol) => `/v1/open-interest?symbol=${symbol}` },
  funding: { by: 'memory', path: (symbol) => `/v1/funding-rates?symbol=${symbol}` },
  markets: { by: 'memory', path: (symbol) => `/v1/futures/pairs-markets?symbol=${symbol}` },
  liquidations: { by: 'memory', path: () => '/v1/liquidations/orders?limit=50' },
  status: { by: 'memory', path: () => '/v1/status' },
  books: {
    by: 'feed',
    path: (symbol) => `/v1/orderbook?exchange=binance&symbol=${symbol}USDT`,
  },
  bars: {
    by: 'feed',
    path: (symbol) => `/v1/bars?exchange=binance&symbol=${symbol}USDT&interval=1h&limit=50`,
  },
  indicators: { by: 'compute', path: (symbol) => `/v1/indicators?symbol=${symbol}USDT` },
  history: {
    by: 'history',
    path: (symbol) => `/v1/open-interest/aggregated-history?symbol=${symbol}&interval=5m&limit=12`,
  },
};

/** The groups that a cluster with so many processes can answer. */
export const answerable = ({
  compute,
  history,
}: Pick<ClusterOptions, 'compute' | 'history'>): string[] =>
  Object.keys(groups).filter((name) => {
    const by = groups[name]?.by;
    return !(by === 'compute' && compute === 0) && !(by === 'history' && history === 0);
  });

/** Longest time that an answer is waited for, ms: a question waits ten seconds for its process. */
const timeout = 15_000;
/** Requests that are open at once at most; more are not sent and counted as such. */
const mostOpen = 2_000;
const step = 20;

/** What became of the requests of a group. */
export class GroupAccount {
  asked = 0;
  answered = 0;
  /** 429 and 503, by the code of the error. */
  readonly refused = new Map<string, number>();
  /** Everything else that is no answer, by cause. */
  readonly failed = new Map<string, number>();

  take({ status, body }: Answer): void {
    if (status < 400) {
      this.answered++;
      return;
    }
    const isRefused = status === 503 || status === 429;
    count(isRefused ? this.refused : this.failed, `${status} ${codeOf(body)}`);
  }

  fail(error: unknown): void {
    count(this.failed, causeOf(error));
  }
}

const count = (map: Map<string, number>, cause: string): void =>
  void map.set(cause, (map.get(cause) ?? 0) + 1);

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? String(error.code) : error.message;
}

function codeOf(body: string): string {
  try {
    const { code } = JSON.parse(body) as { code?: string };
    return code ?? 'without a code';
  } catch {
    return 'no JSON';
  }
}

interface Asked extends Around {
  /** Names of the groups that are asked. */
  names: readonly string[];
  /** Told of each answer about the price of the first symbol. */
  onAge(age: Age): void;
}

export class Requests {
  readonly accounts = new Map<string, GroupAccount>();
  /** Requests that were not sent since too many were open. */
  unsent = 0;
  readonly #around: Asked;
  #open = 0;
  #isOver = false;
  #turn = 0;

  constructor(around: Asked) {
    this.#around = around;
    for (const name of around.names) this.accounts.set(name, new GroupAccount());
  }

  /** Asks so many times a second, each group in its turn, until `stop` is called and the last answer has come. */
  async run(rate: number): Promise<void> {
    const begun = performance.now();
    for (let sent = 0; !this.#isOver; await rest(step)) {
      const due = ((performance.now() - begun) / 1_000) * rate;
      for (; sent < due; sent++) this.#send();
    }
    while (this.#open > 0) await rest(step);
  }

  stop(): void {
    this.#isOver = true;
  }

  findings(): Finding[] {
    const lines = [...this.accounts].map(([name, { answered, asked, refused, failed }]) => {
      const rest = `refused: ${listed(refused)}; failed: ${listed(failed)}`;
      return note(`${name}, out of ${groups[name]?.by}`, `${answered} of ${asked}; ${rest}`);
    });
    const memory = [...this.accounts].filter(([name]) => groups[name]?.by === 'memory');
    const missed = memory.reduce((sum, [, { asked, answered }]) => sum + asked - answered, 0);
    return [
      ...lines,
      most('requests answerable from memory that were not answered', missed, 0),
      note('requests that were not sent, too many open', `${this.unsent}`),
    ];
  }

  #send(): void {
    const turn = this.#turn++;
    const { symbols, names } = this.#around;
    const name = names[turn % names.length] ?? '';
    const symbol = symbols[Math.floor(turn / names.length) % symbols.length] ?? '';
    if (this.#open >= mostOpen) this.unsent++;
    else void this.#ask(name, symbol);
  }

  async #ask(name: string, symbol: string): Promise<void> {
    const { balancer, key } = this.#around;
    const [account, group] = [this.accounts.get(name), groups[name]];
    if (!account || !group) return;
    this.#open++;
    account.asked++;
    try {
      const answer = await balancer.ask({ path: group.path(symbol), key, timeout });
      account.take(answer);
      if (name === 'prices' && answer.status === 200) this.#check(symbol, answer);
    } catch (error) {
      account.fail(error);
    } finally {
      this.#open--;
    }
  }

  #check(symbol: string, { body }: Answer): void {
    const { truth, symbols, onAge } = this.#around;
    const { data, timestamp, as_of } = JSON.parse(body) as {
      data: unknown;
      timestamp: number;
      as_of: number;
    };
    for (const [exchange, entry] of entriesOf(data)) truth.price(exchange, symbol, entry);
    if (symbol === symbols[0]) onAge({ at: timestamp, age: timestamp - as_of });
  }
}
