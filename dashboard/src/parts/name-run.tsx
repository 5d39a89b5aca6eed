import { lazy, Suspense, useState } from 'react';
import type { RunLabelled } from './name-run-dialog.tsx';
import { useRights } from '../data/use-rights.ts';
import { useKeys } from '../keys/use-keys.ts';
import { Button } from './button.tsx';

/** Loaded once somebody names a run: the page is there to read first. */
const NameRunDialog = lazy(async () => ({
  default: (await import('./name-run-dialog.tsx')).NameRunDialog,
}));

/** A button, and the key `n`, with which a run gets a name, a note and tags; nothing in a file, where nothing can be changed. */
export function NameRun({ run }: { readonly run: RunLabelled }) {
  const mayEdit = useRights().may('edit');
  const [opened, setOpened] = useState(0);
  const open = (): void => setOpened(opened + 1);
  useKeys(!mayEdit ? [] : [{ keys: 'n', does: 'Name the run, note something, tag it', run: open }]);
  if (!mayEdit) return null;
  return (
    <>
      <Button onClick={open}>Name…</Button>
      <Suspense fallback={null}>{opened > 0 && <NameRunDialog key={opened} run={run} />}</Suspense>
    </>
  );
}
