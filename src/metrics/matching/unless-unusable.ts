import { TouchstoneError } from '../../errors.ts';
import type { Verdict } from '../../schema/verdict.ts';

/** The verdict that is computed; `failed` where a matcher of the case turns out to be unusable. */
export function unlessUnusable(compute: () => Verdict): Verdict {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { status: 'failed', code: 'matcher-invalid', reason: error.message };
  }
}
