import type { Document, LineCounter, Node, YAMLError } from 'yaml';
import { formatPlace, messageOf, type Place, TouchstoneError } from '../../core/errors.ts';
import { anyAliases, boundedYaml } from '../../core/lib/yaml/bounded-yaml.ts';
import { explainYaml } from '../../core/lib/yaml/explain-yaml.ts';
import { unpackNumbers } from '../../core/lib/json/pack-numbers.ts';
import { packYamlNumbers } from '../../core/lib/json/yaml-numbers.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { DatasetReader, DatasetRow } from './dataset.ts';
import { isFields } from './fields.ts';
import { pathToCases, rowsOfObject, toRow as toDatasetRow } from './forms/whole-object.ts';
import { requireWrapperKey } from './json/wrapper-key.ts';

type Library = typeof import('yaml');

/** A YAML document with what is needed to find places in it. */
interface Opened {
  readonly library: Library;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
  readonly file: string;
  readonly text: string;
  /** True when `packYamlNumbers` has packed some. */
  readonly isPacked: boolean;
}

/**
 * The reader of YAML: a list of cases, an object with the list under a name such as `cases`, or one document a case.
 */
export const yaml: DatasetReader = {
  name: 'yaml',
  extensions: ['.yaml', '.yml'],
  async *read(source) {
    const library = await import('yaml');
    const lines = new library.LineCounter();
    const read: string[] = [];
    for await (const piece of source.read()) read.push(piece);
    const text = read.join('');
    const parsed = library.parseAllDocuments(text, {
      lineCounter: lines,
      prettyErrors: false,
      merge: true,
    });
    const documents =
      'empty' in parsed
        ? []
        : parsed.filter((document) => document.errors.length > 0 || !isEmpty(library, document.contents));
    for (const document of documents) {
      const isPacked = packYamlNumbers(library, document);
      const opened = { library, document, lines, file: source.name, text, isPacked };
      if (document.errors[0]) refuse(opened, document.errors[0]);
      yield* readDocument(opened, documents.length > 1);
    }
  },
};

function isEmpty({ isScalar }: Library, contents: unknown): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function* readDocument(opened: Opened, isOneOfSeveral: boolean): Generator<DatasetRow> {
  const { library, document } = opened;
  const { contents } = document;
  if (library.isSeq(contents)) {
    for (const index of contents.items.keys()) yield toRow(opened, [index]);
  } else if (isOneOfSeveral) {
    yield toRow(opened, []);
  } else {
    const value = valueOf(opened, contents);
    const path = pathToCases(value);
    const rows = path === undefined && isFields(value) ? rowsOfObject(value) : undefined;
    if (rows !== undefined) {
      yield* rows.map((row) => toDatasetRow(row, (inner) => placeOf(opened, inner)));
      return;
    }
    const cases = path ?? [requireWrapperKey(value, placeOf(opened, []))];
    const list = valueOf(opened, document.getIn(cases, true));
    const { length } = Array.isArray(list) ? list : [];
    for (let index = 0; index < length; index += 1) yield toRow(opened, [...cases, index]);
  }
}

function toRow(opened: Opened, at: readonly PropertyKey[]): DatasetRow {
  const value = valueOf(opened, opened.document.getIn(at, true));
  return { value, place: placeOf(opened, at), locate: (path) => placeOf(opened, [...at, ...path]) };
}

/** Returns the plain value of a node. Throws when its aliases would expand it beyond measure. */
function valueOf(opened: Opened, node: unknown): unknown {
  try {
    const isNode = opened.library.isNode(node);
    const value: unknown = isNode ? boundedYaml(node.toJS(opened.document, anyAliases)) : node;
    return opened.isPacked ? unpackNumbers(value) : value;
  } catch (error) {
    const place = placeOf(opened, []);
    throw new TouchstoneError(
      'dataset-invalid',
      `${formatPlace(place)}: ${toTerminalText(messageOf(error))}`,
    );
  }
}

/** Returns the place of the value at a path, or of the innermost value around it that is in the text. */
function placeOf({ library, document, lines, file }: Opened, path: readonly PropertyKey[]): Place {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const offset = library.isNode(node) ? (node as Node).range?.[0] : undefined;
    if (offset !== undefined) return { file, ...positionOf(lines, offset) };
  }
  return { file };
}

function positionOf(lines: LineCounter, offset: number): { line: number; column: number } {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function refuse({ lines, file, text }: Opened, error: YAMLError): never {
  const place = formatPlace({ file, ...positionOf(lines, error.pos[0]) });
  const { message, remedy } = explainYaml(error, text);
  throw new TouchstoneError('dataset-invalid', `${place}: ${toTerminalText(message)}`, {
    remedy,
    cause: error,
  });
}
