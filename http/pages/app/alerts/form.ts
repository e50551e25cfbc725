/** The form of a new alert: a market, a value of it, a condition and a place to send to. */
import { askOnce } from '../ask.ts';
import { formOf, h, labelled, selectOf, setText, textField } from '../dom.ts';
import { plain } from '../format.ts';
import { type Alert, type PostAlertsRequest, to } from '../request.ts';
import { symbols } from '../switcher.ts';
import { type Condition, firings } from './firings.ts';
import { receiver } from './receiver.ts';
import { valueNow, type Watch, watches } from './watches.ts';

/** Conditions in words; those of an event have a name of their own. */
const conditions = [
  ['above', 'is above'],
  ['below', 'is below'],
  ['crosses', 'crosses'],
  ['change', 'moves by percent in 4 hours'],
] as const;
/** Names the list of symbols for their field. */
const symbolList = 'alert-symbols';

/** The symbols with the most turnover first, to choose from. */
function symbolChoices(): HTMLElement {
  const list = h('datalist', { id: symbolList });
  // Without it a symbol is written.
  void symbols().then(
    (all) => {
      const sorted = all.toSorted((a, b) => b.volume - a.volume).slice(0, 500);
      list.append(...sorted.map(({ symbol, name }) => h('option', { value: symbol }, name)));
    },
    () => {},
  );
  return list;
}
type Type = (typeof conditions)[number][0];

/** Length of the time in which a move counts, hours. */
const moveHours = 4;
const hour = 3_600;

/** The condition as the API has it, of a value in the unit of the form. */
function conditionOf({ isEvent, scale = 1 }: Watch, type: Type, value: number) {
  if (isEvent) return { type: 'event', above: value * scale } as const;
  if (type === 'change')
    return { type, percent: value, within: moveHours * hour, direction: 'any' } as const;
  return { type, value: value * scale } as const;
}

/** What the past says of a condition, in words. */
async function pastWords(watch: Watch, symbol: string, type: Type, value: number): Promise<string> {
  if (watch.past === undefined || watch.isEvent) return '';
  const all = await watch.past(symbol).catch(() => []);
  const values = all.filter((one) => one !== null && Number.isFinite(one)).map(Number);
  if (values.length < 2) return 'Nothing of the last days is recorded yet. ';
  const condition: Condition =
    type === 'change'
      ? { type, percent: value, within: moveHours }
      : { type, value: value * (watch.scale ?? 1) };
  const count = firings(values, condition);
  const times = count === 1 ? 'once' : `${count} times`;
  return `In the last ${values.length} hours it would have fired ${times} (${watch.pastOf}). `;
}

/** The fields that say what is watched and when it fires; the address may have chosen some. */
function subject(chosen: URLSearchParams) {
  const symbol = textField({
    name: 'symbol',
    value: chosen.get('symbol') ?? 'BTC',
    list: symbolList,
    size: '8',
    required: true,
  });
  const options = watches.map(({ id, shown }) => [id, shown] as const);
  const watched = selectOf(options, {}, chosen.get('watch') ?? '');
  const type = selectOf(conditions);
  const value = h('input', { type: 'number', step: 'any', required: true, size: '12' });
  const unit = h('span', { class: 'soft' });
  const condition = labelled('When it', type);
  return {
    nodes: [
      labelled('Symbol', symbol),
      symbolChoices(),
      labelled('Watch', watched),
      condition,
      labelled('Value', value),
      unit,
    ],
    value,
    read() {
      const watch = watches[watched.selectedIndex] ?? watches[0];
      const chosen = conditions[type.selectedIndex]?.[0] ?? 'above';
      condition.hidden = watch?.isEvent === true;
      setText(unit, chosen === 'change' && !watch?.isEvent ? '%' : (watch?.unit ?? ''));
      return { watch, symbol: symbol.value.trim().toUpperCase(), type: chosen };
    },
  };
}

/** The name that an alert gets without one. */
function nameOf({ shown, isEvent, unit }: Watch, symbol: string, type: Type, value: number) {
  const words = isEvent ? 'is above' : conditions.find(([name]) => name === type)?.[1];
  const of = type === 'change' && !isEvent ? '%' : unit;
  return `${symbol}: ${shown} ${words} ${plain(value)} ${of}`.trim();
}

/** The rule of an alert on a value of a symbol; `value` in the unit of the form. */
export const ruleOf = (
  watch: Watch,
  { symbol, type, value }: { symbol: string; type: Type; value: number },
  deliver: PostAlertsRequest['deliver'] = [],
): PostAlertsRequest => ({
  name: nameOf(watch, symbol, type, value),
  path: watch.path(symbol),
  pointer: watch.pointer,
  condition: conditionOf(watch, type, value),
  deliver,
});

/** The form of a new alert; `make` gets the rule, and whether a test is to be sent. */
export function alertForm(
  chosen: URLSearchParams,
  make: (rule: PostAlertsRequest, isTested: boolean) => void,
): HTMLElement {
  const { nodes, value, read } = subject(chosen);
  const where = receiver([
    h('button', { type: 'submit', name: 'test' }, 'Make it and send a test'),
  ]);
  const words = h('p', { class: 'soft', role: 'status' });
  const submit = ({ submitter }: SubmitEvent) => {
    const { watch, symbol, type } = read();
    if (watch === undefined) return;
    const rule = ruleOf(watch, { symbol, type, value: value.valueAsNumber }, where.read());
    make(rule, submitter?.getAttribute('name') === 'test');
  };
  const fields = h('div', { class: 'bar' }, ...nodes);
  const form = formOf({ class: 'alert-of' }, submit, fields, words, where.node);
  let asked = 0;
  const look = async () => {
    const { watch, symbol, type } = read();
    if (watch === undefined || symbol === '') return;
    asked += 1;
    const turn = asked;
    const limit = value.value === '' ? null : value.valueAsNumber;
    const [now, before] = await Promise.all([
      valueNow(watch, symbol).then(
        (found) =>
          found === null
            ? ''
            : `Now ${`${plain(Number(found.toPrecision(6)))} ${watch.unit}`.trim()}. `,
        (error: Error) => `${error.message}. `,
      ),
      limit === null ? '' : pastWords(watch, symbol, type, limit),
    ]);
    // A later look has begun meanwhile.
    if (turn === asked) setText(words, `${watch.isEvent ? '' : now}${before}`);
  };
  form.addEventListener('change', () => void look());
  void look();
  return form;
}

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
