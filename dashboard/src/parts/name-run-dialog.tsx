import { useEffect, useId, useRef, useState } from 'react';
import { longestLabel } from '../../../src/core/schema/api/run-head.ts';
import type { Run } from '../../../src/core/schema/run.ts';
import { useEditRun } from '../data/use-changes.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorPanel } from './error-panel.tsx';
import { PlainText } from './plain-text.tsx';

/** The parts of a run by which people tell it apart. */
export type RunLabelled = Pick<Run, 'id' | 'name' | 'note' | 'tags'>;

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2';

/** The dialog that changes the name, the note and the tags of a run. It opens when it is mounted. */
export function NameRunDialog({ run }: { readonly run: RunLabelled }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [name, setName] = useState(run.name ?? '');
  const [note, setNote] = useState(run.note ?? '');
  const [tags, setTags] = useState(() => linesOf(run.tags));
  const { mutate, error, isPending } = useEditRun();
  const first = useRef<HTMLInputElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
    first.current?.select();
  }, []);
  const save = (): void =>
    mutate(
      { id: run.id, name: name.trim(), note: note.trim(), tags: changesOf(run.tags, tags) },
      { onSuccess: () => dialog.current?.close() },
    );
  return (
    <Dialog ref={dialog} title="Name the run">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
        className="space-y-4"
      >
        <p id={id}>
          <PlainText text={run.id} /> stays as it was run: what you write is shown next to it, with your name
          and the time.
        </p>
        <label className="block">
          Name
          <input
            ref={first}
            autoComplete="off"
            value={name}
            maxLength={longestLabel.name}
            aria-describedby={id}
            placeholder="prompt-v7"
            onChange={({ target }) => setName(target.value)}
            className={`${field} h-8`}
          />
        </label>
        <label className="block">
          Note
          <textarea
            rows={3}
            value={note}
            maxLength={longestLabel.note}
            onChange={({ target }) => setNote(target.value)}
            className={`${field} py-1`}
          />
        </label>
        <label className="block">
          Tags, one a line
          <textarea
            rows={2}
            value={tags}
            placeholder="prompt=v7"
            onChange={({ target }) => setTags(target.value)}
            className={`${field} py-1 font-mono text-[13px]`}
          />
        </label>
        <ErrorPanel error={error} />
        <Button type="submit" look="main" disabled={isPending}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}

function linesOf(tags: RunLabelled['tags'] = {}): string {
  return Object.entries(tags)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}

/** Returns the tags that were written, and null for those that are no longer there. A line without `=` is a mark, whose value is `true`. */
function changesOf(before: RunLabelled['tags'] = {}, written: string): Record<string, string | null> {
  const lines = written
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const now = lines.map((line): [string, string] => {
    const [key = '', ...value] = line.split('=');
    return value.length === 0 ? [line, 'true'] : [key.trim(), value.join('=').trim()];
  });
  const removed = Object.keys(before).map((key): [string, null] => [key, null]);
  return Object.fromEntries<string | null>([...removed, ...now]);
}
