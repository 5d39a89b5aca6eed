import type { Cell, DatabaseQuery } from './tools/query-database.ts';
import type { TransactionRequest } from './transaction-request.ts';

const groupColumns: Record<NonNullable<TransactionRequest['groupBy']>, string> = {
  month: "strftime('%Y-%m', date)",
  quarter: "strftime('%Y', date) || ' Q' || ((strftime('%m', date) + 2) / 3)",
  year: "strftime('%Y', date)",
  category: 'category',
};

const signed = "CASE type WHEN 'income' THEN amount WHEN 'expense' THEN -amount END";

/** Number and sum of the transactions asked for; for a net figure the sum is income less expenses. */
export function selectTotal(request: TransactionRequest): DatabaseQuery {
  const amount = request.measure === 'net' ? signed : 'amount';
  return select(`COUNT(*) AS count, ROUND(SUM(${amount}), 2) AS total`, request);
}

/** The transactions asked for, one a row, oldest first or largest first. */
export function selectRows(request: TransactionRequest, limit: number): DatabaseQuery {
  const order = request.measure === 'largest' ? 'amount DESC, id' : 'date, id';
  return select('date, description, counterparty, amount', request, `ORDER BY ${order} LIMIT ${limit}`);
}

/** One row a group with its sum; by time in order of time, by category the largest first. */
export function selectGroups(request: TransactionRequest): DatabaseQuery {
  const column = groupColumns[request.groupBy ?? 'month'];
  const amount = request.measure === 'net' ? signed : 'amount';
  const order = request.measure === 'largest' || request.groupBy === 'category' ? 'total DESC' : '1';
  const columns = `${column} AS name, ROUND(SUM(${amount}), 2) AS total`;
  return select(columns, request, `GROUP BY 1 ORDER BY ${order}`);
}

function select(columns: string, request: TransactionRequest, ending = ''): DatabaseQuery {
  const parameters: Cell[] = [];
  const conditions: string[] = [];
  const equal = { category: request.category, type: request.type, counterparty: request.counterparty };
  for (const [column, value] of Object.entries(equal)) {
    if (value === undefined) continue;
    conditions.push(`${column} = ?`);
    parameters.push(value);
  }
  if (request.descriptionWord !== undefined) {
    conditions.push('description LIKE ?');
    parameters.push(`%${request.descriptionWord}%`);
  }
  if (request.periods.length > 0) {
    conditions.push(`(${request.periods.map(() => 'date BETWEEN ? AND ?').join(' OR ')})`);
    parameters.push(...request.periods.flatMap((period) => [period.from, period.to]));
  }
  const where = conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '';
  return { sql: `SELECT ${columns} FROM transactions${where} ${ending}`.trim(), parameters };
}
