import { useRef } from 'react';
import { useIsFile } from '../../data/data-source.ts';
import { withParameters } from '../../data/use-answer.ts';
import { ArrowGroup } from '../../keys/arrow-group.tsx';
import { useKeys } from '../../keys/use-keys.ts';

/** The names of the formats, as their links have them. */
const names = { csv: 'CSV', jsonl: 'JSONL', html: 'report.html' } as const;

interface DownloadLinksOptions {
  /** The address under `/api` that answers with a file. */
  readonly path: string;
  /** The parameters that narrow it as the page is narrowed. */
  readonly choice?: Readonly<Record<string, string | undefined>>;
  readonly formats: readonly (keyof typeof names)[];
}

/** Links to what a page shows as files; nothing in a file, which is one. */
export function DownloadLinks({ path, choice = {}, formats }: DownloadLinksOptions) {
  const isFile = useIsFile();
  const link = useRef<HTMLAnchorElement>(null);
  const [first = 'csv'] = formats;
  const download = {
    keys: 'D',
    does: `Download what is shown as ${names[first]}`,
    run: () => link.current?.click(),
  };
  useKeys(isFile ? [] : [download]);
  if (isFile) return null;
  return (
    <ArrowGroup role="group" aria-label="Download" className="inline-flex items-center gap-x-3 print:hidden">
      <span className="text-quiet">Download</span>
      {formats.map((format) => (
        <a
          key={format}
          ref={format === first ? link : undefined}
          download
          href={`/api${withParameters(path, { format, ...choice })}`}
          className="link inline-flex min-h-8 items-center"
        >
          {names[format]}
        </a>
      ))}
    </ArrowGroup>
  );
}
