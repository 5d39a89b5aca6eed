import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import { explainJson } from '../datasets/explain-json.ts';
import { scanJson } from '../datasets/scan-json.ts';
import { messageOf, TouchstoneError } from '../errors.ts';
import { explainYaml } from '../lib/explain-yaml.ts';
import type { LocateSetting } from './config-problem.ts';
import { isJson, type ReadConfig } from './config-text.ts';

/** Reads the text of a config as YAML, which JSON is, too, and keeps the place of every setting. */
export function readYamlConfig(text: string, shown: string): ReadConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { offset, message, remedy } =
      isJson(shown) && scanJson(text) !== undefined
        ? explainJson(text, { after: 'the end of the file', end: 'the end of the file' })
        : { offset: fault.pos[0], ...explainYaml(fault, text) };
    throw unreadable(`${placeOf(offset)}: ${message}`, remedy);
  }
  if (document.contents === null)
    throw unreadable(`${shown}: the file is empty`, 'Give it a dataset and targets.');
  const locate: LocateSetting = ({ path, isName = false }) => {
    const offset = isName ? offsetOfName(document, path) : undefined;
    return offset === undefined ? placeOf(offsetOf(document, path)) : placeOf(offset);
  };
  return { written: valueOf(document, shown), locate };
}

function unreadable(message: string, remedy: string | undefined): TouchstoneError {
  return new TouchstoneError('config-unreadable', message, remedy === undefined ? {} : { remedy });
}

/** The plain value. Throws when an alias in it names nothing, or many would grow it beyond all measure. */
function valueOf(document: Document, shown: string): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw unreadable(`${shown}: ${messageOf(error)}`, 'Put a text that begins with * in quotation marks.');
  }
}

/** The offset of the value at a path, or of the innermost value around it that stands in the text. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const node = document.getIn(path.slice(0, depth), true);
    if (isNode(node) && node.range) return node.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}

function offsetOfName(document: Document, path: readonly PropertyKey[]): number | undefined {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const pairs = isMap(parent) ? parent.items : [];
  const key = pairs.map((pair) => pair.key).find((name) => isScalar(name) && name.value === path.at(-1));
  return isScalar(key) ? key.range?.[0] : undefined;
}
