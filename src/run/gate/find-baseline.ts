import { messageOf } from '../../errors.ts';
import type { Gate } from '../../schema/gate.ts';
import { readBaselineFile } from '../baseline/baseline-file.ts';
import type { FoundBaseline } from './gate-rule.ts';

/** The baseline that a gate names, or why there is none. */
export async function findBaseline({ baseline }: Gate): Promise<FoundBaseline> {
  if (baseline === undefined) {
    return { reason: 'there is no baseline: name one with --baseline, or as gate.baseline in the config' };
  }
  try {
    return { baseline: await readBaselineFile(baseline) };
  } catch (error) {
    return { reason: messageOf(error).replace(/\.$/, '') };
  }
}
