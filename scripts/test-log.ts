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

/**
 * A test file ends with a result at the margin, or one level further in where it shares a process with others (see
 * test/groups); what belongs to its tests is indented, four columns a level.
 */
const result = /^( *)(not )?ok \d+ - (.*?)(?: # time=([\d.]+)ms)?$/;
const title = /^( *)# Subtest: (.*)$/;
const place = /^ +(fileName|lineNumber): (.+)$/;
const end = /^ {2}(exitCode|signal): (?!null)(.+)$/;

const isFile = (name: string): boolean => /^test\/.*\.test\.ts$/.test(name);

class TestLog {
  readonly files: TestFile[] = [];
  #titles: string[] = [];
  #cause: string | null = null;
  /** Of the process, where files share it: how many have ended, whether one failed, and which has begun last. */
  #shared = { count: 0, failed: false, begun: '' };
  /** Whether the details that follow are those of the cause. */
  #isDetail = false;

  read(line: string): void {
    const [, margin = '', name = ''] = title.exec(line) ?? [];
    if (name) this.#titles = [...this.#titles.slice(0, margin.length / 4), name];
    if (margin.length === 4 && isFile(name)) this.#shared.begun = name;
    const found = result.exec(line);
    if (found) this.#take(found);
    else if (this.#isDetail) this.#detail(line);
    else this.#ending(line);
  }

  #take([, margin = '', failed, name = '', ms]: RegExpExecArray): void {
    this.#isDetail = false;
    const file = { name, seconds: Number(ms ?? 0) / 1_000 };
    if (margin.length === 4 && isFile(name)) this.#endShared(file, failed !== undefined);
    else if (margin === '') this.#endProcess(file, failed !== undefined);
    else if (failed && this.#cause === null) {
      const titles = this.#titles.slice(0, margin.length / 4);
      this.#cause = [...titles.slice(titles.findLastIndex(isFile) + 1), name].join(' > ');
      this.#isDetail = true;
    }
  }

  #endShared(file: Omit<TestFile, 'cause'>, failed: boolean): void {
    const { count, failed: known } = this.#shared;
    this.#shared = { count: count + 1, failed: known || failed, begun: '' };
    this.#add(file, failed);
  }

  /** One that its files shared is named only where it failed and none of them did. */
  #endProcess(file: Omit<TestFile, 'cause'>, failed: boolean): void {
    const { count, failed: known, begun } = this.#shared;
    this.#shared = { count: 0, failed: false, begun: '' };
    if (begun) this.#add({ ...file, name: begun }, failed);
    else if (count === 0 || (failed && !known)) this.#add(file, failed);
    this.#cause = null;
  }

  #add(file: Omit<TestFile, 'cause'>, failed: boolean): void {
    this.files.push({ ...file, cause: failed ? (this.#cause ?? 'no assertion failed') : null });
    this.#cause = null;
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
