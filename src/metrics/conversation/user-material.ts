import type { MetricInput } from '../metric.ts';

/** What the user was to play, as text. */
export function describePart({ case: { user = {} } }: MetricInput): string {
  const { goal, persona, knowledge = [], patience, language } = user;
  const lines = [
    `Goal: ${goal ?? ''}`,
    ...(persona === undefined ? [] : [`Persona: ${persona}`]),
    ...knowledge.map((fact) => `Knows: ${fact}`),
    ...(patience === undefined
      ? []
      : [`Patience: ${typeof patience === 'number' ? `${patience} turns without progress` : patience}`]),
    ...(language === undefined ? [] : [`Language: ${language}`]),
  ];
  return lines.join('\n');
}

/** What the two sides said, and how it ended. */
export function writeTalk({ trial: { transcript, conversation } }: MetricInput): string {
  const said = transcript.flatMap(({ role, content }) => {
    if (content === null || (role !== 'user' && role !== 'assistant')) return [];
    return [`${role === 'user' ? 'user' : 'system'}: ${content}`];
  });
  const { ended = '', reason } = conversation ?? {};
  const end = reason === undefined ? ended : `${ended} (the user: ${reason})`;
  return [...said, `The conversation ended: ${end}`].join('\n\n');
}
