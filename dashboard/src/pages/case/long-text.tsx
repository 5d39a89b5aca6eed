import { createContext, useContext, useState } from 'react';
import { formatJson } from '../../../../src/lib/text/format-json.ts';
import { firstUnits } from '../../../../src/lib/text/terminal-text.ts';
import { formatCount } from '../../../../src/report/format.ts';
import { splitAtEvidence } from '../../../../src/report/verdict-rows.ts';
import type { Cut } from '../../../../src/schema/api/trial-view.ts';
import { trialPartSchema } from '../../../../src/schema/api/trial-view.ts';
import type { Json } from '../../../../src/schema/json.ts';
import { useData } from '../../data/data-source.ts';
import { withParameters } from '../../data/use-answer.ts';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

/** The texts of a trial that were not sent whole, and where they are to be had. */
interface Source {
  /** The address of the trial under `/api`. */
  readonly path: string;
  readonly cuts: readonly Cut[];
}

const SourceContext = createContext<Source>({ path: '', cuts: [] });

/** Provides what was cut of the texts inside. */
export const SourceProvider = SourceContext.Provider;

/** The characters of a text that are shown at first, and the most that a page shows at all. */
const lengths = { folded: 1_500, lines: 24, shown: 1_000_000 };

/** The characters of a line of JSON. */
const jsonWidth = 64;

/** The options of {@link LongText}. */
interface LongTextOptions {
  readonly text: string;
  /** The place in the trial, as a JSON pointer. */
  readonly path: string;
  /** Texts to mark where they occur. */
  readonly marks?: readonly string[] | undefined;
  readonly isCode?: boolean;
}

/** A text from outside, folded when it is long. What was not sent is shown on demand, or downloaded. */
export function LongText({ text, path, marks = [], isCode = false }: LongTextOptions) {
  const source = useData();
  const { path: trial, cuts } = useContext(SourceContext);
  const [isOpen, setOpen] = useState(false);
  const [whole, setWhole] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const cut = cuts.find((each) => each.path === path);
  const within = cut ?? cuts.find((each) => each.path.startsWith(`${path}/`));
  const available = whole ?? text;
  const folded = foldText(available);
  const isFolded = !isOpen && folded.length < available.length;
  const shown = isFolded ? folded : available;
  const isCut = within !== undefined && whole === undefined;
  const showAll = async (): Promise<void> => {
    try {
      const { value } = trialPartSchema.parse(await source.get(withParameters(`${trial}/part`, { path })));
      setWhole(typeof value === 'string' ? value : formatJson(value, jsonWidth));
    } catch (error) {
      setFailure(error);
    }
  };
  const buttonClass = 'link text-xs';
  return (
    <div className={isCode ? 'font-mono text-xs' : ''}>
      <div className="wrap-anywhere whitespace-pre-wrap">
        {splitAtEvidence(shown, marks).map(({ text: piece, isEvidence }, index) =>
          isEvidence ? (
            <mark key={index} className="rounded-sm bg-mark text-text">
              <PlainText text={piece} />
            </mark>
          ) : (
            <PlainText key={index} text={piece} />
          ),
        )}
        {(isFolded || isCut) && <span className="text-quiet"> …</span>}
      </div>
      <div className="flex gap-4 font-sans">
        {isFolded && (
          <button type="button" className={buttonClass} onClick={() => setOpen(true)}>
            Show {formatCount(available.length)} characters
          </button>
        )}
        {!isFolded && isOpen && (
          <button type="button" className={buttonClass} onClick={() => setOpen(false)}>
            Show less
          </button>
        )}
        {isCut && !isFolded && (
          <>
            {within.length <= lengths.shown && (
              <button type="button" className={buttonClass} onClick={() => void showAll()}>
                {cut === undefined || typeof text !== 'string'
                  ? 'Show all'
                  : `Show all (${formatCount(cut.length)})`}
              </button>
            )}
            <a
              className={buttonClass}
              href={`/api${withParameters(`${trial}/part`, { path, download: '1' })}`}
            >
              Download
            </a>
          </>
        )}
      </div>
      {failure !== undefined && <ErrorPanel error={failure} />}
    </div>
  );
}

/** Returns the beginning of a long text. */
function foldText(text: string): string {
  const start = firstUnits(text, lengths.folded);
  const lines = start.split('\n');
  return lines.length > lengths.lines ? lines.slice(0, lengths.lines).join('\n') : start;
}

/** A JSON value from outside: a text as it is, anything else as JSON. */
export function JsonText({ value, path }: { readonly value: Json; readonly path: string }) {
  return (
    <LongText
      text={typeof value === 'string' ? value : formatJson(value, jsonWidth)}
      path={path}
      isCode={typeof value !== 'string'}
    />
  );
}
