/** Making an alert, and what a reader is told of it. */
import { askOnce } from '../ask.ts';
import { h, setText } from '../dom.ts';
import { type Alert, type PostAlertsRequest, to } from '../request.ts';

/** Makes an alert and says in `words` what came of it; null where it is refused. */
export async function makeAlert(
  words: HTMLElement,
  rule: PostAlertsRequest,
): Promise<Alert | null> {
  const made = await askOnce(words, to('POST /v1/alerts', {}, rule));
  if (made === null) return null;
  const about = 'The secret of your webhooks, shown this once: ';
  if (made.secret === null) setText(words, 'Made.');
  else words.replaceChildren(about, h('code', {}, made.secret));
  return made;
}
