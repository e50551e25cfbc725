/** Exchanges as they write themselves: the page has their names by id, those of the service. */
import type { Option } from './dom.ts';

const names = new Map<string, string>(
  Object.entries(JSON.parse(document.documentElement.dataset.exchanges ?? '{}')),
);

/** The name of an exchange; an id that has none is shown as it is. */
export const exchangeName = (id: string): string => names.get(id) ?? id;

/** Several in a sentence. */
export const exchangeNames = (ids: readonly string[]): string => ids.map(exchangeName).join(', ');

/** An exchange to choose. */
export const exchangeOption = <V extends string>(id: V): Option<V> => [id, exchangeName(id)];

/** What a search for an exchange looks at: its name and its id. */
export const exchangeWords = (id: string): string => `${exchangeName(id)} ${id}`;

/** Where a row is from. */
export const exchangeColumn = { head: 'Exchange', of: 'exchange', words: exchangeName } as const;
