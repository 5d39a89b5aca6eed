import type { Place } from '../../errors.ts';
import type { LintRule } from '../rule.ts';

/** The rule for columns that look like expectations and are not known: without them a case passes unchecked. */
export const unreadColumn: LintRule = {
  name: 'unread-column',
  severity: 'error',
  summary: 'a column looks like an expectation, and nothing reads it',
  create: () => {
    const found = new Map<string, { readonly place: Place; readonly nearest: string | undefined }>();
    const rows = new Map<string, number>();
    return {
      *checkRow({ draft: { suspicious = [], place } }) {
        for (const { name, nearest } of suspicious) {
          if (!found.has(name)) found.set(name, { place, nearest });
          rows.set(name, (rows.get(name) ?? 0) + 1);
        }
        yield* [];
      },
      *finish() {
        for (const [name, { place, nearest }] of found) {
          const count = rows.get(name) ?? 0;
          const rename = nearest === undefined ? 'Rename it' : `Rename it, perhaps to "${nearest}"`;
          yield {
            at: place,
            message: `the column "${name}" of ${count === 1 ? '1 row' : `${count} rows`} looks like an expectation, and nothing reads it`,
            remedy: `${rename}, or keep it as metadata on purpose: \`--metadata '${name}'\`.`,
          };
        }
      },
    };
  },
};
