import type { Mark } from '../../schema/mark.ts';
import type { Tone } from './line.ts';

/** The colour of each mark. */
export const markTones = {
  passed: 'good',
  failed: 'bad',
  error: 'fault',
  'not-measured': 'fair',
  unscored: 'quiet',
} as const satisfies Record<Mark, Tone>;

/** The colour of a share: good from 0.8 or the pass mark if that is higher, bad under the pass mark, fair between. */
export function shareTone(share: number | null | undefined, passMark = 0.7): Tone | undefined {
  if (share === null || share === undefined || !Number.isFinite(share)) return undefined;
  if (share >= Math.max(0.8, passMark) - 1e-9) return 'good';
  return share >= passMark - 1e-9 ? 'fair' : 'bad';
}
