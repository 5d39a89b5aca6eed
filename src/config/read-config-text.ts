import { readFile } from 'node:fs/promises';
import { isNode, LineCounter, parseDocument } from 'yaml';
import { messageOf, TouchstoneError } from '../errors.ts';

/** Reads a YAML or JSON config, keeping the place of every setting. JSON is read as the YAML that it is. */
export async function readConfigText(
  file: string,
  shown: string,
): Promise<{ written: unknown; locate: (path: readonly PropertyKey[]) => string }> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new TouchstoneError('config-unreadable', `${shown} cannot be read: ${messageOf(error)}.`);
  });
  const lines = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), { lineCounter: lines, prettyErrors: false });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    throw new TouchstoneError('config-unreadable', `${place(syntaxError.pos[0])}  ${syntaxError.message}`);
  }
  const locate = (path: readonly PropertyKey[]): string => {
    for (let depth = path.length; depth >= 0; depth -= 1) {
      const node = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
      if (isNode(node) && node.range) return place(node.range[0]);
    }
    return shown;
  };
  return { written: document.toJS(), locate };
}
