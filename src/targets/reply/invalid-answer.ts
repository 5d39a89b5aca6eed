import { TargetFailure } from '../target.ts';
import { describeValue } from '../../lib/describe-value.ts';

/** The failure for a part of a reply that is not what it should be; it names the part and what was found. */
export function invalidField(field: string, found: unknown, wanted: string): TargetFailure {
  return new TargetFailure(
    'invalid-answer',
    `\`${field}\` is ${describeValue(found)}; it must be ${wanted}.`,
  );
}
