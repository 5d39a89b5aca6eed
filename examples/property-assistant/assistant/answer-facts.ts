import type { Question } from './question.ts';
import type { Toolbox } from './toolbox.ts';
import type { Row } from './tools/query-database.ts';

/** Columns of a record, the words that ask for them, and the sentence that tells them. */
export interface Fact {
  terms: string[];
  columns: string[];
  say(row: Row): string;
}

/** A table with one record per thing, and the facts it can tell. */
export interface FactSheet {
  table: string;
  facts: Fact[];
  /** Told when the question names no fact. */
  summary: Fact;
}

/** Selects the columns that the question asks for and tells them, a sentence a fact. */
export async function answerFacts(question: Question, toolbox: Toolbox, sheet: FactSheet): Promise<string> {
  const asked = sheet.facts.filter((fact) => question.hasAny(fact.terms));
  const told = asked.length > 0 ? asked : [sheet.summary];
  const columns = [...new Set(told.flatMap((fact) => fact.columns))];
  const sql = `SELECT ${columns.join(', ')} FROM ${sheet.table} ORDER BY id`;
  const rows = await toolbox.query({ sql, parameters: [] });
  return rows.flatMap((row) => told.map((fact) => fact.say(row))).join(' ');
}
