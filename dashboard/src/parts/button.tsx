import type { ComponentProps } from 'react';

/** The looks of a button; `danger` is for what cannot be undone. */
const looks = {
  plain: 'border-line bg-page hover:bg-hover',
  main: 'border-accent bg-accent text-page hover:opacity-90',
  danger: 'border-bad text-bad bg-page hover:bg-hover',
} as const;

/** A button. */
export function Button({
  look = 'plain',
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { readonly look?: keyof typeof looks }) {
  return (
    <button
      type="button"
      {...rest}
      className={`inline-flex h-8 items-center gap-1.5 rounded-md border px-3 font-medium disabled:cursor-not-allowed disabled:opacity-50 ${looks[look]}`}
    />
  );
}
