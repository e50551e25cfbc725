/** The types of the paths: their parameters, bodies and data. */
import type { Operations } from './types.ts';

type PathOf<M extends string, K = keyof Operations> = K extends `${M} ${infer P}` ? P : never;
type Operation<M extends string, P extends string> = `${M} ${P}` extends keyof Operations
  ? Operations[`${M} ${P}`]
  : never;

export type GetPath = PathOf<'GET'>;
/** The paths whose answers are tables too. */
export type TablePath = {
  [P in GetPath]: Operation<'GET', P> extends { csv: true } ? P : never;
}[GetPath];
export type PostPath = PathOf<'POST'>;
export type DeletePath = PathOf<'DELETE'>;
export type PatchPath = PathOf<'PATCH'>;

/** The parameters of a path; one that is undefined is as one that is absent. */
export type Params<P extends GetPath> = OrUndefined<Operation<'GET', P>['params']>;
type OrUndefined<T> = {
  [K in keyof T]: Pick<T, K> extends Required<Pick<T, K>> ? T[K] : T[K] | undefined;
};

/** The given parameters, which must be among those of the path: `Q extends All` alone takes others, too. */
export type Known<Q, All> = Q & { [K in Exclude<keyof Q, keyof All>]: never };

/** The data of the first parameter in `choices` that is given: of each that may be, where that is not known. */
type Chosen<C, Q> = C extends [[infer N, infer D], ...infer Rest]
  ? N extends string
    ? Q extends { readonly [K in N]: string | number }
      ? D
      : (N extends keyof Q ? D : never) | Chosen<Rest, Q>
    : D
  : never;

/** The data of a path, as these parameters choose it. */
export type Data<P extends GetPath, Q = Params<P>> =
  Operation<'GET', P> extends { choices: infer C } ? Chosen<C, Q> : Operation<'GET', P>['data'];

/** Null for a path that takes no body. */
export type Body<P extends PostPath> = Operation<'POST', P> extends { body: infer B } ? B : null;
export type Made<P extends PostPath> = Operation<'POST', P>['data'];
export type Removal<P extends DeletePath> = Operation<'DELETE', P>['params'];
export type Removed<P extends DeletePath> = Operation<'DELETE', P>['data'];
/** What is changed at a path, and by what. */
export type Changed<P extends PatchPath> = Operation<'PATCH', P>['params'];
export type Changes<P extends PatchPath> =
  Operation<'PATCH', P> extends { body: infer B } ? B : null;
export type AfterChange<P extends PatchPath> = Operation<'PATCH', P>['data'];

/** The rows of the list with times in the data of a history. */
type RowOf<D, K = keyof D> = K extends keyof D
  ? D[K] extends readonly (infer R extends { timestamp: number })[]
    ? R
    : never
  : never;
export type HistoryRow<P extends GetPath, Q = Params<P>> = RowOf<Data<P, Q>>;
