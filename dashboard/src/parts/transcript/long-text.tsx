import { createContext, useContext, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { readJsonText } from '../../../../src/core/lib/text/read-json-text.ts';
import { formatJson } from '../../../../src/core/lib/text/format-json.ts';
import { firstUnits } from '../../../../src/core/lib/text/terminal-text.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { splitAtEvidence } from '../../../../src/look/report/rows/verdict-rows.ts';
import { type Cut, trialPartSchema } from '../../../../src/core/schema/api/trial-view.ts';
import type { Json } from '../../../../src/core/schema/json.ts';
import { useData } from '../../data/data-source.ts';
import { withParameters } from '../../data/use-answer.ts';
import { ErrorPanel } from '../error-panel.tsx';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import { MarkedText } from '../markdown/marked-text.tsx';

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

interface LongTextOptions {
  readonly text: string;
  /** The place in the trial, as a JSON pointer. */
  readonly path: string;
  /** Texts to mark where they occur. */
  readonly marks?: readonly string[];
  readonly isCode?: boolean;
  /** True to show its Markdown with its format. */
  readonly isFormatted?: boolean;
}

/** A text from outside, folded when it is long. What was not sent is shown on demand, or downloaded. */
export function LongText({ text, path, marks = [], isCode = false, isFormatted = false }: LongTextOptions) {
  const [isOpen, setOpen] = useState(false);
  const { whole, cut, showAll, failure } = useWhole(path);
  const said = whole ?? text;
  const { text: named, pictures } = useMemo(
    () => findPictures(said, cut !== undefined && whole === undefined),
    [said, cut, whole],
  );
  const { available, isLaidOut, isMono, button } = useLaidOut(named, isCode);
  const folded = foldText(available);
  const isLong = folded.length < available.length;
  const isFolded = isLong && !isOpen;
  const shown = isFolded ? folded : available;
  const fold = useRef<HTMLButtonElement>(null);
  // The button that got the whole text is gone.
  useLayoutEffect(() => {
    if (whole !== undefined && document.activeElement === document.body) fold.current?.focus();
  }, [whole]);
  return (
    <div className={isMono ? 'font-mono text-xs' : ''}>
      <ShownText
        text={shown}
        marks={marks}
        isFormatted={isFormatted && !isLaidOut}
        isMore={isFolded || cut !== undefined}
      />
      <DataPictures pictures={pictures} />
      <div className="flex gap-4 font-sans text-xs">
        {isLong && (
          <button ref={fold} type="button" className="link" onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : `Show ${formatCount(available.length)} characters`}
          </button>
        )}
        {button}
        {!isFolded && cut !== undefined && <WholeText cut={cut} path={path} onShow={showAll} />}
      </div>
      <ErrorPanel error={failure} />
    </div>
  );
}

/** Lays out a text that is JSON, with the button that shows it as it was said. */
function useLaidOut(said: string, isCode: boolean) {
  const [isRaw, setRaw] = useState(false);
  const laidOut = useMemo(() => (isCode ? undefined : readJsonText(said, jsonWidth)), [isCode, said]);
  const isLaidOut = laidOut !== undefined && !isRaw;
  const button = laidOut !== undefined && laidOut !== said && (
    <button type="button" className="link min-h-7" onClick={() => setRaw(!isRaw)}>
      {isRaw ? 'Lay out the JSON' : 'As it was said'}
    </button>
  );
  return { available: isLaidOut ? laidOut : said, isLaidOut, isMono: isCode || isLaidOut, button };
}

interface ShownTextOptions {
  readonly text: string;
  readonly marks: readonly string[];
  readonly isFormatted: boolean;
  /** True where the text goes on. */
  readonly isMore: boolean;
}

/** A text with its marks, as it is or with the format of its Markdown. */
function ShownText({ text, marks, isFormatted, isMore }: ShownTextOptions) {
  const more = isMore && <span className="text-quiet"> …</span>;
  if (isFormatted)
    return (
      <div className="wrap-anywhere">
        <MarkdownText text={text} marks={marks} />
        {more}
      </div>
    );
  return (
    <div className="wrap-anywhere whitespace-pre-wrap">
      <MarkedText spans={splitAtEvidence(text, marks)} />
      {more}
    </div>
  );
}

interface WholeTextOptions {
  readonly cut: Cut;
  readonly path: string;
  readonly onShow: () => void;
}

/** The ways to a text that was not sent whole. */
function WholeText({ cut, path, onShow }: WholeTextOptions) {
  const { path: trial } = useContext(SourceContext);
  const size = cut.path === path ? ` ${formatCount(cut.length)}` : '';
  return (
    <>
      {cut.length <= lengths.shown && (
        <button type="button" className="link" onClick={onShow}>
          Show all{size}
        </button>
      )}
      <a className="link" href={`/api${withParameters(`${trial}/part`, { path, download: '1' })}`}>
        Download all{size}
      </a>
    </>
  );
}

/** Returns whether a text was cut. */
export function useIsCut(path: string): boolean {
  return useContext(SourceContext).cuts.some((cut) => cut.path === path);
}

/** Finds out whether a text was cut, itself or a part of it, and gets the whole on demand. */
function useWhole(path: string) {
  const source = useData();
  const { path: trial, cuts } = useContext(SourceContext);
  const [whole, setWhole] = useState<string>();
  const [failure, setFailure] = useState<unknown>();
  const cut =
    cuts.find((each) => each.path === path) ?? cuts.find((each) => each.path.startsWith(`${path}/`));
  const ask = async (): Promise<void> => {
    try {
      const { value } = trialPartSchema.parse(await source.get(withParameters(`${trial}/part`, { path })));
      setWhole(typeof value === 'string' ? value : formatJson(value, jsonWidth));
    } catch (error) {
      setFailure(error);
    }
  };
  return {
    whole,
    /** Undefined once the whole is there. */
    cut: whole === undefined ? cut : undefined,
    showAll: () => void ask(),
    failure,
  };
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

/** A picture in a text: an address that has the whole of it, of a type that a browser only draws. */
const dataPicture = /data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]{64,}={0,2}/g;

/** The most pictures of a text that are shown. */
const mostPictures = 8;

/**
 * Returns a text with the pictures that it spells out, each named by its type and size in its place.
 * @param isCut - True where the text goes on: a picture at its end is not whole, and left as it is.
 */
export function findPictures(text: string, isCut: boolean): { text: string; pictures: string[] } {
  const pictures: string[] = [];
  if (!text.includes('data:image/')) return { text, pictures };
  const named = text.replaceAll(dataPicture, (address: string, type: string, at: number) => {
    const isWhole = !isCut || at + address.length < text.length;
    if (!isWhole || pictures.length === mostPictures) return address;
    pictures.push(address);
    return `[picture ${pictures.length}: ${type}, ${formatCount(address.length)} characters]`;
  });
  return { text: named, pictures };
}

/** The pictures of a text, in its order. */
function DataPictures({ pictures }: { readonly pictures: readonly string[] }) {
  return pictures.map((address, index) => (
    <img
      key={index}
      src={address}
      alt={`Picture ${index + 1} of the text`}
      className="mt-2 max-h-80 max-w-full rounded border border-line"
    />
  ));
}
