import type { ReactNode } from 'react';

interface FoldOptions {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part that is opened on demand. */
export function Fold({ title, children }: FoldOptions) {
  return (
    <details>
      <summary className="cursor-pointer text-xs text-quiet hover:text-text">{title}</summary>
      <div className="mt-1 border-l-2 border-line pl-3 text-quiet">{children}</div>
    </details>
  );
}
