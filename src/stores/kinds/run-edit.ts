import { runEditsSchema, type RunEdits, type RunHead } from '../../core/schema/api/run-head.ts';
import type { DocumentStore } from '../documents/document-store.ts';
import { defineKind } from '../documents/kind.ts';

/** The names, notes and tags that runs were given after they were begun. They are removed with their run. */
export const runEditKind = defineKind({
  name: 'run-edit',
  table: 'run_edits',
  about: 'The names, notes and tags that people gave runs afterwards, with who did so and when.',
  schema: () => runEditsSchema,
  columns: { run_id: ['text', ({ run }) => run] },
  ofRun: 'run_id',
  describe: ({ run_id: run }) => `the name, note and tags of run ${run}`,
});

/** The part of a run that may be changed besides its record. */
type Labelled = Pick<RunHead, 'id' | 'name' | 'note' | 'tags'>;

/** Returns runs, or their heads, with the names, notes and tags that they have now, in place of those that they were started with. */
export async function withEdits<Each extends Labelled>(
  runs: readonly Each[],
  documents: Pick<DocumentStore, 'list'>,
): Promise<Each[]> {
  const edits = new Map<string, RunEdits['edits'][number] | undefined>();
  const ids = runs.map(({ id }) => id);
  const query = ids.length <= mostNamed ? { where: { run_id: ids } } : {};
  if (ids.length > 0)
    for await (const each of documents.list(runEditKind, query)) edits.set(each.run, each.edits.at(-1));
  return runs.map((run) => {
    const edit = edits.get(run.id);
    return edit === undefined ? run : { ...run, name: edit.name, note: edit.note, tags: edit.tags };
  });
}

/** The number of runs whose edits are asked for by their ids; for more, all are read. */
const mostNamed = 500;
