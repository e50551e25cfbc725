/** Each reading and each chart that a job publishes fits the schema of the answers that are made of it. */
import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Topic } from '../../../actors/topics/index.ts';
import type { IndicatorName } from '../../../actors/topics/indicator-names.ts';
import { indicatorTable } from '../../../actors/topics/indicators/table.ts';
import { ajv, closed } from '../../support/fitting.ts';

const validators = new Map<object, ValidateFunction>();

function check(name: IndicatorName, part: 'fields' | 'row', value: unknown): void {
  const schema = indicatorTable[name][part];
  const validate = validators.get(schema) ?? ajv.compile(Object(closed(schema)));
  validators.set(schema, validate);
  if (!validate(value)) throw new Error(`${part} of ${name}: ${JSON.stringify(validate.errors)}`);
}

/** Throws where what is published of an indicator is not as its schema states. */
export function mustFit(topic: Topic, value: object): void {
  const { name, fields, live, rows = [] } = Object(value);
  if (topic === 'marketIndicators' && fields !== null) check(name, 'fields', fields);
  if (topic === 'marketIndicators' && live !== null) check(name, 'row', live);
  if (topic === 'indicatorHistories') for (const row of rows.slice(-400)) check(name, 'row', row);
}
