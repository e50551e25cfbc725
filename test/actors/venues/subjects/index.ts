/** An exchange with what is compared of it, and with what is recorded: a file each. */
import type { ProbedVenue } from '../probes/pairs.ts';
import type { RecordedVenue } from '../probes/recorded.ts';

export interface Subjects {
  probed: ProbedVenue;
  recorded: RecordedVenue;
}

export const subjectsOf = (id: string): Promise<Subjects> => import(`./${id}.ts`);
