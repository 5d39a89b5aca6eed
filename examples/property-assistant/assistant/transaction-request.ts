import type { Period } from './find-periods.ts';
import type { Question } from './question.ts';
import type { Vocabulary } from './vocabulary.ts';

/** What a question asks of the transactions. */
export interface TransactionRequest {
  measure: 'sum' | 'count' | 'average' | 'largest' | 'net' | 'list';
  groupBy?: 'month' | 'quarter' | 'year' | 'category';
  category?: string;
  type?: string;
  counterparty?: string;
  descriptionWord?: string;
  periods: Period[];
}

/** The categories of transactions with the words that ask for them; the first that matches is taken. */
export const categoryTerms: Record<string, string[]> = {
  management_fee: ['management fee', 'management fees'],
  late_fee: ['late fee', 'late fees'],
  filing_fee: ['filing fee', 'filing fees'],
  professional_fees: ['professional fees', 'cpa', 'attorney', 'legal fees'],
  property_tax: ['property tax', 'property taxes'],
  hoa_dues: ['hoa', 'dues'],
  insurance: ['insurance'],
  utilities: ['utilities', 'utility', 'water', 'trash'],
  repairs: ['repairs', 'repair'],
  furnishings: ['furnishings', 'furniture'],
  owner_contribution: ['contribution', 'contributions', 'contribute', 'contributed'],
  owner_distribution: ['distribution', 'distributions'],
  rental_income: ['rental income', 'rent', 'rents', 'rental'],
};

const typeTerms: Record<string, string[]> = {
  income: ['income', 'receive', 'received'],
  expense: ['expense', 'expenses', 'cost', 'costs', 'pay', 'paid', 'spend', 'spent'],
};

const measureTerms: [TransactionRequest['measure'], string[]][] = [
  ['count', ['how many']],
  ['average', ['average', 'mean']],
  ['largest', ['biggest', 'largest', 'highest', 'most']],
  ['net', ['net', 'profit', 'cash flow']],
  ['list', ['list', 'which', 'when', 'payments']],
];

const groupTerms: Record<NonNullable<TransactionRequest['groupBy']>, string[]> = {
  month: ['by month', 'per month', 'monthly', 'each month', 'which month'],
  quarter: ['by quarter', 'per quarter', 'quarterly', 'each quarter'],
  year: ['by year', 'per year', 'yearly', 'each year', 'which year'],
  category: ['by category', 'per category', 'categories', 'which category', 'break down'],
};

/** Reads from a question what to select, how to group it and what to compute. */
export function readTransactionRequest(question: Question, vocabulary: Vocabulary): TransactionRequest {
  const category = findKey(question, categoryTerms);
  const counterparty = vocabulary.counterparties.find((name) => question.has(name));
  const isNamed = category !== undefined || counterparty !== undefined;
  const word = counterparty === undefined ? vocabulary.descriptionWords.find(question.has) : undefined;
  const groupBy = findKey(question, groupTerms) ?? (question.periods.length > 1 ? 'year' : undefined);
  const measure = measureTerms.find(([, terms]) => question.hasAny(terms))?.[0] ?? 'sum';
  const type = isNamed || measure === 'net' ? undefined : findKey(question, typeTerms);
  return {
    measure,
    periods: question.periods,
    ...(groupBy && { groupBy }),
    ...(category && { category }),
    ...(type && { type }),
    ...(counterparty && { counterparty }),
    ...(word && { descriptionWord: word }),
  };
}

function findKey<Key extends string>(question: Question, terms: Record<Key, string[]>): Key | undefined {
  return (Object.keys(terms) as Key[]).find((key) => question.hasAny(terms[key]));
}
