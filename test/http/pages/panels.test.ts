/** What panels of the dashboard are made of: their requests, the words about their age, and rows that are patched. */
import t, { type Test } from 'tap';

/** An element among others, as far as rows ask for one; what is taken out of its place loses the focus, as in a browser. */
class Element {
  static focused: Element | null = null;
  parent: Element | null = null;
  readonly children: Element[] = [];

  get firstElementChild(): Element | null {
    return this.children[0] ?? null;
  }

  get nextElementSibling(): Element | null {
    const { children = [] } = this.parent ?? {};
    return children[children.indexOf(this) + 1] ?? null;
  }

  insertBefore(node: Element, next: Element | null): void {
    node.remove();
    const place = next === null ? this.children.length : this.children.indexOf(next);
    this.children.splice(place, 0, node);
    node.parent = this;
  }

  remove(): void {
    if (this.parent === null) return;
    this.parent.children.splice(this.parent.children.indexOf(this), 1);
    this.parent = null;
    if (Element.focused === this) Element.focused = null;
  }

  replaceChildren(...nodes: Element[]): void {
    for (const child of [...this.children]) child.remove();
    for (const node of nodes) this.insertBefore(node, null);
  }

  focus(): void {
    Element.focused = this;
  }
}

/** Gives the scripts what a browser has, until the test ends. */
function lend(t: Test, values: object): void {
  const before = new Map(Object.keys(values).map((name) => [name, Reflect.get(globalThis, name)]));
  Object.assign(globalThis, values);
  t.teardown(() => {
    for (const [name, value] of before) {
      if (value === undefined) Reflect.deleteProperty(globalThis, name);
      else Reflect.set(globalThis, name, value);
    }
  });
}

const load = (name: string) =>
  import(new URL(`../../../http/pages/app/${name}.ts`, import.meta.url).href);

interface View {
  node: Element;
  show(row: Row): void;
}
interface Row {
  name: string;
  value: number;
}

t.test('rows are patched', async (t) => {
  const document = {
    get activeElement() {
      return Element.focused;
    },
  };
  lend(t, { HTMLElement: Element, document });
  const { keyedRows } = await load('rows');
  const parent = new Element();
  const empty = new Element();
  const values = new Map<Element, number>();
  const make = (): View => {
    const node = new Element();
    return { node, show: ({ value }) => values.set(node, value) };
  };
  const name = (row: Row) => row.name;
  const show = keyedRows(parent, { name, make, empty: [empty] });
  t.strictSame(parent.children, [], 'nothing before the first answer');
  show([]);
  t.strictSame(parent.children, [empty], 'words where there are none');
  const rowsOf = (text: string): Row[] =>
    [...text].map((one, at) => ({ name: one, value: 10 * values.size + at }));

  show(rowsOf('abcd'));
  const [a, b, c, d] = parent.children;
  b?.focus();
  for (const [order, expected] of [
    ['bcda', [b, c, d, a]],
    ['adcb', [a, d, c, b]],
    ['b', [b]],
  ] as const) {
    const rows = rowsOf(order);
    show(rows);
    t.ok(
      parent.children.every((node, at) => node === expected[at]),
      `${order}: the same nodes in the new order`,
    );
    t.strictSame(
      parent.children.map((node) => values.get(node)),
      rows.map(({ value }) => value),
      'with the new values',
    );
    t.equal(Element.focused, b, 'the focus stays');
  }
  show(rowsOf('xbx'));
  t.equal(parent.children[1], b);
  t.equal(new Set(parent.children).size, 3, 'rows of one name have a node each');
  show([]);
  t.strictSame(parent.children, [empty]);
  show(rowsOf('b'));
  t.not(parent.children[0], b, 'a row that was away is new');
});

t.test('the line about the age of a panel', async (t) => {
  // The look at all ages each second must not keep the test.
  t.intercept(globalThis, 'setInterval', { value: () => 0 });
  const dataset = { exchanges: '{"okx":"OKX","gate":"Gate"}' };
  lend(t, { document: { documentElement: { dataset } } });
  const { freshnessOf, troublesOf } = await load('age');
  const well = { age: 4_400, usual: 30_000, isLive: true, isStale: false, without: [] };
  for (const [change, text, isWarning] of [
    [{}, '4 s ago', false],
    [{ age: null }, '', false],
    [{ age: 999 }, 'now', false],
    [{ age: 30_000 }, '30 s ago', false],
    [{ age: 31_000 }, '31 s ago', true],
    [{ age: 7_200_000, usual: Infinity }, '2 h ago', false],
    [{ isStale: true }, '4 s ago · stale', true],
    [{ without: ['okx', 'gate'] }, '4 s ago · without OKX, Gate', true],
    [{ isLive: false }, 'not live · 4 s ago', true],
  ] as const)
    t.strictSame(freshnessOf({ ...well, ...change }), { text, isWarning }, text);

  const none = { isStale: false, isJudged: false, without: [] };
  t.strictSame(troublesOf({ items: [] }), none);
  t.strictSame(troublesOf(null), none);
  t.strictSame(troublesOf({ stale: false }), { ...none, isJudged: true });
  t.strictSame(
    troublesOf({ stale: true, failed_exchanges: ['okx'], disconnected_exchanges: ['okx', 'gate'] }),
    { ...none, isStale: true, without: ['okx', 'gate'] },
  );
  t.strictSame(troublesOf([{ chain: 'a' }, { chain: 'b', stale: true }]), {
    ...none,
    isStale: true,
  });
});

t.test('a moment of the service by the clock of this machine', async (t) => {
  lend(t, { document: { baseURI: 'https://host/app' } });
  const { momentOf } = await load('api');
  t.intercept(Date, 'now', { value: () => 500_000 });
  t.equal(momentOf(96_000, 100_000), 496_000, 'whatever the clocks differ by');
  t.equal(momentOf(101_000, 100_000), 500_000, 'never in the future');
  t.equal(momentOf(undefined, 100_000), null);
});

t.test('requests', async (t) => {
  const { at, to } = await load('request');
  for (const [path, params, text] of [
    ['/v1/status', {}, '/v1/status'],
    ['/v1/prices', { symbol: 'B&C', at: undefined, explain: '' }, '/v1/prices?symbol=B%26C'],
    ['/v1/rows', { columns: 'open,close', limit: 3 }, '/v1/rows?columns=open,close&limit=3'],
    ['/v1/alerts/{id}/deliveries', { id: 'a/b', limit: 2 }, '/v1/alerts/a%2Fb/deliveries?limit=2'],
  ] as const)
    t.equal(at(path, params), text);
  t.strictSame(to('PATCH /v1/alerts/{id}', { id: 'x' }, { paused: true }), {
    method: 'PATCH',
    path: '/v1/alerts/x',
    body: '{"paused":true}',
  });
  t.strictSame(to('POST /v1/alerts/{id}/test', { id: 'x' }), {
    method: 'POST',
    path: '/v1/alerts/x/test',
  });
});
