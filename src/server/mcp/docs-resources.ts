import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server';
import { listPages, readPage } from '../../library/find/find-docs.ts';

/** The longest text of a resource, in characters. */
const longestPart = 24_000;
/** The characters reserved for the line that says where a page continues. */
const spare = 200;

/** Adds the pages of the documentation: `touchstone://docs/gate`, and `touchstone://docs/gate/2` for the second part of a long one. */
export function addDocs(server: McpServer): void {
  const template = new ResourceTemplate('touchstone://docs/{+page}', {
    list: () => ({
      resources: listPages().map((page) => ({ uri: uriOf(nameOf(page)), name: nameOf(page), mimeType })),
    }),
  });
  server.registerResource(
    'docs',
    template,
    { description: 'The documentation of this version, page by page.', mimeType },
    (uri) => {
      const [, asked = '', number = '1'] = /^\/?(.*?)(?:\/(\d+))?$/.exec(uri.pathname) ?? [];
      const page = listPages().find((each) => nameOf(each) === asked);
      const part = page === undefined ? undefined : partsOf(readPage(page), asked)[Number(number) - 1];
      if (part === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType, text: part }] };
    },
  );
}

const mimeType = 'text/markdown';

function uriOf(name: string, part = 1): string {
  return `touchstone://docs/${name}${part === 1 ? '' : `/${part}`}`;
}

/** Returns the name of a page: `gate`, `reference/metrics`. */
function nameOf(page: string): string {
  return page.replace(/^docs\//, '').replace(/\.md$/, '');
}

/** Splits a page at ends of lines; each part but the last says where it continues. */
function partsOf(text: string, name: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > longestPart) {
    const most = longestPart - spare;
    const end = rest.lastIndexOf('\n', most) + 1 || most;
    parts.push(`${rest.slice(0, end)}\n(continued at ${uriOf(name, parts.length + 2)})\n`);
    rest = rest.slice(end);
  }
  return [...parts, rest];
}
