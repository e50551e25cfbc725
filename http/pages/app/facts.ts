/** Numbers that stand by themselves, out of several answers. */
import { h } from './dom.ts';
import type { Part } from './part.ts';
import type { Follower } from './stream.ts';

/** `sources` follow the answers of S by their names; `facts` are drawn of those that have come. */
export function factsPart<S extends object>(
  sources: Readonly<Record<keyof S & string, (follower: Follower) => () => void>>,
  facts: (seen: Partial<S>) => readonly HTMLElement[],
): Part {
  const node = h('dl', { class: 'facts' });
  const seen: Partial<S> = {};
  const draw = () => node.replaceChildren(...facts(seen));
  draw();
  const ends = Object.entries<(follower: Follower) => () => void>(sources).map(([name, source]) =>
    source({
      data(data) {
        Object.assign(seen, { [name]: data });
        draw();
      },
    }),
  );
  return {
    node,
    end() {
      for (const end of ends) end();
    },
  };
}
