import { hashContent } from '../../lib/content-hash.ts';
import type { JudgeQuestion } from '../judge.ts';

/**
 * The address of a question: everything that can change its answer, and nothing else. The same question about the same
 * material to the same judge has the same key in every run, for the same attempt: repeats are to be independent, also where
 * they give the same answer.
 */
export function questionKey(question: JudgeQuestion, judgeFingerprint: string, attempt = 1): string {
  const { id, instructions, material, shape, scale, isTemplate, items, quotes, together, sample } = question;
  const asked = { id, instructions, shape, scale, isTemplate, items, quotes, together, sample };
  const parts = material.map(({ title, text }) => [title, text]);
  const repeat = attempt > 1 && { attempt };
  return hashContent({ judge: judgeFingerprint, material: parts, ...asked, ...repeat });
}
