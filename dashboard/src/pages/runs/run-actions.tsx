import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { useDeleteRuns } from '../../data/use-changes.ts';
import { useRights } from '../../data/use-rights.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { NameRun } from '../../parts/name-run.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { SetBaseline } from '../../parts/set-baseline.tsx';
import { mostColumns } from '../../../../src/core/schema/api/comparison/matrix.ts';

interface RunActionsOptions {
  /** The picked runs, the older one first. */
  readonly picked: readonly RunRow[];
  readonly onClear: () => void;
  /** Picks all runs that are listed; undefined when they are. */
  readonly onAll: (() => void) | undefined;
}

/** The bar of what can be done with the picked runs: see several side by side; compare two; name one, set it as a baseline, or delete what is picked. */
export function RunActions({ picked, onClear, onAll }: RunActionsOptions) {
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
    if (second !== undefined && ids.length <= mostColumns)
      void navigate({ to: '/matrix', search: { columns: ids.join(',') } });
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
      <Button disabled={second === undefined || ids.length > mostColumns} onClick={showMatrix}>
        Side by side
      </Button>
      {second === undefined && <NameRun run={one} />}
      {second === undefined && <SetBaseline run={first} dialog={baseline} />}
      {mayEdit && <DeleteRuns runs={ids} onDeleted={onClear} />}
      {onAll !== undefined && <Button onClick={onAll}>Pick all</Button>}
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

/** The runs that the question whether to delete names. */
const mostNamed = 5;

const field = 'mt-1 block h-8 w-full rounded-md border border-line bg-page px-2';

interface DeleteRunsOptions {
  readonly runs: readonly string[];
  readonly onDeleted: () => void;
}

/** Deletes runs, after their number or the end of the only id was typed. */
function DeleteRuns({ runs, onDeleted }: DeleteRunsOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState('');
  const { mutate, error, isPending } = useDeleteRuns();
  const isOne = runs.length === 1;
  const word = isOne ? (runs[0] ?? '').slice(-4) : `${runs.length} runs`;
  return (
    <>
      <Button look="danger" onClick={() => dialog.current?.showModal()}>
        Delete…
      </Button>
      <Dialog ref={dialog} title={`Delete ${isOne ? 'a run' : word} permanently`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === word) mutate(runs, { onSuccess: onDeleted });
          }}
          className="space-y-4"
        >
          <p>
            <PlainText text={runs.slice(0, mostNamed).join(', ')} />
            {runs.length > mostNamed && ` and ${runs.length - mostNamed} more`} and all of{' '}
            {isOne ? 'its' : 'their'} answers and scores are removed. This cannot be undone; to keep a copy
            first: <code className="font-mono">touchstone export</code>.
          </p>
          <label className="block">
            Type <code className="font-mono">{word}</code>
            {isOne && ', the end of its id'}
            <input
              autoComplete="off"
              value={typed}
              onChange={({ target }) => setTyped(target.value)}
              className={field}
            />
          </label>
          <ErrorPanel error={error} />
          <Button type="submit" look="danger" disabled={typed !== word || isPending}>
            Delete permanently
          </Button>
        </form>
      </Dialog>
    </>
  );
}
