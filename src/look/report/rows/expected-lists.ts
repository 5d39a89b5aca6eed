import { type Expected, expectedToolName, gradedDocument } from '../../../core/schema/expected.ts';

/** A list of things that a good answer contains, or uses; `items` is empty for a fact that needs no list, such as a refusal. */
export interface ExpectedList {
  readonly name: string;
  readonly items: readonly string[];
}

/** Lists the expectations of a case, or of one of its turns, besides the expected answer. */
export function listExpected(expected: Expected): ExpectedList[] {
  const lists: [string, readonly string[] | undefined][] = [
    ['tools', expected.tools?.map(expectedToolName)],
    ['keywords', expected.keywords],
    ['entities', expected.entities],
    ['documents', expected.documents?.map((document) => gradedDocument(document).id)],
    ['not', expected.forbidden],
  ];
  return [
    ...lists.flatMap(([name, items = []]) => (items.length === 0 ? [] : [{ name, items }])),
    ...(expected.tools?.length === 0 ? [{ name: 'no tool', items: [] }] : []),
    ...(expected.refusal === true ? [{ name: 'a refusal', items: [] }] : []),
  ];
}
