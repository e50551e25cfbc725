/**
 * Reads the log of a run of the tests (TAP 14, as `npm test -- --reporter=tap` writes it) from standard input.
 * `node scripts/test-log.ts slowest` prints the ten slowest files with their seconds, `causes` each file that failed with
 * its first failing assertion.
 */
import { text } from 'node:stream/consumers';

interface TestFile {
  name: string;
  seconds: number;
  /** The first assertion that failed, below the titles of its tests; null where the file passed. */
  cause: string | null;
}

/** A test file ends with a result at the margin; what belongs to its tests is indented, four columns a level. */
const result = /^( *)(not )?ok \d+ - (.*?)(?: # time=([\d.]+)ms)?$/;
const title = /^( *)# Subtest: (.*)$/;
const place = /^ +(fileName|lineNumber): (.+)$/;
const end = /^ {2}(exitCode|signal): (?!null)(.+)$/;

class TestLog {
  readonly files: TestFile[] = [];
  #titles: string[] = [];
  #cause: string | null = null;
  /** Whether the details that follow are those of the cause. */
  #isDetail = false;

  read(line: string): void {
    const [, margin = '', name = ''] = title.exec(line) ?? [];
    if (name) this.#titles = [...this.#titles.slice(0, margin.length / 4), name];
    const found = result.exec(line);
    if (found) this.#take(found);
    else if (this.#isDetail) this.#detail(line);
    else this.#ending(line);
  }

  #take([, margin = '', failed, name = '', ms]: RegExpExecArray): void {
    this.#isDetail = false;
    if (margin === '') {
      const cause = failed ? (this.#cause ?? 'no assertion failed') : null;
      this.files.push({ name, seconds: Number(ms ?? 0) / 1_000, cause });
      this.#cause = null;
    } else if (failed && this.#cause === null) {
      this.#cause = [...this.#titles.slice(1, margin.length / 4), name].join(' > ');
      this.#isDetail = true;
    }
  }

  /** Where the assertion stands. */
  #detail(line: string): void {
    const [, key, value = ''] = place.exec(line) ?? [];
    if (key === 'fileName') this.#cause += ` (${value})`;
    if (key !== 'lineNumber') return;
    this.#cause = `${this.#cause}`.replace(/\)$/, `:${value})`);
    this.#isDetail = false;
  }

  /** How the process of the latest file ended. */
  #ending(line: string): void {
    const [, key, value] = end.exec(line) ?? [];
    const file = this.files.at(-1);
    if (key && file?.cause === 'no assertion failed') file.cause += `, ${key} ${value}`;
  }
}

const log = new TestLog();
for (const line of (await text(process.stdin)).split('\n')) log.read(line);

if (process.argv[2] === 'causes') {
  for (const { name, cause } of log.files) if (cause !== null) console.log(`${name}: ${cause}`);
} else {
  const slowest = log.files.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  for (const { name, seconds } of slowest)
    console.log(`${seconds.toFixed(1).padStart(6)} s  ${name}`);
}
