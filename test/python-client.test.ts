/** The Python client without a service: its rules, and its streams against a server of its own. */
import t from 'tap';
import { lacks, python } from './support/python-client.ts';

t.test('its tests pass', { skip: await lacks('httpx', 'websockets') }, async (t) => {
  const { failed, printed } = await python('-m', 'unittest', 'discover', '-s', 'tests');
  t.equal(failed ? printed : '', '');
  t.match(printed, /Ran \d\d tests/);
});
