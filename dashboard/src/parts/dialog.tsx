import { type ReactNode, type Ref, useId } from 'react';
import { Button } from './button.tsx';

interface DialogOptions {
  readonly ref: Ref<HTMLDialogElement>;
  readonly title: string;
  /** Called once it is closed, by whatever closes it. */
  readonly onClose?: () => void;
  readonly children: ReactNode;
}

/** A dialog over the page. The browser's own element keeps the focus inside, and returns it; Escape closes. */
export function Dialog({ ref, title, onClose, children }: DialogOptions) {
  const id = useId();
  return (
    <dialog
      ref={ref}
      aria-labelledby={id}
      closedby="any"
      onClose={onClose}
      className="m-auto w-[min(32rem,calc(100vw-2rem))] rounded-lg border border-line bg-page p-5 text-text shadow-xl backdrop:bg-[#0008]"
    >
      <form method="dialog" className="mb-4 flex items-center justify-between">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <Button type="submit">Close</Button>
      </form>
      {children}
    </dialog>
  );
}
