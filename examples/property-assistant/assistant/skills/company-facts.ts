import { answerFacts, type Fact, type FactSheet } from '../answer-facts.ts';
import { formatDate } from '../format-value.ts';
import type { Signal, Skill } from '../skill.ts';

const formation: Fact = {
  terms: ['formed', 'founded', 'established', 'formation date'],
  columns: ['name', 'state', 'formed_on'],
  say: (row) => `${row.name} was formed in ${row.state} on ${formatDate(row.formed_on)}.`,
};

const facts: Fact[] = [
  {
    terms: ['ein', 'employer identification number', 'tax id', 'taxpayer id'],
    columns: ['name', 'ein'],
    say: (row) => `The EIN of ${row.name} is ${row.ein}.`,
  },
  formation,
  {
    terms: ['entity number', 'entity id', 'secretary of state'],
    columns: ['entity_number'],
    say: (row) => `Its entity number at the Secretary of State is ${row.entity_number}.`,
  },
  {
    terms: ['taxed', 'tax classification', 'partnership'],
    columns: ['taxed_as'],
    say: (row) => `It is taxed as a ${row.taxed_as}.`,
  },
  {
    terms: ['managing member', 'who manages'],
    columns: ['managing_member'],
    say: (row) => `The managing member is ${row.managing_member}.`,
  },
];

const sheet: FactSheet = { table: 'company', facts, summary: formation };

/** Tells what the company record says: EIN, formation, entity number, tax status. */
export const companyFacts: Skill = {
  name: 'company-facts',
  signals: [
    ['poolula', 1],
    ['company', 1],
    ['llc', 1],
    ...facts.flatMap((fact) => fact.terms.map((term): Signal => [term, 2])),
  ],
  answer: (question, toolbox) => answerFacts(question, toolbox, sheet),
};
