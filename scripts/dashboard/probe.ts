/** What is watched inside a page while it is measured: scripts for the page, and what they have found. */
import type { Page } from '../../test/support/chromium.ts';

/** What a page has found out about itself, ms; null for what has not come. */
export interface Found {
  /** First contentful paint. */
  paint: number | null;
  /** The frame in which the first number of the page was painted. */
  data: number | null;
  /** Largest contentful paint. */
  largest: number | null;
  /** CLS: of the sums of layout shifts within five seconds without a rest of one, the largest. https://web.dev/articles/cls */
  shift: number;
  /** What moved in the largest of them: the class of its parent and its own, or its name. */
  shifted: string;
  /** The slowest of the interactions, to the frame after it; null where all were faster than 16 ms. */
  interaction: number | null;
}

/** Runs before the scripts of the page. */
const probe = `(() => {
  const found = { paint: null, data: null, largest: null, shift: 0, shifted: '', interaction: null };
  globalThis.measured = found;
  const watch = (type, take, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
  watch('paint', ({ name, startTime }) => { if (name === 'first-contentful-paint') found.paint = startTime; });
  watch('largest-contentful-paint', ({ startTime }) => { found.largest = startTime; });
  const shifts = { began: 0, last: -Infinity, sum: 0, largest: 0 };
  const nameOf = (node) => node?.className || node?.nodeName || '';
  watch('layout-shift', ({ value, startTime, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    if (startTime - shifts.last > 1000 || startTime - shifts.began > 5000) Object.assign(shifts, { began: startTime, sum: 0 });
    shifts.last = startTime;
    if (value > shifts.largest) {
      shifts.largest = value;
      const node = sources[0]?.node;
      found.shifted = nameOf(node?.parentElement) + ' > ' + nameOf(node);
    }
    shifts.sum += value;
    found.shift = Math.max(found.shift, shifts.sum);
  });
  watch('event', ({ interactionId, duration }) => {
    if (interactionId > 0) found.interaction = Math.max(found.interaction ?? 0, duration);
  }, { durationThreshold: 16 });
  // Heads have digits of their own.
  const isShown = () =>
    [...document.querySelectorAll('.page :is(.number, td, dd):not(th, [role=columnheader])')]
      .some((one) => /\\d/.test(one.textContent));
  const painted = new MessageChannel();
  painted.port1.onmessage = () => { found.data = performance.now(); };
  const watcher = new MutationObserver(() => {
    if (!isShown()) return;
    watcher.disconnect();
    requestAnimationFrame(() => painted.port2.postMessage(0));
  });
  watcher.observe(document, { subtree: true, childList: true, characterData: true });
})()`;

/** Watches every page that is opened from now on. */
export const installProbe = (page: Page) =>
  page.send('Page.addScriptToEvaluateOnNewDocument', { source: probe });

/** What is found until now; nothing while there is no page. */
export async function foundIn(page: Page): Promise<Found> {
  const text = await page.read('JSON.stringify(globalThis.measured ?? {})');
  return {
    paint: null,
    data: null,
    largest: null,
    shift: 0,
    shifted: '',
    interaction: null,
    ...JSON.parse(text),
  };
}

/** Pixels a second, and at most in all. */
const scroll = { speed: 3_000, most: 12_000 };

/** Times between the frames while the table of markets is scrolled by the wheel, ms, sorted. */
export async function scrolledFrames(page: Page): Promise<number[]> {
  const place = await page.read(`(() => {
    const table = document.querySelector('.table');
    const { x, y, width, height } = table.getBoundingClientRect();
    return [x + width / 2, y + height / 2, table.scrollHeight - table.clientHeight].join();
  })()`);
  const [x = 0, y = 0, room = 0] = place.split(',').map(Number);
  await page.read(`(() => {
    const times = globalThis.frames60 = [];
    let before = performance.now();
    const frame = (now) => {
      times.push(now - before);
      before = now;
      if (!times.over) requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  })()`);
  const yDistance = -Math.min(room, scroll.most);
  const gesture = { x, y, yDistance, speed: scroll.speed, gestureSourceType: 'mouse' };
  await page.send('Input.synthesizeScrollGesture', gesture);
  const text = await page.read('(frames60.over = true, JSON.stringify(frames60.slice(1)))');
  return (JSON.parse(text) as number[]).sort((a, b) => a - b);
}
