import type { ReactNode } from 'react';

/** The text in place of a list without entries: why it is empty, and how it gets some. */
export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-dashed border-line px-6 py-14 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-lg text-quiet">{children}</div>}
    </div>
  );
}
