import type { Encoding } from '../wire/compression.ts';
import type { Head } from '../wire/head.ts';
import type { Admission } from './admission.ts';

/** The facts of a request that its answer depends on. */
export interface RequestFacts {
  head: Head;
  /** The request's `If-None-Match`, empty when it has none. */
  tag: string;
  /** The content coding that the client prefers. */
  encoding: Encoding | null;
  /** The client prefers CSV to JSON. */
  csv: boolean;
  /** The query states the format, so that the answer does not depend on `Accept`. */
  named: boolean;
  admission: Admission;
  /** Header lines about the parameters of the request; each follows a line break. */
  notes: string;
  /** Names of parameters of the request that the row does not have. */
  unknown: readonly string[];
  /** The present, Unix ms, where nothing has been waited for since the request was counted; null otherwise. */
  now: number | null;
  /** Another process was asked for the answer: a 304 counts as well. */
  asked?: true | undefined;
  /** Whose request a trusted proxy passes on; empty where clients come without one. */
  client: string;
}

/** The facts of a request that an error depends on. */
export type Refused = Pick<RequestFacts, 'head' | 'admission' | 'notes'>;
