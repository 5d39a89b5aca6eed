import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { ReadingMode } from '../../../../src/core/schema/modes/reading.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { idOfName } from './board.ts';

/** A change of the modes that is being written in a dialog. */
export type OpenDialog =
  | {
      readonly type: 'new';
      readonly name: string;
      readonly definition: string;
      readonly notes: readonly string[];
    }
  | { readonly type: 'define' | 'merge' | 'split'; readonly mode: ReadingMode };

interface ModeDialogOptions {
  readonly open: OpenDialog;
  readonly modes: readonly ReadingMode[];
  readonly error: unknown;
  /** Sends an edit; the notes become conversations of the new mode. */
  readonly onEdit: (
    edit: object,
    notes?: { readonly mode: string; readonly notes: readonly string[] },
  ) => void;
  readonly onClose: () => void;
}

const titles = {
  new: 'A new mode',
  define: 'Definition',
  merge: 'Merge into another mode',
  split: 'Split',
} as const;

/** The dialog of a change of the modes. It opens when it is mounted. */
export function ModeDialog(options: ModeDialogOptions) {
  const { open, error, onClose } = options;
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const shown = dialog.current;
    const onEnd = (): void => close();
    shown?.showModal();
    // Not the button that closes it, which comes first.
    const first = shown?.querySelector<HTMLElement>('label input, li button');
    first?.focus();
    if (first instanceof HTMLInputElement) first.select();
    shown?.addEventListener('close', onEnd);
    return () => shown?.removeEventListener('close', onEnd);
  }, []);
  return (
    <Dialog ref={dialog} title={titles[open.type]}>
      <ErrorPanel error={error} />
      {open.type === 'new' && <NewMode {...options} open={open} />}
      {open.type === 'define' && <Define {...options} mode={open.mode} />}
      {open.type === 'merge' && <Merge {...options} mode={open.mode} />}
      {open.type === 'split' && <Split {...options} mode={open.mode} />}
    </Dialog>
  );
}

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2 py-1';

function Form({
  save,
  children,
  onSave,
}: {
  readonly save: string;
  readonly children: ReactNode;
  readonly onSave: () => void;
}) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSave();
      }}
      className="space-y-4"
    >
      {children}
      <Button type="submit" look="main">
        {save}
      </Button>
    </form>
  );
}

interface WordsFieldOptions {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly about?: string;
}

function WordsField({ label, value, onValue, about }: WordsFieldOptions) {
  const id = useId();
  return (
    <label className="block">
      {label}
      <input
        autoComplete="off"
        value={value}
        maxLength={1000}
        aria-describedby={about === undefined ? undefined : id}
        onChange={({ target }) => onValue(target.value)}
        className={field}
      />
      {about !== undefined && (
        <span id={id} className="text-xs text-quiet">
          {about}
        </span>
      )}
    </label>
  );
}

const aboutDefinition =
  'One sentence by which a stranger could decide for any conversation whether it happens there.';

function NewMode({
  open,
  onEdit,
}: ModeDialogOptions & { readonly open: OpenDialog & { readonly type: 'new' } }) {
  const [name, setName] = useState(open.name);
  const [definition, setDefinition] = useState(open.definition);
  const id = idOfName(name);
  const add = { type: 'add', id, name: name.trim(), definition: definition.trim() };
  return (
    <Form save="Add the mode" onSave={() => onEdit(add, { mode: id, notes: open.notes })}>
      <WordsField label="Name" value={name} onValue={setName} about={`Its id for ever: ${id}`} />
      <WordsField label="Definition" value={definition} onValue={setDefinition} about={aboutDefinition} />
    </Form>
  );
}

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function LinesField({ label, value, onValue }: Omit<WordsFieldOptions, 'about'>) {
  return (
    <label className="block">
      {label}, a sentence a line
      <textarea rows={2} value={value} onChange={({ target }) => onValue(target.value)} className={field} />
    </label>
  );
}

function Define({ mode, onEdit }: ModeDialogOptions & { readonly mode: ReadingMode }) {
  const [name, setName] = useState(mode.name);
  const [definition, setDefinition] = useState(mode.definition);
  const [includes, setIncludes] = useState(mode.includes.join('\n'));
  const [excludes, setExcludes] = useState(mode.excludes.join('\n'));
  const [isSame, setSame] = useState(false);
  const hasWords =
    definition.trim() !== mode.definition ||
    includes !== mode.includes.join('\n') ||
    excludes !== mode.excludes.join('\n');
  const edit = hasWords
    ? {
        type: 'redefine',
        id: mode.id,
        definition: definition.trim(),
        includes: linesOf(includes),
        excludes: linesOf(excludes),
        sameMeaning: isSame,
      }
    : { type: 'rename', id: mode.id, name: name.trim() };
  return (
    <Form save="Keep" onSave={() => onEdit(edit)}>
      <WordsField label="Definition" value={definition} onValue={setDefinition} about={aboutDefinition} />
      <LinesField label="Includes" value={includes} onValue={setIncludes} />
      <LinesField label="Does not include" value={excludes} onValue={setExcludes} />
      <label className="flex gap-2">
        <input type="checkbox" checked={isSame} onChange={({ target }) => setSame(target.checked)} />
        It means the same as before: marks stay. Otherwise its conversations are looked at again.
      </label>
      {!hasWords && <WordsField label="Name" value={name} onValue={setName} />}
    </Form>
  );
}

function Merge({ mode, modes, onEdit }: ModeDialogOptions & { readonly mode: ReadingMode }) {
  return (
    <>
      <p>
        The marks of <PlainText text={mode.name} /> then count for:
      </p>
      <ul className="mt-2 space-y-1">
        {modes
          .filter(({ id }) => id !== mode.id)
          .map(({ id, name }) => (
            <li key={id}>
              <Button onClick={() => onEdit({ type: 'merge', id: mode.id, into: id })}>
                <PlainText text={name} />
              </Button>
            </li>
          ))}
      </ul>
    </>
  );
}

function Split({ mode, onEdit }: ModeDialogOptions & { readonly mode: ReadingMode }) {
  const [parts, setParts] = useState([
    { name: '', definition: '' },
    { name: '', definition: '' },
  ]);
  const change = (place: number, part: Partial<(typeof parts)[number]>) =>
    setParts(parts.map((each, index) => (index === place ? { ...each, ...part } : each)));
  const into = parts.map(({ name, definition }) => ({
    id: idOfName(name),
    name: name.trim(),
    definition: definition.trim(),
  }));
  return (
    <Form save="Split" onSave={() => onEdit({ type: 'split', id: mode.id, into })}>
      <p>
        New modes take the place of <PlainText text={mode.name} />, whose conversations are looked at again.
      </p>
      {parts.map(({ name, definition }, place) => (
        <fieldset key={place} className="space-y-2">
          <legend className="font-medium">Mode {place + 1}</legend>
          <WordsField
            label={`Name ${place + 1}`}
            value={name}
            onValue={(text) => change(place, { name: text })}
          />
          <WordsField
            label={`Definition ${place + 1}`}
            value={definition}
            onValue={(text) => change(place, { definition: text })}
          />
        </fieldset>
      ))}
    </Form>
  );
}
