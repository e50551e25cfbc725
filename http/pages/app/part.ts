/** The parts of pages: panels that follow one answer each, with their numbers and what every panel offers. */
import { mayRead } from './access.ts';
import { ageLine } from './age.ts';
import { watch } from './ask.ts';
import { h, refill, setText } from './dom.ts';
import { csvButton, curlButton, pngButton, type Rows, wordsFor } from './panel.ts';
import { type Chosen, keptChoice } from './place.ts';
import type { Path } from './request.ts';
import type { Follower } from './stream.ts';
import { valuesOf } from './values.ts';

/** Something on a page that has to be ended. */
export interface Part {
  node: HTMLElement;
  end(): void;
}

export const minute = 60_000;
/** Least time between two versions of an answer, ms. */
const usualEvery = 5_000;

/** What all panels have, whatever they show. */
export interface Frame<D> {
  title: string;
  /** Units and rules, under the title. */
  about?: string | ((data: D) => string);
  /** Of its files. */
  name: string;
  /** Its request; `again` of the part follows another. */
  path: Path<D> | (() => Path<D>);
  /** Least time between two versions, ms. */
  every?: number;
  /** Between two readings of the service, where that is longer, ms: data that are three times as old are marked. */
  cadence?: number;
  /** Where answers come from; `watch` when absent. */
  source?(path: Path<D>, every: number, follower: Follower<D>): () => void;
  /** It is for everybody; without this a reader without a key is told how to get one. */
  open?: boolean;
  /** What a refusal means here; undefined for the usual words. */
  refusal?(message: string, code: string): string | undefined;
  /** Choices in its bar: it asks anew when another one is made. */
  choices?: readonly Chosen[];
  /** Further controls in its bar. */
  controls?: readonly Node[];
  /** Begins what it follows beside its answer; the function that is returned ends that. */
  beside?(): () => void;
  end?(): void;
  /** It takes the whole width. */
  isWide?: boolean;
  /** It is higher than others. */
  isTall?: boolean;
}

export interface PartForm<D> extends Frame<D> {
  body: readonly Node[];
  /** Shows an answer; words that are returned are shown in its place. What `draw` gets is done while the panel is near. */
  show(data: D, draw: (task: () => void) => void): string | undefined;
  /** The newest answer for a file: the first row has the names. */
  rows(data: D): Rows;
  /** Of a chart: what is drawn, for a file; its values stand in a table under it. */
  picture?(): HTMLCanvasElement | null;
}

export interface LivePart extends Part {
  /** Asks anew: its request has changed. */
  again(): void;
}

/** The node of a part, and how it shows its body or words in the place of it. */
function panel<D>({ title, about, name, path, body, ...form }: PartForm<D>) {
  const { choices = [], controls = [], picture, isWide, isTall, every = usualEvery } = form;
  const { cadence = every } = form;
  let newest: { data: D } | null = null;
  const rows = () => (newest === null ? [] : form.rows(newest.data));
  const age = ageLine(cadence);
  const words = h('p', { class: 'words soft', role: 'status' }, 'The numbers come in a moment.');
  const place = h('div', { class: 'body-of', hidden: true }, ...body);
  const small = h('p', { class: 'soft' }, typeof about === 'string' ? about : '');
  const values = picture === undefined ? null : valuesOf(title, rows);
  if (values) values.node.hidden = true;
  const node = h(
    'section',
    { class: `panel${isWide ? ' whole' : ''}${isTall ? ' tall' : ''}` },
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, title),
      age.node,
      ...choices.map(({ node }) => node),
      ...controls,
      picture === undefined ? null : pngButton(name, picture),
      csvButton(name, rows),
      curlButton(typeof path === 'string' ? () => path : path),
    ),
    small,
    words,
    place,
    values?.node ?? null,
  );
  return {
    node,
    /** Shows words: beside the body, or in its place. */
    showMessage(text: string, isInstead: boolean) {
      words.hidden = text === '';
      setText(words, text);
      place.hidden = isInstead;
      if (values) values.node.hidden = isInstead;
    },
    show(data: D, at: number | null) {
      newest = { data };
      if (typeof about === 'function') setText(small, about(data));
      age.onData(data, at);
      values?.news();
    },
    end: age.end,
  };
}

/** Calls back when an element comes near to what is seen of the page, and when it goes. */
function watchNear(node: Element, turned: (isNear: boolean) => void): IntersectionObserver {
  const watched = new IntersectionObserver(
    (found) => turned(found.at(-1)?.isIntersecting === true),
    // What scrolls is not the window.
    { root: document.getElementById('content'), rootMargin: '300px' },
  );
  watched.observe(node);
  return watched;
}

/**
 * A part of a page. Its size does not depend on what it shows. It asks once the reader comes near, and draws only while the reader is.
 */
export function livePart<D>(form: PartForm<D>): LivePart {
  const { path, every = usualEvery, source = watch, choices = [] } = form;
  const { node, showMessage, show, end } = panel(form);
  const mayAsk = form.open || mayRead();
  let stop: (() => void) | null = null;
  let endBeside = () => {};
  let isNear = false;
  let waiting = () => {};
  const draw = (task: () => void) => {
    if (isNear) task();
    else waiting = task;
  };
  const near = watchNear(node, (is) => {
    isNear = is;
    if (!is) return;
    if (stop === null && mayAsk) {
      endBeside = form.beside?.() ?? endBeside;
      part.again();
    }
    waiting();
    waiting = () => {};
  });
  const part = {
    node,
    again() {
      stop?.();
      stop = source(typeof path === 'string' ? path : path(), every, follower);
    },
    end() {
      stop?.();
      endBeside();
      near.disconnect();
      end();
      form.end?.();
    },
  };
  for (const one of choices) one.changed = part.again;
  let isShown = false;
  const follower: Follower<D> = {
    data(data, at) {
      // What draws needs its size.
      showMessage('', false);
      const instead = form.show(data, draw) ?? '';
      isShown = instead === '';
      showMessage(instead, !isShown);
      show(data, at);
    },
    missing(message, code) {
      showMessage(form.refusal?.(message, code) ?? wordsFor(code, message), !isShown);
    },
  };
  if (!mayAsk)
    showMessage('This needs an API key or a session; the page Markets says how to get one.', true);
  return part;
}

/** A place for one part after another. */
export class Slot implements Part {
  readonly node: HTMLElement;
  #part: Part | null = null;

  /** `make`: the first part. `kind`: the parts take the whole width, are higher than others, or say only what to do. */
  constructor(
    make: (() => Part) | null = null,
    kind: '' | 'whole' | 'tall' | 'whole tall' | 'small' = '',
  ) {
    this.node = h('div', { class: `slot ${kind}` });
    if (make !== null) this.show(make);
  }

  /** Another part in the place of the one that is there. */
  show(make: () => Part): void {
    refill(this.node, () => {
      this.end();
      this.#part = make();
      this.node.replaceChildren(this.#part.node);
    });
  }

  end(): void {
    this.#part?.end();
    this.#part = null;
  }
}

/** A place for the part of a choice, which the address keeps; `make` gets the choice and its control. */
export function chosenPart<V extends string>(
  [words, ...kept]: Parameters<typeof keptChoice<V>>,
  make: (value: V, control: HTMLElement) => Part,
  kind: 'whole' | '' = '',
): Part {
  const place = new Slot(null, kind);
  const chosen = keptChoice(words, ...kept);
  chosen.changed = () => place.show(() => make(chosen.get(), chosen.node));
  chosen.changed();
  return place;
}

/** In the place of a part: what to do to see one. */
export const blank = (words: string): Part => ({
  node: h('section', { class: 'panel small' }, h('p', { class: 'words soft' }, words)),
  end: () => {},
});

const isList = (one: object): one is readonly Part[] => Array.isArray(one);

/**
 * Fills a page with elements, with parts, and with lists of parts, which stand side by side; the function that is returned ends the
 * parts.
 */
export function fill(
  into: HTMLElement,
  all: readonly (HTMLElement | Part | readonly Part[])[],
): () => void {
  const parts: Part[] = [];
  const nodeOf = (one: HTMLElement | Part) => {
    if (one instanceof HTMLElement) return one;
    parts.push(one);
    return one.node;
  };
  for (const one of all)
    into.append(isList(one) ? h('div', { class: 'panels' }, ...one.map(nodeOf)) : nodeOf(one));
  return () => {
    for (const part of parts) part.end();
  };
}

/** The head of a page or of what follows on it, with its controls. */
export const headed = (level: 'h1' | 'h2', words: string, ...controls: Node[]): HTMLElement =>
  h('div', { class: 'bar' }, h(level, {}, words), ...controls);
