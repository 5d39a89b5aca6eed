import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { explainJson, isJsonText } from '../../evaluate/datasets/json/explain-json.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { anyAliases, boundedYaml } from '../../core/lib/yaml/bounded-yaml.ts';
import { explainYaml } from '../../core/lib/yaml/explain-yaml.ts';
import { unpackNumbers } from '../../core/lib/json/pack-numbers.ts';
import { packYamlNumbers } from '../../core/lib/json/yaml-numbers.ts';
import { type LocateSetting, isJson, type WrittenConfig } from './config-problem.ts';

/**
 * Parses the text of a config as YAML, of which JSON is a part, and records the place of every setting. Throws
 * `config-unreadable`.
 */
export function readYamlConfig(text: string, shown: string): WrittenConfig {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${shown}:${line}:${col}`;
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { offset, message, remedy } =
      isJson(shown) && !isJsonText(text)
        ? explainJson(text, { after: 'the end of the file', end: 'the end of the file' })
        : { offset: fault.pos[0], ...explainYaml(fault, text) };
    throw unreadable(`${placeOf(offset)}: ${message}`, remedy);
  }
  if (document.contents === null)
    throw unreadable(`${shown}: the file is empty`, 'Give it a dataset and targets.');
  const locate: LocateSetting = async ({ path, isName = false }) => {
    const offset = isName ? offsetOfName(document, path) : undefined;
    return offset === undefined ? placeOf(offsetOf(document, path)) : placeOf(offset);
  };
  return { written: valueOf(document, shown), locate };
}

function unreadable(message: string, remedy: string | undefined): TouchstoneError {
  return new TouchstoneError('config-unreadable', message, remedy === undefined ? {} : { remedy });
}

/** Returns the plain value of a document. Throws `config-unreadable` for an unknown alias, or too many nested aliases. */
function valueOf(document: Document, shown: string): unknown {
  try {
    const isPacked = packYamlNumbers({ visit }, document);
    const value: unknown = boundedYaml(document.toJS(anyAliases));
    return isPacked ? unpackNumbers(value) : value;
  } catch (error) {
    throw unreadable(`${shown}: ${messageOf(error)}`, 'Put texts that begin with * in quotation marks.');
  }
}

/** Returns the offset of the value at a path, or of the innermost value around it that the text contains. */
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
