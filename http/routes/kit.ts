/** The one entry of what rows are declared with: schemas (`s`), factories and types (`kit`), parameters, errors. */
export * as s from '../../actors/topics/schema.ts';
export { apiError, isApiError, warmingUp } from '../wire/errors.ts';
export * as kit from './factory/index.ts';
export * as params from './params.ts';
