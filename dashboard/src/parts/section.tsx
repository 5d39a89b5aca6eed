import { type ReactNode, useId } from 'react';

interface SectionOptions {
  /** The title, which says what the section answers. */
  readonly title: string;
  /** A sentence below the title. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page under a heading. */
export function Section({ title, note, children }: SectionOptions) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="mt-10">
      <h2 id={id} className="text-base font-semibold">
        {title}
      </h2>
      {note !== undefined && <p className="mt-0.5 max-w-prose text-quiet">{note}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
