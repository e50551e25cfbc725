/** Answers that are followed: by the stream, or asked for again after a while, as what a service asks of an exchange each time. */
import { credentials, mayRead } from './access.ts';
import { call, Refusal } from './api.ts';
import { setText } from './dom.ts';
import { become } from './link.ts';
import type { Path, Sending } from './request.ts';
import { type Follower, follow } from './stream.ts';

/** The data of an answer; null where it is refused, with the reason in `words`. */
export async function askOnce<D>(
  words: HTMLElement,
  asked: Path<D> | Sending<D>,
): Promise<D | null> {
  try {
    return (await call(asked, { headers: credentials() })).data;
  } catch (error) {
    setText(words, (error as Refusal).message);
    return null;
  }
}

/** Refusals that pass soon, and the time after which a path is asked for again then, ms. */
const passing = { codes: ['warming_up', 'away'], after: 5_000 };

/**
 * Asks for a path each `every` ms while the page is looked at, until the function that is returned is called; once where that is
 * infinite. Sooner after a refusal that passes.
 */
export function askAgain<D>(
  path: Path<D>,
  every: number,
  { data, missing }: Follower<D>,
): () => void {
  const gone = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  let pause = every;
  const refuse = (error: unknown) => {
    if (gone.signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    if (!mayRead()) become(error.code === 'away' ? 'offline' : 'live');
    if (passing.codes.includes(error.code)) pause = Math.min(every, passing.after);
    missing?.(error.message, error.code);
  };
  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    asked = Date.now();
    pause = every;
    await call(path, { headers: credentials(), signal: gone.signal })
      .then((answer) => {
        // With a key it is the stream that says so.
        if (!mayRead()) become('live');
        data(answer.data, answer.at);
      })
      .catch(refuse);
    if (gone.signal.aborted || document.hidden || pause === Infinity) return;
    timer = setTimeout(() => void ask(), pause);
  };
  const seen = () => {
    if (!document.hidden && Date.now() - asked >= pause) void ask();
  };
  document.addEventListener('visibilitychange', seen);
  void ask();
  return () => {
    gone.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}

/** Least time between two questions of a reader without a key, who has no stream, ms. */
const leastPoll = 10_000;

interface Shared {
  followers: Set<Follower<unknown>>;
  /** What was heard last, for those who come later. */
  newest: ((to: Follower<unknown>) => void) | null;
  end(): void;
}

const shared = new Map<string, Shared>();

/** Follows an answer; all who follow the same share one subscription. A reader without a key asks every minute. */
export function watch<D>(path: Path<D>, every: number, follower: Follower<D>): () => void {
  let of = shared.get(path);
  if (of === undefined) {
    const followers = new Set<Follower<unknown>>();
    const made: Shared = { followers, newest: null, end: () => {} };
    const notify = (news: (to: Follower<unknown>) => void) => {
      made.newest = news;
      for (const one of followers) news(one);
    };
    const all: Follower<unknown> = {
      data: (...news) => notify((to) => to.data(...news)),
      missing: (...why) => notify((to) => to.missing?.(...why)),
    };
    shared.set(path, made);
    of = made;
    made.end = mayRead()
      ? follow(path, all, { every })
      : askAgain(path, Math.max(every, leastPoll), all);
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
