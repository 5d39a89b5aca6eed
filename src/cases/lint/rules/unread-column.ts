import type { SuspiciousColumn } from '../../../evaluate/datasets/dataset.ts';
import type { Place } from '../../../core/errors.ts';
import type { LintRule } from '../rule.ts';

/** The rule for columns that look like expectations and are not known: without them a case passes unchecked. */
export const unreadColumn: LintRule = {
  name: 'unread-column',
  severity: 'error',
  summary: 'a column looks like an expectation, and nothing reads it',
  create: () => {
    const found = new Map<string, SuspiciousColumn & { readonly place: Place }>();
    const rows = new Map<string, number>();
    return {
      *checkRow({ draft: { suspicious = [], place } }) {
        for (const column of suspicious) {
          if (!found.has(column.name)) found.set(column.name, { ...column, place });
          rows.set(column.name, (rows.get(column.name) ?? 0) + 1);
        }
        yield* [];
      },
      *finish() {
        for (const { name, place, nearest, isNearMiss } of found.values()) {
          const count = rows.get(name) ?? 0;
          const rename = nearest === undefined ? 'Rename it' : `Rename it, perhaps to "${nearest}"`;
          yield {
            at: place,
            message: `the column "${name}" of ${count === 1 ? '1 row' : `${count} rows`} looks like an expectation, and nothing reads it: ${isNearMiss ? 'a run stops at it' : 'it is not measured, and neither is the gate'}`,
            remedy: `${rename}, or keep it as metadata on purpose: \`--metadata '${name}'\`.`,
          };
        }
      },
    };
  },
};
