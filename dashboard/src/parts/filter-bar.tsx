import { type ReactNode, type Ref, useEffect, useId, useState } from 'react';
import { fieldNames, type Vocabulary } from '../../../src/lib/filter/fields.ts';
import type { Filter } from '../../../src/lib/filter/filter.ts';
import { parseFilter } from '../../../src/lib/filter/parse-filter.ts';
import { PlainText } from './plain-text.tsx';

/** The milliseconds after the last key before a filter is applied. */
const pauseMs = 300;

/** The options of {@link FilterBar}. */
interface FilterBarOptions {
  /** The field, for the key that leads to it. */
  readonly ref: Ref<HTMLInputElement>;
  /** The filter of the address. */
  readonly text: string;
  readonly vocabulary: Vocabulary;
  readonly example: string;
  readonly onChange: (text: string) => void;
  /** The buttons at the right of the field. */
  readonly children?: ReactNode;
}

/** What stands in the field. */
interface Typed {
  readonly text: string;
  /** The filter of the address when it was typed. */
  readonly from: string;
  /** The filter that was applied last, which the address is about to have. */
  readonly applied?: string;
}

/** A field for a filter in the grammar of the command line. An invalid filter is explained, and not applied. */
export function FilterBar({ ref, text, vocabulary, example, onChange, children }: FilterBarOptions) {
  const id = useId();
  const [typed, setTyped] = useState<Typed>({ text, from: text });
  const isOwn = typed.applied === text;
  // A filter that comes from elsewhere, such as a button, replaces what is typed; what was typed here goes on.
  if (typed.from !== text) setTyped({ text: isOwn ? typed.text : text, from: text });
  const shown = typed.from === text || isOwn ? typed.text : text;
  const { problem } = readFilter(shown, vocabulary);
  const apply = (next: string): void => {
    setTyped({ text: next, from: text, applied: next });
    onChange(next);
  };
  useEffect(() => {
    if (shown === text || shown === typed.applied || problem !== undefined) return;
    const timer = setTimeout(() => apply(shown), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (problem === undefined) apply(shown);
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <div className="relative min-w-64 flex-1">
          <input
            ref={ref}
            type="text"
            value={shown}
            onChange={({ target }) => setTyped({ ...typed, text: target.value })}
            onKeyDown={({ key, currentTarget }) => {
              if (key === 'Escape') currentTarget.blur();
            }}
            aria-label="Filter"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : id}
            placeholder={`Filter, such as ${example}`}
            spellCheck={false}
            autoComplete="off"
            className="h-8 w-full rounded-md border border-line bg-page pr-16 pl-3 font-mono text-[13px] placeholder:text-quiet aria-invalid:border-bad"
          />
          {shown !== '' && (
            <button
              type="button"
              onClick={({ currentTarget }) => {
                apply('');
                // This button goes, and the focus stays at the field.
                currentTarget.form?.querySelector('input')?.focus();
              }}
              className="absolute inset-y-0 right-1 my-1 rounded px-2 text-xs text-quiet hover:bg-hover hover:text-text"
            >
              Clear
            </button>
          )}
        </div>
        {children}
      </div>
      {problem !== undefined && (
        <p id={id} role="alert" className="mt-1.5 max-w-4xl">
          <span className="text-bad">
            <span aria-hidden>✗ </span>
            <PlainText text={problem} />
          </span>{' '}
          <span className="text-quiet">
            Filter by <PlainText text={fieldNames(vocabulary).join(', ')} />.
          </span>
        </p>
      )}
    </form>
  );
}

/** Reads a filter: its terms, or the reason why it is none. */
export function readFilter(
  text: string,
  vocabulary: Vocabulary,
): { readonly filter: Filter; readonly problem?: string } {
  if (text.trim() === '') return { filter: [] };
  const { filter, problem } = parseFilter(text, vocabulary);
  return filter === undefined ? { filter: [], problem: problem.message } : { filter };
}
