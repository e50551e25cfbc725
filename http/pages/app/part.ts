/** Parts of pages that follow one answer each: a heading, its numbers, and what every part offers. */
import { credentials, mayRead } from './access.ts';
import { call, type Refusal } from './api.ts';
import { h, setText } from './dom.ts';
import { csvButton, curlButton, pngButton, wordsFor } from './panel.ts';
import { type Follower, follow } from './stream.ts';

/** Something on a page that has to be ended. */
export interface Part {
  node: HTMLElement;
  end(): void;
}

/** Asks for an answer, once. */
const ask = (path: string, { data, missing }: Follower): Promise<void> =>
  call(path, { headers: credentials() }).then(
    (answer) => data(answer.data, answer.asOf),
    ({ message, code = '' }: Refusal) => missing(message, code),
  );

/** Between two questions of a reader without a key, who has no stream, ms. */
const pollEvery = 60_000;

interface Shared {
  followers: Set<Follower>;
  /** What was heard last, for those who come later. */
  newest: ((to: Follower) => void) | null;
  end(): void;
}

const shared = new Map<string, Shared>();

function poll(path: string, follower: Follower): () => void {
  void ask(path, follower);
  const timer = setInterval(() => {
    if (!document.hidden) void ask(path, follower);
  }, pollEvery);
  return () => clearInterval(timer);
}

/** Follows an answer; all who follow the same share one subscription. A reader without a key asks every minute. */
export function watch(path: string, follower: Follower, every: number): () => void {
  let of = shared.get(path);
  if (of === undefined) {
    const followers = new Set<Follower>();
    const made: Shared = { followers, newest: null, end: () => {} };
    const tell = (news: (to: Follower) => void) => {
      made.newest = news;
      for (const one of followers) news(one);
    };
    const all: Follower = {
      data: (...news) => tell((to) => to.data(...news)),
      missing: (...why) => tell((to) => to.missing(...why)),
    };
    shared.set(path, made);
    of = made;
    made.end = mayRead() ? follow(path, all, { every }) : poll(path, all);
  }
  const { followers, newest, end } = of;
  followers.add(follower);
  newest?.(follower);
  return () => {
    followers.delete(follower);
    if (followers.size > 0) return;
    shared.delete(path);
    end();
  };
}

type Rows = readonly (readonly unknown[])[];

export interface PartForm<D> {
  title: string;
  /** Units and rules, beside the title. */
  about?: string;
  /** Of its files. */
  name: string;
  path: string;
  /** Least time between two versions, ms. */
  every?: number;
  /** It is asked for once and not followed. */
  once?: true;
  /** It is for everybody; without this a reader without a key is told how to get one. */
  open?: true;
  body: readonly Node[];
  /** Shows an answer; words that are returned are shown in its place. */
  show(data: D): string | undefined;
  csv(): Rows;
  picture?(): HTMLCanvasElement | null;
  /** Further controls in its bar. */
  controls?: readonly Node[];
  end?(): void;
  /** It takes the whole width. */
  isWide?: true;
}

/** A part of a page. Its size does not depend on what it shows. */
export function livePart<D>(form: PartForm<D>): Part {
  const { title, about = '', name, path, every = 5_000, body, controls = [], picture } = form;
  const words = h('p', { class: 'words soft', role: 'status' }, 'The numbers come in a moment.');
  const place = h('div', { class: 'body' }, ...body);
  const say = (text: string, instead: boolean) => {
    words.hidden = text === '';
    setText(words, text);
    place.hidden = instead;
  };
  place.hidden = true;
  const node = h(
    'section',
    { class: `panel${form.isWide ? ' whole' : ''}` },
    h(
      'div',
      { class: 'bar' },
      h('h2', {}, title),
      h('small', { title: about }, about),
      h('span', { class: 'gap' }),
      ...controls,
      picture === undefined ? null : pngButton(name, picture),
      csvButton(name, form.csv),
      curlButton(() => path),
    ),
    words,
    place,
  );
  if (!form.open && !mayRead()) {
    say('This needs an API key or a session; the page Markets says how to get one.', true);
    return { node, end: () => form.end?.() };
  }
  let isShown = false;
  const follower: Follower = {
    data(data) {
      // What draws needs its size.
      place.hidden = false;
      const instead = form.show(data as D) ?? '';
      isShown = instead === '';
      say(instead, !isShown);
    },
    missing: (message, code) => say(wordsFor(code, message), !isShown),
  };
  const stop = form.once ? () => {} : watch(path, follower, every);
  if (form.once) void ask(path, follower);
  return {
    node,
    end() {
      stop();
      form.end?.();
    },
  };
}

/** A place for one part after another. */
export class Slot implements Part {
  node: HTMLElement = h('section', { class: 'panel' });
  #part: Part | null = null;

  show(part: Part): void {
    this.#part?.end();
    this.#part = part;
    this.node.replaceWith(part.node);
    this.node = part.node;
  }

  end(): void {
    this.#part?.end();
  }
}

/** Puts parts on a page; the function that is returned ends them. */
export function showParts(into: HTMLElement, parts: readonly Part[]): () => void {
  into.append(h('div', { class: 'panels' }, ...parts.map(({ node }) => node)));
  return () => {
    for (const part of parts) part.end();
  };
}
