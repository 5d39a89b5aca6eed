import { firstUnits } from '../../lib/terminal-text.ts';
import { type Expected, expectedToolName, gradedDocument } from '../../schema/case.ts';
import { block, labelled } from './labelled.ts';
import { joined, type Line, span } from './line.ts';

const mostLines = 60;
const longestList = 4000;

/** What a good answer holds, of a case or of one of its turns; nothing where nothing is expected. */
export function expectedLines(expected: Expected, width: number): Line[] {
  const answers = [expected.answer ?? []].flat();
  const lists: [string, readonly string[] | undefined][] = [
    ['tools', expected.tools?.map(expectedToolName)],
    ['keywords', expected.keywords],
    ['entities', expected.entities],
    ['documents', expected.documents?.map((document) => gradedDocument(document).id)],
    ['not', expected.forbidden],
  ];
  const wanted = lists.flatMap(([name, items = []]) =>
    items.length === 0 ? [] : [[span(`${name} `, 'quiet'), span(firstUnits(items.join(', '), longestList))]],
  );
  if (expected.tools?.length === 0) wanted.push([span('no tool')]);
  if (expected.refusal === true) wanted.push([span('a refusal')]);
  const labels = answers.map((_, index) => (index === 0 ? 'Expected' : 'or'));
  return [
    ...answers.flatMap((answer, index) => block(labels[index] ?? '', answer, { width, most: mostLines })),
    ...(wanted.length === 0 ? [] : labelled(answers.length === 0 ? 'Expected' : '', joined(wanted), width)),
    ...(['calls', 'state'] as const).flatMap((part) => {
      const value = expected[part];
      return value === undefined ? [] : block(`in ${part}`, JSON.stringify(value), { width, most: 4 });
    }),
  ];
}
