import { type RefObject, useId, useState } from 'react';
import { useSetBaseline } from '../data/use-changes.ts';
import { useRights } from '../data/use-rights.ts';
import { useBaselines } from '../data/use-runs.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { PlainText } from './plain-text.tsx';

interface SetBaselineOptions {
  readonly run: string;
  /** The dialog, for a key of the page that opens it. */
  readonly dialog: RefObject<HTMLDialogElement | null>;
}

/** A button that names a run as a baseline after a confirmation, and says whether it worked. */
export function SetBaseline({ run, dialog }: SetBaselineOptions) {
  const id = useId();
  const [name, setName] = useState('main');
  const { data: baselines = [] } = useBaselines();
  const { mutate, error, isPending, isSuccess, variables, reset } = useSetBaseline();
  const { may } = useRights();
  const before = baselines.find((each) => each.name === name.trim());
  if (!may('edit')) return null;
  return (
    <>
      {isSuccess && (
        <span role="status" className="text-good">
          <span aria-hidden>✓ </span>Saved as <PlainText text={variables.name} />
        </span>
      )}
      <Button onClick={() => dialog.current?.showModal()}>Set as baseline…</Button>
      <Dialog ref={dialog} title="Set as baseline">
        <form
          onSubmit={(event) => {
            event.preventDefault();
            mutate({ name: name.trim(), run }, { onSuccess: () => dialog.current?.close() });
          }}
          className="space-y-4"
        >
          <p>
            Later runs can be compared with <PlainText text={run} /> by this name, and rules of gates compare
            with it.
          </p>
          <label className="block">
            Name
            <input
              required
              value={name}
              onChange={({ target }) => {
                setName(target.value);
                // What is said is about another name.
                reset();
              }}
              aria-describedby={id}
              className="mt-1 block h-8 w-full rounded-md border border-line bg-page px-2"
            />
          </label>
          <p id={id} className="text-quiet">
            {before === undefined && 'There is no baseline of this name yet.'}
            {before?.run === run && 'The run is the baseline of this name already.'}
            {before !== undefined && before.run !== run && (
              <>
                It replaces <PlainText text={before.run} /> under this name.
              </>
            )}
          </p>
          <ErrorPanel error={error} />
          <Button type="submit" look="main" disabled={isPending}>
            Set as baseline
          </Button>
        </form>
      </Dialog>
    </>
  );
}
