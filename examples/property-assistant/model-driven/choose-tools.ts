import { findPeriods } from '../assistant/find-periods.ts';

/** A tool with its arguments, as a model asks for it. */
export interface ToolChoice {
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** When the books end: what "last month" is counted from. */
const today = '2025-10-15';

const tables: readonly (readonly [pattern: RegExp, write: (question: string) => string])[] = [
  [
    /\b(rent|income|revenue|expenses?|spen[dt]|paid|pay|cost us|fees?|transactions?|contribut\w+|repairs?)\b/i,
    sumTransactions,
  ],
  [
    /\b(address|built|units?|bedrooms|parcel|acres?|land|basis|purchase price|triplex|propert(y|ies) do we)\b/i,
    () => 'SELECT * FROM properties',
  ],
  [
    /\b(due|overdue|deadlines?|renewed|file the|obligations?)\b/i,
    () => "SELECT name, due_date, amount, status FROM obligations WHERE status <> 'done' ORDER BY due_date",
  ],
  [/\b(ein|formed|secretary of state|taxed)\b/i, () => 'SELECT * FROM company'],
];

/**
 * Chooses tools for a question by a few patterns: the catalogue for questions about which documents there are, the first
 * table whose words occur, and the documents for all that is left.
 */
export function chooseTools(question: string): ToolChoice[] {
  if (/\b(what|which|all) (\w+ )?documents\b/i.test(question))
    return [{ name: 'list_business_documents', arguments: {} }];
  const isAboutText = /\b(agreement|policy|report|minutes|lease|say|allowed|who)\b/i.test(question);
  const write = tables.find(([pattern]) => pattern.test(question))?.[1];
  const query = { name: 'query_database', arguments: { sql: write?.(question) ?? '' } };
  const search = { name: 'search_document_content', arguments: { query: question } };
  if (write === undefined) return [search];
  if (!isAboutText) return [query];
  return /\band\b/i.test(question) ? [query, search] : [search];
}

function sumTransactions(question: string): string {
  const [period] = findPeriods(question, today);
  const category = /\b(insurance|repairs|rental income|management fee|property tax|utilities)/i.exec(
    question,
  )?.[1];
  const type = /\b(rent|income|revenue)\b/i.test(question) ? 'income' : 'expense';
  const conditions = [
    category === undefined ? `type = '${type}'` : `category = '${category.toLowerCase().replace(' ', '_')}'`,
    ...(period === undefined ? [] : [`date BETWEEN '${period.from}' AND '${period.to}'`]),
  ];
  return `SELECT category, COUNT(*) AS count, ROUND(SUM(amount), 2) AS total FROM transactions WHERE ${conditions.join(' AND ')} GROUP BY category`;
}
