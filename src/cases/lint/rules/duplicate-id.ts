import type { CaseRef, LintRule } from '../rule.ts';

/** The rule for ids that two cases share. A run refuses the set. */
export const duplicateId: LintRule = {
  name: 'duplicate-id',
  severity: 'error',
  summary: 'two questions have the same id',
  create: () => {
    const first = new Map<string, CaseRef>();
    return {
      *checkCase({ case: { id }, ref }) {
        const earlier = first.get(id);
        if (earlier === undefined) {
          first.set(id, ref);
          return;
        }
        // An id that is derived from the content shows two copies, which are another finding.
        if (/^case-[\da-f]{12}$/.test(id)) return;
        yield {
          at: ref,
          path: ['id'],
          other: earlier,
          message: `the id "${id}" is also the id of ${describePlace(earlier, ref)}`,
          remedy: 'Give each question an id of its own: reports and baselines name questions by it.',
        };
      },
    };
  },
};

/** Describes the place of another case: its line, and its file where that is another one. */
export function describePlace({ place }: CaseRef, seenFrom: CaseRef): string {
  const line = place.line === undefined ? 'an earlier row' : `line ${place.line}`;
  return place.file === seenFrom.place.file ? line : `${line} of ${place.file}`;
}
