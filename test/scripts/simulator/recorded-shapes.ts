/** The old place of test/support/shape.ts. */
export { type Differences, sameShapes, withoutRecordings } from '../../support/shape.ts';
