import { lazy, Suspense } from 'react';
import type { MatrixHead, MatrixRow } from '../../../../src/core/schema/api/comparison/matrix.ts';

/** Loaded once somebody edits a question: the page is there to read first. */
const EditRowDialog = lazy(async () => ({
  default: (await import('../../parts/acting/edit-row.tsx')).EditRowDialog,
}));

interface EditQuestionOptions {
  readonly columns: readonly MatrixHead[];
  readonly row: MatrixRow;
  readonly onClose: () => void;
}

/** Edits the question of a row where the run of the first column has it, whose targets are asked again then. */
export function EditQuestion({ columns, row, onClose }: EditQuestionOptions) {
  const [first] = columns;
  if (first === undefined) return null;
  const { run } = first;
  const targets = columns.filter((column) => column.run === run).map(({ target }) => target);
  return (
    <Suspense fallback={null}>
      <EditRowDialog key={row.position} row={{ run, id: row.caseId, targets }} onClose={onClose} />
    </Suspense>
  );
}
