import { formatPoints } from '../../../core/lib/text/format-points.ts';
import { createCompensatedSum } from '../../../core/stats/compensated-sum.ts';
import type { CaseRef, LintRule } from '../rule.ts';

/** The share of the weight above which a single case outweighs all others together. */
const most = 0.5;

/** The rule for a case with more than half of the weight of the set: every mean is then little more than its own value. */
export const heavyCase: LintRule = {
  name: 'heavy-case',
  severity: 'warning',
  summary: 'one question has more than half of the weight of all questions',
  create: () => {
    const total = createCompensatedSum();
    let cases = 0;
    let heaviest: { readonly ref: CaseRef; readonly weight: number } | undefined;
    return {
      checkCase: ({ case: { weight = 1 }, ref }) => {
        total.add(weight);
        cases += 1;
        if (heaviest === undefined || weight > heaviest.weight) heaviest = { ref, weight };
        return [];
      },
      *finish() {
        if (heaviest === undefined || cases < 2) return;
        const share = heaviest.weight / total.total();
        if (share <= most) return;
        yield {
          at: heaviest.ref,
          path: ['weight'],
          message: `has ${formatPoints(share)} % of the weight of all ${cases} questions, so every mean depends on this one most`,
          remedy:
            'Give it a smaller weight, or split it into several questions; a weight says how often such a question occurs compared with the others.',
        };
      },
    };
  },
};
