import { wilsonInterval } from '../../../core/stats/proportion-interval.ts';
import type { CaseRef, LintRule } from '../rule.ts';

/** The half-width of an interval that is precise enough to say something, as a share. */
const preciseEnough = 0.1;
const mostShown = 5;

/** The rule for sets and categories with too few cases for a share that says anything. */
export const smallSample: LintRule = {
  name: 'small-sample',
  severity: 'note',
  summary: 'the set or a category has too few questions for a precise share',
  create: () => {
    const categories = new Map<string, { cases: number }>();
    let set: CaseRef | undefined;
    let cases = 0;
    return {
      *checkCase({ case: { category }, ref }) {
        set ??= ref;
        cases += 1;
        if (category === undefined) return;
        const entry = categories.get(category) ?? { cases: 0 };
        entry.cases += 1;
        categories.set(category, entry);
        yield* [];
      },
      *finish() {
        if (set === undefined) return;
        const needed = casesFor(preciseEnough);
        const small = [...categories].filter(([, each]) => each.cases < needed);
        const listed = small
          .toSorted(([, first], [, second]) => first.cases - second.cases)
          .slice(0, mostShown)
          .map(([name, each]) => `${name} ${each.cases} (±${points(each.cases)})`);
        const more = small.length > mostShown ? `, and ${small.length - mostShown} more` : '';
        const areSmall = `${small.length} of ${categories.size} categories have few questions: ${listed.join(', ')}${more}`;
        const hasParts = small.length > 0 && categories.size > 1;
        if (cases < needed) {
          yield {
            at: { file: set.place.file },
            message: `with ${cases === 1 ? '1 question' : `${cases} questions`}, a pass rate near 50 % is known to ±${points(cases)} points${hasParts ? `; ${areSmall}` : ''}`,
            remedy: `For ±10 points, ${needed} questions are needed, in each category that is to be judged by itself.`,
          };
        } else if (hasParts) {
          yield {
            at: { file: set.place.file },
            message: `${areSmall} points near 50 %`,
            remedy: `For ±10 points in a category, it needs ${needed} questions; until then, do not decide by it alone.`,
          };
        }
      },
    };
  },
};

/** Returns the half-width of the 95 % interval of a pass rate of one half, as a share. */
function halfWidth(cases: number): number {
  const interval = wilsonInterval({ successes: cases / 2, trials: cases });
  return interval.status === 'defined' ? (interval.upper - interval.lower) / 2 : 0.5;
}

function points(cases: number): number {
  return Math.round(halfWidth(cases) * 100);
}

/** Returns the fewest cases whose interval has at most a half-width. */
function casesFor(width: number): number {
  let cases = 1;
  while (halfWidth(cases) > width) cases += 1;
  return cases;
}
