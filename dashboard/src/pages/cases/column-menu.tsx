import { useRef, useState } from 'react';
import { useKeys } from '../../keys/use-keys.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import type { CaseColumn } from './columns.tsx';

interface ColumnMenuOptions {
  readonly known: readonly CaseColumn[];
  readonly shown: readonly CaseColumn[];
  readonly onChange: (names: string) => void;
}

/** The place where the browser remembers the last choice. */
const storageKey = 'touchstone.case-columns';

/** Returns the columns that were chosen last; undefined when there was no choice, or the browser remembers nothing. */
export function rememberedColumns(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}

function remember(names: string): void {
  try {
    localStorage.setItem(storageKey, names);
  } catch {
    // A browser that stores nothing still has the choice in the address.
  }
}

/** The choice of columns. */
export function ColumnMenu({ known, shown, onChange }: ColumnMenuOptions) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  useKeys(isOpen ? [{ keys: 'Escape', does: 'Close the choice of columns', run: close }] : []);
  const names = new Set(shown.map(({ name }) => name));
  const toggle = (name: string): void => {
    const next = new Set(names);
    if (!next.delete(name)) next.add(name);
    if (next.size === 0) return;
    const text = known.flatMap((column) => (next.has(column.name) ? [column.name] : [])).join(',');
    remember(text);
    onChange(text);
  };
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)} className="relative">
      <summary
        ref={button}
        className="flex h-8 cursor-pointer items-center rounded-md border border-line px-3 font-medium hover:bg-hover"
      >
        Columns
      </summary>
      <fieldset className="absolute right-0 z-2 mt-1 max-h-[70vh] w-56 overflow-y-auto rounded-lg border border-line bg-page p-3 shadow-lg">
        <legend className="sr-only">Columns</legend>
        {known.map(({ name, title }) => (
          <label key={name} className="flex min-h-6 items-center gap-2">
            <input
              type="checkbox"
              checked={names.has(name)}
              onChange={() => toggle(name)}
              className="size-4 shrink-0 accent-accent"
            />
            <span className="truncate">
              <PlainText text={title} />
            </span>
          </label>
        ))}
      </fieldset>
    </details>
  );
}
