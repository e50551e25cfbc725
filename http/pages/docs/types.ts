/** What the scripts of the pages hand to each other, and what they read of `/openapi.json`. */
import type * as OpenApi from '../../openapi/operation.ts';

/** A request. Values of headers may have `$KEY`, `$TOKEN` and `$ETAG` in the place of the reader's credential, and of the last tag. */
export interface Request {
  method: string;
  /** With its query. */
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Empty without one. */
  body: string;
  /** How the answer is read. */
  form: 'json' | 'text' | 'stream';
  /** Names of answer headers that the lines print. */
  shown: readonly string[];
}

/** A JSON Schema, as far as it is shown. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: Schema | boolean;
  minimum?: number;
  maximum?: number;
  default?: string | number;
}

/** Named schemas. */
export type Schemas = Readonly<Record<string, Schema>>;

export type Parameter = OpenApi.Parameter<Schema>;

export type Media = OpenApi.Media<Schema>;

export interface Answer {
  $ref?: string;
  description: string;
  content?: Readonly<Record<string, Media>>;
}

export type Operation = OpenApi.Operation<Schema, Answer>;

/** An operation where it stands. */
export interface Entry {
  method: string;
  path: string;
  operation: Operation;
}

export interface Description {
  info: { version: string };
  tags: { name: string; description: string }[];
  /** An item without operations has words only. */
  paths: Readonly<Record<string, Readonly<Record<string, Operation | string>>>>;
  components: { schemas: Schemas; responses: Readonly<Record<string, Answer>> };
  'x-errors': readonly { code: string; status: number; message: string }[];
}
