import { useState } from 'react';
import { Button } from './button.tsx';
import { takeFocus } from '../keys/focus.ts';

interface ShowMoreOptions {
  /** Reads the next part of the list; undefined at its end. */
  readonly onMore: (() => void) | undefined;
  /** Says that the whole list is shown, once the button has read the last part. */
  readonly end: string;
}

/** Says on paper, which has no buttons, that a list goes on. */
export function PrintedEnd() {
  return <p className="hidden text-quiet print:block">The list goes on; this is its first part.</p>;
}

/** The button that reads the next part of a list. After its last use, the focus moves to what replaces it. */
export function ShowMore({ onMore, end }: ShowMoreOptions) {
  const [wasUsed, setWasUsed] = useState(false);
  if (onMore === undefined) {
    return wasUsed ? (
      <p tabIndex={-1} ref={takeFocus} className="mt-3 text-xs text-quiet">
        {end}
      </p>
    ) : null;
  }
  const read = (): void => {
    setWasUsed(true);
    onMore();
  };
  return (
    <div className="mt-3">
      <Button onClick={read}>Show more</Button>
      <PrintedEnd />
    </div>
  );
}
