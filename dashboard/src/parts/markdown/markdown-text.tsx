import { lexer, type MarkedToken, type Token, type Tokens, walkTokens } from 'marked';
import { createContext, Fragment, type ReactNode, useContext, useMemo } from 'react';
import { splitAtEvidence, type TextSpan } from '../../../../src/look/report/rows/verdict-rows.ts';
import { MarkedText } from './marked-text.tsx';
import { PlainText } from '../plain-text.tsx';

const SpansContext = createContext<SpansOfTokens>(new Map());

/**
 * A text from outside in Markdown, as React elements made from its tokens. HTML in it stays text, images are named and not
 * loaded, and a link shows the host that it leads to. Evidence is marked even where its format changes.
 */
export function MarkdownText({
  text,
  marks = [],
}: {
  readonly text: string;
  readonly marks?: readonly string[];
}) {
  const tokens = useMemo(() => lexer(text), [text]);
  const spans = useMemo(() => markTokens(tokens, marks), [tokens, marks]);
  return (
    <SpansContext value={spans}>
      <div className="space-y-2">{renderAll(tokens)}</div>
    </SpansContext>
  );
}

/** The text of a token without further tokens. */
function TokenText({
  token,
}: {
  readonly token: Tokens.Text | Tokens.Code | Tokens.Codespan | Tokens.Escape;
}) {
  const spans = useContext(SpansContext).get(token);
  return spans === undefined ? <PlainText text={token.text} /> : <MarkedText spans={spans} />;
}

function renderAll(tokens: readonly Token[] = []): ReactNode {
  // Only extensions would make other tokens.
  return tokens.map((token, index) => <Fragment key={index}>{render(token as MarkedToken)}</Fragment>);
}

const inline = {
  strong: (children: ReactNode) => <strong>{children}</strong>,
  em: (children: ReactNode) => <em>{children}</em>,
  del: (children: ReactNode) => <del>{children}</del>,
  blockquote: (children: ReactNode) => (
    <blockquote className="border-l-2 border-line pl-3 text-quiet">{children}</blockquote>
  ),
  paragraph: (children: ReactNode) => <p>{children}</p>,
} as const;

function render(token: MarkedToken): ReactNode {
  switch (token.type) {
    case 'strong':
    case 'em':
    case 'del':
    case 'blockquote':
    case 'paragraph':
      return inline[token.type](renderAll(token.tokens));
    case 'heading':
      // A heading of an answer is not one of the page.
      return <p className="font-semibold">{renderAll(token.tokens)}</p>;
    case 'list':
      return renderList(token);
    case 'table':
      return renderTable(token);
    case 'code':
      return (
        <pre className="overflow-x-auto rounded bg-surface p-3 font-mono text-xs">
          <TokenText token={token} />
        </pre>
      );
    case 'codespan':
      return (
        <code className="rounded bg-surface px-1 font-mono text-[0.9em]">
          <TokenText token={token} />
        </code>
      );
    case 'link':
      return <OutsideLink {...token} />;
    case 'br':
      return <br />;
    case 'hr':
      return <hr className="border-line" />;
    case 'space':
    case 'def':
      return null;
    case 'text':
      return 'tokens' in token && token.tokens !== undefined ? (
        renderAll(token.tokens)
      ) : (
        <TokenText token={token} />
      );
    case 'escape':
      return <TokenText token={token} />;
    default:
      // HTML, images and check boxes: as they were written.
      return <PlainText text={token.raw} />;
  }
}

function renderList({ ordered, start, items }: Tokens.List): ReactNode {
  const entries = items.map(({ tokens }, index) => <li key={index}>{renderAll(tokens)}</li>);
  return ordered ? (
    <ol start={start === '' ? 1 : start} className="list-decimal pl-6">
      {entries}
    </ol>
  ) : (
    <ul className="list-disc pl-6">{entries}</ul>
  );
}

function renderTable({ header, rows }: Tokens.Table): ReactNode {
  const cellClass = 'border border-line px-2 py-1 text-left';
  return (
    <div className="overflow-x-auto">
      <table className="border-collapse">
        <thead>
          <tr>
            {header.map(({ tokens }, index) => (
              <th key={index} className={cellClass}>
                {renderAll(tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map(({ tokens }, column) => (
                <td key={column} className={cellClass}>
                  {renderAll(tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const linkedProtocols = ['http:', 'https:', 'mailto:'];

/** A link to http, https or mail, with the host that it leads to behind its text; any other stays text. */
function OutsideLink({ href, tokens, raw }: Tokens.Link): ReactNode {
  const url = URL.canParse(href) ? new URL(href) : undefined;
  if (url === undefined || !linkedProtocols.includes(url.protocol)) return <PlainText text={raw} />;
  return (
    <a href={url.href} target="_blank" rel="noreferrer noopener" className="link">
      {renderAll(tokens)}
      <span className="text-quiet"> ({url.protocol === 'mailto:' ? 'mail' : url.host})</span>
    </a>
  );
}

/** The parts of the text of each token that contains evidence. */
type SpansOfTokens = ReadonlyMap<Token, readonly TextSpan[]>;

/** The tokens whose text is shown as it is. */
const plain = new Set(['text', 'escape', 'codespan', 'code']);
/** The tokens that belong to the line of the text around them; evidence does not continue beyond others. */
const inLine = new Set([...plain, 'strong', 'em', 'del', 'link', 'html']);

/** Finds evidence in the text of Markdown as a reader sees it, and the parts of it that each token shows. */
function markTokens(tokens: Token[], marks: readonly string[]): SpansOfTokens {
  const spans = new Map<Token, TextSpan[]>();
  if (marks.length === 0) return spans;
  const { text, places } = readText(tokens);
  // Evidence may have been quoted with its format.
  const shown = marks.map((mark) => readText(lexer(mark)).text.trim());
  const quoted = new Set([...marks, ...shown].filter((mark) => mark !== ''));
  let start = 0;
  for (const { text: piece, isEvidence } of splitAtEvidence(text, [...quoted])) {
    const end = start + piece.length;
    for (const [token, from, to] of places) {
      const part = text.slice(Math.max(start, from), Math.min(end, to));
      if (from < end && to > start)
        spans.set(token, [...(spans.get(token) ?? []), { text: part, isEvidence }]);
    }
    start = end;
  }
  return spans;
}

type Place = readonly [token: Token, from: number, to: number];

function cellsOf({ header, rows }: Tokens.Table): Tokens.TableCell[] {
  return [...header, ...rows.flat()];
}

/** Returns the text of all tokens as it is shown, with the place of each token in it. */
function readText(tokens: Token[]): { text: string; places: Place[] } {
  let text = '';
  const places: Place[] = [];
  const firstOfCells = new Set<Token | undefined>();
  void walkTokens(tokens, (token) => {
    if (token.type === 'table')
      for (const cell of cellsOf(token as Tokens.Table)) firstOfCells.add(cell.tokens[0]);
    const isOfNewLine = !inLine.has(token.type) || firstOfCells.has(token);
    if (isOfNewLine && text !== '' && !text.endsWith('\n')) text += '\n';
    if (!plain.has(token.type) || ('tokens' in token && token.tokens !== undefined) || !('text' in token))
      return;
    const shown = String(token.text);
    places.push([token, text.length, text.length + shown.length]);
    text += shown;
  });
  return { text, places };
}
