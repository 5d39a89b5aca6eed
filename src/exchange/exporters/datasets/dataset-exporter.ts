import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { ExportedFile } from '../exporter.ts';

/** Writes the cases of a dataset in the form of another tool. */
export interface DatasetExporter {
  /** The name after `--to`. */
  readonly name: string;
  /** The name of the tool as it writes itself. */
  readonly title: string;
  /** Returns the files. What becomes of every part of the cases is counted in the ledger while they are read. */
  write(cases: AsyncIterable<Case>, ledger: Ledger): readonly ExportedFile[];
}

/** A part of a case by its path, such as `user` or `expected.keywords`. */
type PartName = string;

/**
 * Returns the metadata of a case with all parts that the tool has no place for, under `touchstone`, where our own importers
 * find them again. Each is counted.
 * @param placed - The parts that are written elsewhere.
 */
export function metadataOf(testCase: Case, placed: ReadonlySet<PartName>, ledger: Ledger): object {
  const { id, input, expected, metadata, ...others } = testCase;
  const keep = (members: object, prefix: string) =>
    Object.fromEntries(
      Object.entries(members).filter(([name, value]) => {
        const part = `${prefix}${name}`;
        const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0 && prefix === '');
        if (isEmpty || placed.has(part)) return false;
        ledger.keep(part);
        return true;
      }),
    );
  const expectations = keep(expected, 'expected.');
  const own = {
    ...(!placed.has('id') && { id }),
    ...keep({ input, ...others }, ''),
    ...(Object.keys(expectations).length > 0 && { expected: expectations }),
  };
  for (const name of Object.keys(metadata)) ledger.take(`metadata ${name}`, `metadata ${name}`);
  return { ...metadata, ...(Object.keys(own).length > 0 && { touchstone: own }) };
}

/** Yields what each case becomes. */
export async function* mapCases<Row>(
  cases: AsyncIterable<Case>,
  write: (testCase: Case) => Row,
): AsyncGenerator<Row> {
  for await (const testCase of cases) yield write(testCase);
}
