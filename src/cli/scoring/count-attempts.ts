import type { Evaluation } from '../../run/evaluation.ts';
import { loadCases } from '../../run/prepare/load.ts';
import { questionOf } from '../../schema/case.ts';
import type { RecordingIndex } from '../../targets/replay/recording-index.ts';

/** How many attempts at a case a run over recorded answers has, and what is worth saying of it. */
export interface RecordedAttempts {
  readonly attempts: number;
  readonly notice: string | undefined;
}

/** The most attempts that are recorded at a case of the file itself. */
export function countOwnAttempts(indexes: readonly RecordingIndex[]): RecordedAttempts {
  const attempts = Math.max(1, ...indexes.map(({ mostAttempts }) => mostAttempts));
  if (attempts === 1) return { attempts, notice: undefined };
  const gaps = indexes.map((index) => index.gaps).filter(({ cases }) => cases > 0);
  const missing = gaps.reduce((sum, gap) => sum + gap.attempts, 0);
  const many = `${attempts} attempts at a case are recorded`;
  const lack = missing === 1 ? '1 is missing and counts' : `${missing} are missing and count`;
  const few = `Up to ${many}; ${lack} as not measured.`;
  return { attempts, notice: missing === 0 ? `${many}.` : few };
}

/** The most attempts that are recorded at a case of another file. */
export async function countAttempts(
  { dataset, selects }: Pick<Evaluation, 'dataset' | 'selects'>,
  indexes: readonly RecordingIndex[],
): Promise<RecordedAttempts> {
  let attempts = 1;
  for await (const { case: testCase } of loadCases(dataset, { onNotice: () => {} })) {
    if (!selects(testCase)) continue;
    const wanted = { caseId: testCase.id, input: questionOf(testCase) };
    attempts = Math.max(attempts, ...indexes.map((index) => index.attemptsAt(wanted)));
  }
  const notice = `Up to ${attempts} attempts at a case are recorded; those that are missing count as not measured.`;
  return { attempts, notice: attempts === 1 ? undefined : notice };
}
