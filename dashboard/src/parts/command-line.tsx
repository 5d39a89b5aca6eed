import { CopyButton } from './copy-button.tsx';

/** A command or a piece of a file to be copied. */
export function CommandLine({ text }: { readonly text: string }) {
  return (
    <div className="flex max-w-3xl items-start gap-3 rounded-md border border-line bg-surface p-2 pl-3">
      <pre className="min-w-0 flex-1 py-1.5 font-mono text-[13px] whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}
