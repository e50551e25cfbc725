import t from 'tap';
import { settled } from '../../../actors/market/context.ts';
import { Tickers } from '../../../actors/market/tickers.ts';
import { FakeClock } from '../../support/clock.ts';

/** What has come of waiting: null while it waits, else the milliseconds that it took. */
function waiting(tickers: Tickers, clock: FakeClock, signal = new AbortController().signal) {
  const began = clock.now();
  const state = { took: null as number | null };
  void settled({ context: { clock }, tickers }, signal).then(() => {
    state.took = clock.now() - began;
  });
  return state;
}

const tell = (tickers: Tickers, source: string) =>
  tickers.acceptPrices({ source, part: 'spot', asked: 0, received: 0, rows: [] });

t.test('sums wait until no other exchange has been heard of for five seconds', async (t) => {
  const [clock, tickers] = [new FakeClock(), new Tickers()];
  const state = waiting(tickers, clock);
  await clock.advance(2_000);
  tell(tickers, 'binance');
  await clock.advance(4_000);
  tell(tickers, 'okx');
  await clock.advance(4_000);
  tell(tickers, 'okx');
  t.equal(state.took, null, 'the second was heard of four seconds ago');
  await clock.advance(3_000);
  t.ok(state.took !== null && state.took <= 13_000);
});

t.test('they wait 45 seconds at most, and not once they are stopped', async (t) => {
  const [clock, tickers] = [new FakeClock(), new Tickers()];
  const state = waiting(tickers, clock);
  await clock.advance(44_000);
  t.equal(state.took, null);
  await clock.advance(2_000);
  t.ok(state.took);
  const abort = new AbortController();
  const stopped = waiting(tickers, clock, abort.signal);
  abort.abort();
  await clock.advance(1_000);
  t.ok(stopped.took, 'a job that is stopped does not hold its stop up');
});
