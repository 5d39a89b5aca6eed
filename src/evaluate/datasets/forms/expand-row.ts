import type { DatasetRow } from '../dataset.ts';
import { type Fields, isFields } from '../fields.ts';
import { holdsQuestion } from './whole-object.ts';

/** The names under which a group of cases contains them. */
const groupNames = ['questions', 'cases', 'test_cases', 'tests', 'examples', 'items', 'qas', 'evals'];
/** The names of a group, which is the category of its cases. */
const titles = ['category', 'name', 'title', 'topic', 'group', 'suite', 'section', 'id'];

/**
 * Yields the cases of a row: the row itself, or the cases of a group (`{ category, questions: […] }`), whose name is their
 * category and whose other fields go with each, or the rows of an article of SQuAD (`{ title, paragraphs: [{ context, qas }] }`).
 */
export function* expandRow(row: DatasetRow): Generator<DatasetRow> {
  const { value } = row;
  if (row.problem !== undefined || !isFields(value) || holdsQuestion(value)) {
    yield row;
    return;
  }
  const { paragraphs } = value;
  if (Array.isArray(paragraphs) && paragraphs.length > 0 && paragraphs.every(isParagraph)) {
    yield* casesOfArticle(row, value, paragraphs);
    return;
  }
  const name = groupNames.find((each) => isCases(value[each]));
  if (name === undefined) yield row;
  else yield* casesOf(row, { path: [name], group: value, list: value[name] as Fields[] });
}

function isCases(list: unknown): list is Fields[] {
  return Array.isArray(list) && list.length > 0 && list.every(holdsQuestion);
}

interface Paragraph extends Fields {
  readonly qas: Fields[];
}

function isParagraph(value: unknown): value is Paragraph {
  return isFields(value) && isCases(value['qas']);
}

function* casesOfArticle(
  row: DatasetRow,
  { title }: Fields,
  paragraphs: readonly Paragraph[],
): Generator<DatasetRow> {
  for (const [index, { qas, ...paragraph }] of paragraphs.entries()) {
    const group = { ...(title !== undefined && { category: title }), ...paragraph };
    yield* casesOf(row, { path: ['paragraphs', index, 'qas'], group: { ...group, qas }, list: qas });
  }
}

interface Group {
  readonly path: readonly PropertyKey[];
  readonly group: Fields;
  readonly list: readonly Fields[];
}

function* casesOf(row: DatasetRow, { path, group, list }: Group): Generator<DatasetRow> {
  const title = titles.find((name) => typeof group[name] === 'string');
  const shared = Object.fromEntries(
    Object.entries(group).filter(([name, value]) => value !== list && name !== title),
  );
  const category = title === undefined ? {} : { category: group[title] };
  for (const [index, each] of list.entries()) {
    yield {
      value: { ...shared, ...category, ...each },
      place: row.locate([...path, index]),
      locate: (inner) => row.locate([...path, index, ...inner]),
    };
  }
}
