/** How old the data of a panel are, and what is missing in them: a quiet line in its bar. */
import { h, setText } from './dom.ts';
import { exchangeNames } from './exchange-names.ts';
import { duration } from './format.ts';
import { isLive, onLink } from './link.ts';

export interface Freshness {
  /** Since the newest reading was received, ms; null before the first answer. */
  age: number | null;
  /** Age up to which all is well, ms. */
  usual: number;
  /** False while the connection is lost. */
  isLive: boolean;
  /** The service says that its data are old. */
  isStale: boolean;
  /** Exchanges that are missing in the data. */
  without: readonly string[];
}

/** The words of the line, and whether they warn. */
export function freshnessOf(of: Freshness): { text: string; isWarning: boolean } {
  const { age, usual, isLive: live, isStale, without } = of;
  if (age === null) return { text: '', isWarning: false };
  const parts = [
    live ? '' : 'not live',
    age < 1000 ? 'now' : `${duration(age)} ago`,
    isStale ? 'stale' : '',
    without.length === 0 ? '' : `without ${exchangeNames(without)}`,
  ];
  const isWarning = !live || isStale || without.length > 0 || age > usual;
  return { text: parts.filter((part) => part !== '').join(' · '), isWarning };
}

/** Where answers name the exchanges that are missing in them. */
const lists = ['failed_exchanges', 'stale_exchanges', 'disconnected_exchanges'] as const;
type Troubles = Partial<Record<(typeof lists)[number], readonly string[]>> & { stale?: boolean };

/** What an answer says of its own worth; `isJudged`: it says itself whether it is too old. */
export function troublesOf(data: unknown): Pick<Freshness, 'isStale' | 'without'> & {
  isJudged: boolean;
} {
  const rows: Troubles[] = Array.isArray(data) ? data : [Object(data)];
  return {
    isStale: rows.some(({ stale }) => stale === true),
    isJudged: rows.some(({ stale }) => stale === false),
    without: [...new Set(rows.flatMap((row) => lists.flatMap((name) => row[name] ?? [])))],
  };
}

const shown = new Set<() => void>();
const showAll = (): void => {
  for (const show of shown) show();
};
setInterval(showAll, 1_000);
onLink(showAll);

/** A number without a change for so long is marked, ms. */
export const oldAfter = 90_000;

/** Least age that is worth a warning, ms. */
const least = 30_000;

export interface Age {
  node: HTMLElement;
  /** An answer has come; `at`: when its newest reading was received, Unix ms, null where it has none. */
  onData(data: unknown, at: number | null): void;
  end(): void;
}

/** The line of a panel whose data are read anew each `every` ms. */
export function ageLine(every: number): Age {
  const node = h('span', { class: 'fresh' });
  let newest: number | null = null;
  let usual = Math.max(least, 3 * every);
  let troubles = troublesOf(null);
  const show = () => {
    const age = newest === null ? null : Math.max(0, Date.now() - newest);
    const { text, isWarning } = freshnessOf({ ...troubles, age, usual, isLive: isLive() });
    setText(node, text);
    node.classList.toggle('warn', isWarning);
    if (node.title !== text) node.title = text;
  };
  shown.add(show);
  return {
    node,
    onData(data, at) {
      newest = at ?? Date.now();
      troubles = troublesOf(data);
      usual = at === null || troubles.isJudged ? Infinity : Math.max(least, 3 * every);
      show();
    },
    end: () => shown.delete(show),
  };
}
