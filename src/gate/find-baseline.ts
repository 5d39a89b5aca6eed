import { messageOf } from '../errors.ts';
import type { Gate } from '../schema/gate.ts';
import { readBaselineFile } from './baselines/baseline-file.ts';
import { locateBaseline } from './baselines/named-baselines.ts';
import type { FoundBaseline } from './rules/gate-rule.ts';

/**
 * The baseline that a gate names, or why there is none. It is named as `keepGate` does.
 * @param folder - Of the store; the current one where it has none.
 */
export async function findBaseline({ baseline }: Gate, folder = process.cwd()): Promise<FoundBaseline> {
  if (baseline === undefined) {
    return { reason: 'there is no baseline: name one with --baseline, or as gate.baseline in the config' };
  }
  try {
    return { baseline: await readBaselineFile(locateBaseline(baseline, { folder, storeFolder: folder })) };
  } catch (error) {
    return { reason: messageOf(error).replace(/\.$/, '') };
  }
}
