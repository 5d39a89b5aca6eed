import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { useDeleteRun } from '../../data/use-changes.ts';
import { useRights } from '../../data/use-rights.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { NameRun } from '../../parts/name-run.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SetBaseline } from '../../parts/set-baseline.tsx';

interface RunActionsOptions {
  /** The picked runs, the older one first. */
  readonly picked: readonly RunRow[];
  readonly onClear: () => void;
}

/** The bar of what can be done with the picked runs: see several side by side; compare two; name one, set it as a baseline, or delete it. */
export function RunActions({ picked, onClear }: RunActionsOptions) {
  const [one] = picked;
  const ids = picked.map(({ id }) => id);
  const [first, second, third] = ids;
  const baseline = useRef<HTMLDialogElement>(null);
  const navigate = useNavigate();
  const compare = (): void => {
    if (first === undefined || second === undefined || third !== undefined) return;
    location.assign(`/compare?${new URLSearchParams({ a: first, b: second }).toString()}`);
  };
  const showMatrix = (): void => {
    if (second !== undefined) void navigate({ to: '/matrix', search: { columns: ids.join(',') } });
  };
  const mayEdit = useRights().may('edit');
  useKeys([
    { keys: 'c', does: 'Compare the two picked runs', run: compare },
    { keys: 'm', does: 'Show the answers of the picked runs side by side', run: showMatrix },
    ...(mayEdit
      ? [{ keys: 'b', does: 'Set the picked run as a baseline', run: () => baseline.current?.showModal() }]
      : []),
  ]);
  if (first === undefined || one === undefined) return null;
  return (
    <div role="toolbar" aria-label="Picked runs" className="mb-2 flex min-h-8 flex-wrap items-center gap-2">
      <span className="mr-2">{formatPlural(picked.length, 'run')} picked</span>
      <Button look="main" disabled={second === undefined || third !== undefined} onClick={compare}>
        Compare
      </Button>
      <Button disabled={second === undefined} onClick={showMatrix}>
        Side by side
      </Button>
      {second === undefined && <NameRun run={one} />}
      {second === undefined && <SetBaseline run={first} dialog={baseline} />}
      {mayEdit && second === undefined && <DeleteRun run={first} onDeleted={onClear} />}
      <Button
        onClick={() => {
          focusPicked();
          onClear();
        }}
      >
        Clear
      </Button>
    </div>
  );
}

/** Moves the focus to the first picked row, since the button that has it goes. */
function focusPicked(): void {
  document.querySelector<HTMLElement>('main input[type=checkbox]:checked')?.focus({ preventScroll: true });
}

const field = 'mt-1 block h-8 w-full rounded-md border border-line bg-page px-2';

function DeleteRun({ run, onDeleted }: { readonly run: string; readonly onDeleted: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const { mutate, error, isPending } = useDeleteRun();
  const word = run.slice(-4);
  return (
    <>
      <Button look="danger" onClick={() => dialog.current?.showModal()}>
        Delete…
      </Button>
      <Dialog ref={dialog} title="Delete a run permanently">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === word) mutate(run, { onSuccess: onDeleted });
          }}
          className="space-y-4"
        >
          <p>
            <PlainText text={run} /> and all of its answers and scores are removed. This cannot be undone; to
            keep a copy first: <code className="font-mono">touchstone export</code>.
          </p>
          <label className="block">
            Type <code className="font-mono">{word}</code>, the end of its id
            <input
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              className={field}
            />
          </label>
          {error !== null && <ErrorPanel error={error} />}
          <Button type="submit" look="danger" disabled={typed !== word || isPending}>
            Delete permanently
          </Button>
        </form>
      </Dialog>
    </>
  );
}
