import { lazy, Suspense, useState } from 'react';
import type { EditedRow } from '../../parts/acting/edit-row.tsx';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';

/** Loaded once somebody edits a question: the page is there to read first. */
const EditRowDialog = lazy(async () => ({
  default: (await import('../../parts/acting/edit-row.tsx')).EditRowDialog,
}));

interface EditButtonOptions {
  readonly row: EditedRow;
  /** Called with the id of the question once it is written. */
  readonly onWritten: (id: string) => void;
}

/** A button, and the key `E`, with which a question is edited in its file. */
export function EditButton({ row, onWritten }: EditButtonOptions) {
  const [opened, setOpened] = useState<{ readonly row: EditedRow; readonly times: number }>();
  const show = (): void => setOpened({ row, times: (opened?.times ?? 0) + 1 });
  useKeys([{ keys: 'E', does: 'Edit the question', run: show }]);
  return (
    <>
      <Button onClick={show}>Edit the question…</Button>
      <Suspense fallback={null}>
        {opened !== undefined && <EditRowDialog key={opened.times} row={opened.row} onWritten={onWritten} />}
      </Suspense>
    </>
  );
}
