/** Which leaves of bodies a number is the product of, found by changing them one by one. */
import { nameOf, numberAt, type Path, readingsOf, withTimes } from './distinct.ts';

/** Changes of one leaf, to see which columns follow: small enough to leave every judgement as it was. */
const nudge = 1 + 1e-7;

const termOf = (name: string, power: number) => (power === 1 ? name : `${name}^${power}`);

const isUnit = (factor: number): boolean => Math.abs(factor - 1) < 1e-9;

/** Whether a factor is one of ten: integers on the wire count 10,000ths, rates are in percent. */
const isPower = (factor: number): boolean =>
  isUnit(factor / 10 ** Math.round(Math.log10(Math.abs(factor))));

interface Power {
  path: Path;
  power: number;
}

const isWhole = ({ power }: Power): boolean => Math.abs(power - Math.round(power)) < 0.01;

/** The leaves that a number follows, each with its power. */
async function powersOf(bodies: readonly unknown[], { of, value }: Traced): Promise<Power[]> {
  const before = (await value(bodies)) ?? 0;
  const found: Power[] = [];
  for (const path of bodies.flatMap((body, i) => readingsOf(body).map((at) => [i, ...at]))) {
    const changed = withTimes(bodies, path, nudge);
    const after = of(path) && Array.isArray(changed) ? await value(changed) : before;
    const power = Math.log((after ?? 0) / before) / Math.log(nudge);
    if (Math.abs(power) > 0.01 && Number.isFinite(power)) found.push({ path, power });
  }
  return found;
}

/** The factor without the contract size that stands in the list, not in the bodies, and the name of what was taken out. */
function withoutContract(factor: number, contract: number): [factor: number, names: string[]] {
  if (isUnit(contract) || isPower(factor)) return [factor, []];
  const sizes: [string, number][] = [
    ['contract', contract],
    ['contract^-1', 1 / contract],
    ['0.5*contract', contract / 2],
  ];
  const found = sizes.find(([, size]) => isPower(factor / size));
  return found ? [factor / found[1], [found[0]]] : [factor, []];
}

/** A number that is traced. */
export interface Traced {
  contract: number;
  /** The leaves that are tried. */
  of(path: Path): boolean;
  value(bodies: readonly unknown[]): Promise<number | undefined>;
}

/** The product of leaves that a number is, as it follows from the change of each of them. */
export async function formulaOf(bodies: readonly unknown[], traced: Traced): Promise<string> {
  const powers = await powersOf(bodies, traced);
  let factor = (await traced.value(bodies)) ?? 0;
  const terms = powers.filter(isWhole).map(({ path, power }) => {
    factor /= numberAt(bodies, path) ** Math.round(power);
    return termOf(nameOf(path), Math.round(power));
  });
  // Parts of a power make up a mean, such as that of the four prices of a candle.
  const parts = powers.filter((one) => !isWhole(one));
  if (parts.length > 0) {
    const sum = Math.round(parts.reduce((all, { power }) => all + power, 0));
    const mean = parts.reduce((all, { path }) => all + numberAt(bodies, path), 0) / parts.length;
    factor /= mean ** sum;
    terms.push(termOf(`mean(${parts.map(({ path }) => nameOf(path)).toSorted()})`, sum));
  }
  const [rest, names] = withoutContract(factor, traced.contract);
  const constant = isUnit(rest) ? [] : [String(Number(rest.toPrecision(6)))];
  return [...constant, ...[...terms, ...names].toSorted()].join('*');
}
