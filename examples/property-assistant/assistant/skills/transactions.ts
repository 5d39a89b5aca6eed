import { nameMonth } from '../find-periods.ts';
import { formatDate, formatDollars } from '../format-value.ts';
import { selectGroups, selectRows, selectTotal } from '../select-transactions.ts';
import type { Signal, Skill } from '../skill.ts';
import type { Toolbox } from '../toolbox.ts';
import type { Cell, Row } from '../tools/query-database.ts';
import { categoryTerms, readTransactionRequest, type TransactionRequest } from '../transaction-request.ts';
import type { Vocabulary } from '../vocabulary.ts';

const listedWithTotal = 6;
const listLimit = 12;

const signals: Signal[] = [
  ['transaction', 3],
  ['transactions', 3],
  ['income', 2],
  ['expense', 2],
  ['expenses', 2],
  ['spend', 2],
  ['pay', 2],
  ['paid', 2],
  ['payments', 2],
  ['cost', 2],
  ['net', 2],
  ['cash flow', 2],
  ['how much', 1],
  ['average', 1],
  ['by month', 1],
  ['by category', 1],
  ...Object.values(categoryTerms).flatMap((terms) => terms.map((term): Signal => [term, 1])),
];

/** Sums, counts, averages, groups and lists transactions. */
export function createTransactions(vocabulary: Vocabulary): Skill {
  return {
    name: 'transactions',
    signals,
    async answer(question, toolbox) {
      const request = readTransactionRequest(question, vocabulary);
      if (request.groupBy !== undefined) return answerGroups(request, toolbox);
      if (request.measure === 'largest') return answerLargest(request, toolbox);
      return answerTotal(request, toolbox);
    },
  };
}

async function answerTotal(request: TransactionRequest, toolbox: Toolbox): Promise<string> {
  const [{ count = 0, total = 0 } = {}] = await toolbox.query(selectTotal(request));
  if (count === 0) return `I found no ${describe(request)}.`;
  if (request.measure === 'count') return `Number of ${describe(request)}: ${count}.`;
  if (request.measure === 'average') {
    const mean = formatDollars(roundCents(Number(total) / Number(count)));
    return `The average of ${describe(request)} is ${mean} over ${countRows(count)}.`;
  }
  if (request.measure === 'net')
    return `Income less expenses${inPeriods(request)} is ${formatDollars(total)}.`;
  const opening = `The total of ${describe(request)} is ${formatDollars(total)} (${countRows(count)})`;
  const limit = request.measure === 'list' ? listLimit : listedWithTotal;
  if (Number(count) > limit) return `${opening}.`;
  const rows = await toolbox.query(selectRows(request, limit));
  return [`${opening}:`, ...rows.map(describeRow)].join('\n');
}

async function answerLargest(request: TransactionRequest, toolbox: Toolbox): Promise<string> {
  const rows = await toolbox.query(selectRows(request, 1));
  return [`The largest of ${describe(request)}:`, ...rows.map(describeRow)].join('\n');
}

async function answerGroups(request: TransactionRequest, toolbox: Toolbox): Promise<string> {
  const groups = await toolbox.query(selectGroups(request));
  const total = roundCents(groups.reduce((sum, group) => sum + Number(group.total), 0));
  if (groups.length === 0) return `I found no ${describe(request)}.`;
  const title = `${capitalize(describe(request))} by ${request.groupBy}`;
  if (request.measure === 'largest') return `${title}, the highest: ${describeGroup(groups[0] ?? {})}.`;
  const lines = groups.map((group) => `- ${describeGroup(group)}`);
  if (request.measure === 'average') {
    const mean = formatDollars(roundCents(total / groups.length));
    return `The average of ${describe(request)} is ${mean} a ${request.groupBy}.`;
  }
  return [`${title}:`, ...lines, `Total: ${formatDollars(total)}`].join('\n');
}

function countRows(count: Cell): string {
  return `${count} transaction${count === 1 ? '' : 's'}`;
}

function describe({
  measure,
  category,
  type,
  counterparty,
  descriptionWord,
  periods,
}: TransactionRequest): string {
  const net = measure === 'net' ? 'income and expenses' : undefined;
  const subject =
    net ?? category?.replaceAll('_', ' ') ?? (type === 'expense' ? 'expenses' : (type ?? 'transactions'));
  const about = descriptionWord === undefined ? '' : ` about "${descriptionWord}"`;
  const party = counterparty === undefined ? '' : ` with ${counterparty}`;
  return `${subject}${about}${party}${inPeriods({ periods })}`;
}

function inPeriods({ periods }: Pick<TransactionRequest, 'periods'>): string {
  return periods.length === 0 ? '' : ` in ${periods.map((period) => period.label).join(' and ')}`;
}

function describeRow(row: Row): string {
  return `- ${formatDate(row.date)}: ${row.description}, ${row.counterparty}, ${formatDollars(row.amount)}`;
}

function describeGroup({ name, total }: Row): string {
  const text = String(name);
  const label = /^\d{4}-\d{2}$/.test(text) ? nameMonth(text) : text.replaceAll('_', ' ');
  return `${label} ${formatDollars(total)}`;
}

function roundCents(amount: number): number {
  return Math.round(amount * 100) / 100;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
