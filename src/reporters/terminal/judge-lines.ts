import type { Summary } from '../../schema/summary.ts';
import { judgeParts } from '../../report/judge-parts.ts';
import { flow } from './flow.ts';
import { joined, type Line, span, whole } from './line.ts';

/** What judging took, for all targets together; nothing where nothing was judged. */
export function judgeLines({ judge }: Pick<Summary, 'judge'>, width: number): Line[] {
  if (judge === undefined) return [];
  return flow(joined(judgeParts(judge).map((part) => [whole(part)])), { width, first: [span('  Judge   ')] });
}
