import { formatDate, formatDollars } from '../format-value.ts';
import type { Question } from '../question.ts';
import type { Signal, Skill } from '../skill.ts';
import type { Cell, DatabaseQuery, Row } from '../tools/query-database.ts';

const types: Record<string, string[]> = {
  insurance: ['insurance'],
  property_tax: ['property tax'],
  filing: ['periodic report', 'annual report'],
  hoa: ['hoa', 'association'],
  license: ['license'],
  tax_return: ['tax return', '1065', 'partnership return'],
  contract: ['notice'],
  governance: ['annual meeting', 'next meeting'],
  safety: ['alarm', 'alarms'],
  maintenance: ['furnace', 'maintenance'],
};

const listLimit = 5;

/** Tells which obligations are open, when they are due and what they cost. */
export const obligations: Skill = {
  name: 'obligations',
  signals: [
    ['due', 3],
    ['overdue', 4],
    ['deadline', 3],
    ['deadlines', 3],
    ['obligations', 3],
    ['renew', 2],
    ['renewal', 2],
    ['expire', 2],
    ['upcoming', 2],
    ['file', 1],
    ['when', 1],
    ['by what day', 1],
    ...Object.values(types).flatMap((terms) => terms.map((term): Signal => [term, 1])),
  ],
  async answer(question, toolbox) {
    const rows = await toolbox.query(selectObligations(question));
    if (rows.length === 0) return 'There are no open obligations of that kind.';
    const opening = question.has('overdue')
      ? 'Overdue:'
      : `Open obligations as of ${formatDate(question.asOf)}:`;
    return [opening, ...rows.map(describeObligation)].join('\n');
  },
};

function selectObligations(question: Question): DatabaseQuery {
  const named = Object.keys(types).filter((type) => question.hasAny(types[type] ?? []));
  const conditions = ["status = 'open'"];
  const parameters: Cell[] = [];
  if (named.length > 0) {
    conditions.push(`type IN (${named.map(() => '?').join(', ')})`);
    parameters.push(...named);
  }
  conditions.push(question.has('overdue') ? 'due_date < ?' : 'due_date >= ?');
  parameters.push(question.asOf);
  const last = question.periods.at(-1);
  if (last !== undefined) {
    conditions.push('due_date BETWEEN ? AND ?');
    parameters.push(question.periods[0]?.from ?? last.from, last.to);
  }
  const sql = `SELECT name, due_date, amount, payee FROM obligations WHERE ${conditions.join(' AND ')}
    ORDER BY due_date, id LIMIT ${listLimit}`;
  return { sql, parameters };
}

function describeObligation(row: Row): string {
  const amount = row.amount === null ? '' : `, ${formatDollars(row.amount)}`;
  return `- ${row.name}: due ${formatDate(row.due_date)}${amount}, to ${row.payee}`;
}
