import type { Case } from '../../schema/case.ts';
import { inputMessages, type Trial } from '../../schema/trial.ts';
import type { Json } from '../../schema/json.ts';
import { listTotals } from './list-totals.ts';

/** Where an answer may take its facts from, beside the question. */
export const sourceKinds = ['documents', 'tool-results', 'context'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The texts of the sources: retrieved documents, tool results, the context of the case. */
export function sourceTexts(
  testCase: Case,
  trial: Trial,
  { sources: kinds, arithmetic }: { readonly sources: readonly SourceKind[]; readonly arithmetic: boolean },
): string[] {
  const texts = [
    ...(kinds.includes('documents') ? (trial.documents ?? []).map(({ text }) => text ?? '') : []),
    ...(kinds.includes('tool-results') ? toolResults(trial, arithmetic) : []),
    ...(kinds.includes('context') ? [testCase.context ?? []].flat() : []),
  ];
  return texts.filter((text) => text.trim() !== '');
}

/** What was put to the target: it may repeat that. */
export function questionTexts(testCase: Case, trial: Trial): string[] {
  const messages = [...inputMessages(testCase.input), ...trial.transcript];
  const asked = messages.filter(({ role }) => role === 'user' || role === 'system');
  return asked.map(({ content }) => content ?? '');
}

function toolResults({ transcript }: Trial, hasArithmetic: boolean): string[] {
  return transcript.flatMap(({ role, content, toolCalls = [] }) => [
    ...(role === 'tool' ? [content ?? ''] : []),
    ...toolCalls.map(({ result = '' }) =>
      [...toLines(result), ...(hasArithmetic ? listTotals(result) : [])].join('\n'),
    ),
  ]);
}

/** JSON as text, one line for each value with its key. */
function toLines(value: Json): string[] {
  if (value === null || typeof value !== 'object') return [String(value)];
  return Object.entries(value).flatMap(([key, member]) =>
    toLines(member).map((line) => (Array.isArray(value) ? line : `${key}: ${line}`)),
  );
}
