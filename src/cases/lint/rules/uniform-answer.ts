import { foldForComparison } from '../../../core/lib/text/fold.ts';
import type { CaseRef, LintRule } from '../rule.ts';

const fewestCases = 10;
/** The share of cases from which one and the same answer is worth a warning. */
const leastShare = 0.6;
/** The most different answers that are counted. */
const mostAnswers = 1000;

/** The rule for sets in which one and the same answer is right for most cases. */
export const uniformAnswer: LintRule = {
  name: 'uniform-answer',
  severity: 'warning',
  summary: 'the same answer is expected of most questions',
  create: () => {
    const counts = new Map<string, { readonly first: CaseRef; readonly answer: string; cases: number }>();
    let cases = 0;
    return {
      *checkCase({ case: { expected }, ref }) {
        const answer = [expected.answer ?? []].flat()[0];
        if (answer === undefined || answer.trim() === '') return;
        cases += 1;
        const key = foldForComparison(answer.slice(0, 1000)).slice(0, 200);
        const entry = counts.get(key) ?? { first: ref, answer, cases: 0 };
        entry.cases += 1;
        if (counts.size < mostAnswers) counts.set(key, entry);
        yield* [];
      },
      *finish() {
        if (cases < fewestCases) return;
        for (const { first, answer, cases: same } of counts.values()) {
          if (same / cases < leastShare) continue;
          yield {
            at: first,
            message: `"${shown(answer)}" is the expected answer of ${same} of ${cases} questions: a bot that always says so is right in ${Math.floor((same / cases) * 100)} %`,
            remedy: 'Add questions with other answers, or judge each category by itself.',
          };
        }
      },
    };
  },
};

function shown(answer: string): string {
  const line = answer.replace(/\s+/g, ' ').trim();
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
