import type { ReadConversation, ReadingMode } from '../../../../src/core/schema/modes/reading.ts';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { firstLine } from './board.ts';

/** The shares of a mode, as the page shows them. */
export interface ShownShare {
  /** Null where the answers were not drawn by whether they failed. */
  readonly ofFailed: string | null;
  readonly ofAll: string;
}

interface NoteListOptions {
  readonly label: string;
  readonly notes: readonly ReadConversation[];
  readonly chosen: string | undefined;
  readonly onChoose: (note: string) => void;
}

/** Notes, each a button that chooses its conversation and can be dragged to a mode. */
export function NoteList({ label, notes, chosen, onChoose }: NoteListOptions) {
  return (
    <ul aria-label={label} className="space-y-1">
      {notes.map(({ note, text, question, isWrong }) => (
        <li key={note}>
          <button
            type="button"
            aria-current={note === chosen || undefined}
            draggable
            onDragStart={({ dataTransfer }) => dataTransfer.setData('text/plain', note)}
            onClick={() => onChoose(note)}
            className={`block w-full rounded-md border px-2 py-1 text-left wrap-anywhere ${note === chosen ? 'border-accent bg-accent-soft' : 'border-line bg-page hover:bg-hover'}`}
          >
            <PlainText text={isWrong ? firstLine(text) : question} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The most quotes of a mode that are shown. */
const mostQuotes = 3;

const says = (title: string) => (text: string) => (
  <p key={`${title} ${text}`} className="text-xs text-quiet wrap-anywhere">
    {title}: <PlainText text={text} />
  </p>
);

interface ModeCardOptions extends Omit<NoteListOptions, 'label' | 'notes'> {
  readonly mode: ReadingMode;
  readonly digit: number;
  readonly own: readonly ReadConversation[];
  readonly share: ShownShare | undefined;
  /** True for the one that the keys of modes are about. */
  readonly isActive: boolean;
  readonly onActivate: () => void;
  /** Puts a note into the mode. */
  readonly onDrop: (note: string) => void;
}

/** A failure mode with its definition, its shares and its notes. A note that is dropped on it is put into it. */
export function ModeCard({
  mode,
  digit,
  own,
  share,
  isActive,
  onActivate,
  onDrop,
  ...list
}: ModeCardOptions) {
  const { id, name, definition, includes, excludes } = mode;
  const quotes = own.flatMap(({ spans }) => spans.slice(0, 1)).slice(0, mostQuotes);
  return (
    <li
      aria-current={isActive ? 'step' : undefined}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        onDrop(event.dataTransfer.getData('text/plain'));
      }}
      className={`rounded-lg border px-3 py-2 ${isActive ? 'border-accent' : 'border-line'}`}
    >
      <h3 className="font-semibold">
        <button type="button" onClick={onActivate} className="text-left wrap-anywhere hover:underline">
          <kbd className="mr-2 font-mono text-xs text-quiet">{digit <= 9 ? digit : ''}</kbd>
          <PlainText text={name} />
        </button>
      </h3>
      <p className="text-quiet wrap-anywhere">
        <PlainText text={definition} />
      </p>
      {[...includes.map(says('Includes')), ...excludes.map(says('Does not include'))]}
      {share !== undefined && (
        <p className="mt-1 text-xs text-quiet">
          {share.ofFailed !== null && `${share.ofFailed} of what failed · `}
          {share.ofAll} of all
        </p>
      )}
      {quotes.map(({ text }, index) => (
        <p key={index} className="mt-1 text-xs wrap-anywhere">
          <q>
            <PlainText text={text} />
          </q>
        </p>
      ))}
      <div className="mt-2">
        <NoteList {...list} label={`Notes of ${name}`} notes={own} />
      </div>
      <p className="mt-2 text-xs text-quiet">
        <CopyButton isSmall label="Copy: make it a metric" text={`touchstone modes make-metric ${id}`} />
      </p>
    </li>
  );
}
