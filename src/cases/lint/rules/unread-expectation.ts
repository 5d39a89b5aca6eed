import {
  type Expectation,
  expectationsOf,
  nameExpectations,
  remedyForUnread,
} from '../../../core/schema/expectation.ts';
import type { CaseRef, LintRule } from '../rule.ts';

/** The rule for expectations that no metric of the config reads. The gate of such a run is not measured. */
export const unreadExpectation: LintRule = {
  name: 'unread-expectation',
  severity: 'error',
  summary: 'no metric of the config reads an expectation',
  create: ({ config, reads, caseChecks }) => {
    const found = new Map<Expectation, { readonly first: CaseRef; cases: number }>();
    return {
      *checkCase({ case: testCase, ref }) {
        if (reads === undefined) return;
        const own = reads.includes('checks') ? (caseChecks?.readsOf(testCase) ?? []) : [];
        for (const expectation of expectationsOf(testCase)) {
          if (reads.includes(expectation) || own.includes(expectation)) continue;
          const entry = found.get(expectation) ?? { first: ref, cases: 0 };
          entry.cases += 1;
          found.set(expectation, entry);
        }
        yield* [];
      },
      *finish() {
        for (const [expectation, { first, cases }] of found) {
          yield {
            at: first,
            message: `${nameExpectations(expectation)} of ${cases === 1 ? '1 question' : `${cases} questions`}, here first, are read by no metric of ${config ?? 'the config'}`,
            remedy: remedyForUnread([expectation], caseChecks),
          };
        }
      },
    };
  },
};
