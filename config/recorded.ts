/** The settings of the recorder. */
import { row, whole, words } from './row.ts';

export const recordedWords = [
  'trades',
  'books',
  'quotes',
  'derivatives',
  'liquidations',
  'polls',
] as const;
export type RecordedWord = (typeof recordedWords)[number];

/** Some of these words; `all` stands for all of them. Throws an Error that names the words. */
function recorded(text: string): RecordedWord[] {
  const given = words(text);
  if (given.includes('all')) return [...recordedWords];
  const found = recordedWords.filter((word) => given.includes(word));
  if (found.length < new Set(given).size)
    throw new Error(`some of ${recordedWords.join(', ')}, or all`);
  return found;
}

/** A time that is lived again: from, to, the start by the clock of the system (all Unix ms), and how often faster it goes. */
function replayed(text: string) {
  const [from = Number.NaN, to = 0, began = Number.NaN, speed = 0] = text.split(',').map(Number);
  if (!(from < to && began > 0 && speed > 0)) throw new Error('what `npm run replay` sets');
  return { from, to, began, speed };
}

/** What is recorded, and how much of it is kept. */
export const recordRows = {
  record: row<RecordedWord[]>({
    env: 'RECORD',
    read: recorded,
    fallback: [],
    shown: 'none',
    doc: `What the feed processes record as it comes, into \`recordings\` in DATA_DIR, comma-separated: ${recordedWords.join(', ')}, or \`all\` (docs/recording.md).`,
  }),
  recordExchanges: row<string[]>({
    env: 'RECORD_EXCHANGES',
    read: words,
    fallback: [],
    shown: 'all that run',
    doc: 'Exchanges that are recorded, as a comma-separated list of ids.',
  }),
  recordSymbols: row<string[]>({
    env: 'RECORD_SYMBOLS',
    read: words,
    fallback: [],
    shown: 'all',
    doc: 'Assets whose messages are recorded, such as `BTC,ETH`. A message about several markets is recorded whole where one of them is among these.',
  }),
  recordKeep: row({
    env: 'RECORD_KEEP',
    read: whole(1, 36_500),
    fallback: 30,
    doc: 'Days for which recordings are kept, besides the running one.',
  }),
  recordMostGb: row({
    env: 'RECORD_MOST_GB',
    read: whole(1, 1_000_000),
    fallback: 100,
    doc: 'Gigabytes that all recordings of a DATA_DIR may have: the oldest whole days go; where today alone has more, recording stops until tomorrow.',
  }),
  replayed: row<ReturnType<typeof replayed> | null>({
    env: 'REPLAY_CLOCK',
    read: replayed,
    fallback: null,
    shown: 'none',
    doc: 'The time of a recording that is lived again: `npm run replay` sets it (docs/recording.md).',
  }),
};
