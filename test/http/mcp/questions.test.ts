/** Questions of a person, each answered by at most two calls of tools. */
import t from 'tap';
import { connectTo } from './clients.ts';
import { questions } from './questions.ts';
import { startWorld } from './world.ts';

const world = await startWorld(t);
const client = await connectTo(t, world.endpoint);

type Found = readonly [key: string, value: unknown];

/** The members of a list or an object. */
const membersOf = (value: unknown): Found[] => Object.entries(Object(value));

/** The members that one step of a place leads to. */
function stepped([key, value]: Found, step: string): Found[] {
  if (step === 'key') return [['', key]];
  if (step === '*') return membersOf(value);
  const [, end, by = ''] = /^(min|max)\((\w+)\)$/.exec(step) ?? [];
  const sign = end === 'min' ? 1 : -1;
  const numberIn = ([, row]: Found) => sign * Number(Object(row)[by]);
  if (end !== undefined)
    return membersOf(value)
      .sort((a, b) => numberIn(a) - numberIn(b))
      .slice(0, 1);
  const [name = '', wanted] = step.split('=');
  if (wanted !== undefined)
    return membersOf(value).filter(([, row]) => Object(row)[name] === wanted);
  return [[step, Array.isArray(value) ? value.at(Number(step)) : Object(value)[step]]];
}

/** What stands at a place. */
const valuesAt = (value: unknown, place: string): unknown[] =>
  place
    .split('/')
    .reduce<Found[]>((found, step) => found.flatMap((one) => stepped(one, step)), [['', value]])
    .map(([, found]) => found);

/** Sums of the world and of the service may differ in the last digits. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toPrecision(9)) : value;

t.test('fifty questions have right answers in two calls', async (t) => {
  t.equal(new Set(questions.map(([ask]) => ask)).size, questions.length);
  t.ok(questions.length >= 50, `${questions.length} questions`);
  for (const [ask, answer, ...calls] of questions) {
    const found: unknown[] = [];
    for (const [name, given, places] of calls) {
      const { structuredContent, isError, content } = await client.callTool({
        name,
        arguments: { ...given },
      });
      t.not(isError, true, `${ask} ${JSON.stringify(content).slice(0, 200)}`);
      const { answers, truncated = false } = Object(structuredContent);
      t.equal(truncated, false, `${ask} The answer is whole in its usual size`);
      const [, part = structuredContent] = membersOf(answers)[0] ?? [];
      const data = answers === undefined ? part : Object(part).data;
      for (const place of places.split(' ')) found.push(...valuesAt(data, place));
    }
    t.not(answer.length, 0, ask);
    t.same(found.map(rounded), answer.map(rounded), ask);
  }
});
