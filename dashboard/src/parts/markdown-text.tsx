import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { PlainText } from './plain-text.tsx';

/**
 * A text from outside in Markdown, as React elements made from its tokens. HTML in it stays text, images are named and not
 * loaded, and a link shows the host that it leads to.
 */
export function MarkdownText({ text }: { readonly text: string }) {
  return <div className="space-y-2">{renderAll(lexer(text))}</div>;
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
          <PlainText text={token.text} />
        </pre>
      );
    case 'codespan':
      return (
        <code className="rounded bg-surface px-1 font-mono text-[0.9em]">
          <PlainText text={token.text} />
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
        <PlainText text={token.text} />
      );
    default:
      // HTML, images, escapes and check boxes: as they were written.
      return <PlainText text={token.type === 'escape' ? token.text : token.raw} />;
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
