/** Numbers that stand by themselves, out of several answers. */

import { ageLine } from './age.ts';
import { watch } from './ask.ts';
import { h, setAttribute, setText } from './dom.ts';
import type { Part } from './part.ts';
import type { Path } from './request.ts';

/** A name, its number in words, and the class of that. */
export type Fact = readonly [name: string, value: string, tone?: string];

/** A list of facts, of which the same names come each time. */
export function factList(): { node: HTMLElement; show(facts: readonly Fact[]): void } {
  const node = h('dl', { class: 'facts' });
  const values = new Map<string, HTMLElement>();
  return {
    node,
    show(facts) {
      for (const [name, text, tone = ''] of facts) {
        let value = values.get(name);
        if (value === undefined) {
          value = h('dd', {});
          values.set(name, value);
          node.append(h('div', { class: 'fact' }, h('dt', {}, name), value));
        }
        setText(value, text);
        setAttribute(value, 'class', tone);
      }
    },
  };
}

/** Follows the answers S by the names of their requests; `facts` are made of those that have come. Their age is that of the oldest. */
export function factsPart<S extends object>(
  paths: { readonly [N in keyof S]: Path<S[N]> },
  facts: (seen: Partial<S>) => readonly Fact[],
  { every, cadence = every }: { every: number; cadence?: number },
): Part {
  const list = factList();
  const age = ageLine(cadence);
  const seen: Partial<S> = {};
  const ages = new Map<string, number>();
  list.show(facts(seen));
  const ends: (() => void)[] = [];
  for (const name in paths) {
    const data = (data: S[typeof name], at: number | null) => {
      seen[name] = data;
      ages.set(name, at ?? Date.now());
      list.show(facts(seen));
      age.onData(Object.values(seen), Math.min(...ages.values()));
    };
    ends.push(watch(paths[name], every, { data }));
  }
  return {
    node: h('div', { class: 'numbers' }, list.node, age.node),
    end() {
      age.end();
      for (const end of ends) end();
    },
  };
}
