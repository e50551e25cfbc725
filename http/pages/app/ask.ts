/** Answers that are asked for again after a while: what a service asks of an exchange each time. */
import { credentials } from './access.ts';
import { call, Refusal } from './api.ts';
import { setText } from './dom.ts';
import type { Follower } from './stream.ts';

/** The data of an answer; null where it is refused, with the reason in `words`. */
export async function askOnce(
  words: HTMLElement,
  path: string,
  init: { method?: string; body?: string } = {},
): Promise<unknown> {
  try {
    return (await call(path, { ...init, headers: credentials() })).data;
  } catch (error) {
    setText(words, (error as Refusal).message);
    return null;
  }
}

/**
 * Asks for a path each `every` ms while the page is looked at, until the function that is returned is called; once where that is
 * infinite.
 */
export function askAgain(path: string, every: number, { data, missing }: Follower): () => void {
  const gone = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const refuse = (error: unknown) => {
    if (gone.signal.aborted) return;
    if (!(error instanceof Refusal)) throw error;
    missing?.(error.message, error.code);
  };
  const ask = async (): Promise<void> => {
    clearTimeout(timer);
    asked = Date.now();
    await call(path, { headers: credentials(), signal: gone.signal })
      .then((answer) => data(answer.data, answer.asOf))
      .catch(refuse);
    if (gone.signal.aborted || document.hidden || every === Infinity) return;
    timer = setTimeout(() => void ask(), every);
  };
  const seen = () => {
    if (!document.hidden && Date.now() - asked >= every) void ask();
  };
  document.addEventListener('visibilitychange', seen);
  void ask();
  return () => {
    gone.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
