import type { Span } from '../../../schema/message.ts';
import { type Fields, numbered, textOf } from './attribute-values.ts';

/** What somebody found out about an answer: a number or a word. */
type Finding = readonly [name: string, value: number | string];

/**
 * What the spans say of the quality of the answer, by name: events of OpenTelemetry, annotations and evaluations of
 * OpenInference. The number where there is one, else the label. Undefined when there is nothing.
 */
export function evaluationsIn(spans: readonly Span[]): Record<string, number | string> | undefined {
  const findings = spans.flatMap((span) => [...fromEvents(span), ...fromAttributes(span)]);
  return findings.length === 0 ? undefined : Object.fromEntries(findings);
}

function fromEvents({ events }: Span): Finding[] {
  return events
    .filter(({ name }) => name === 'gen_ai.evaluation.result')
    .flatMap(({ attributes }) => toFinding(attributes, 'gen_ai.evaluation', ['score.value', 'score.label']));
}

const lists = ['annotation', 'evaluation'].flatMap((word) =>
  ['', 'trace.', 'session.'].map((scope) => [`${scope}${word}s`, word] as const),
);

function fromAttributes({ attributes }: Span): Finding[] {
  return lists.flatMap(([prefix, word]) =>
    numbered(attributes, prefix).flatMap((object) => toFinding(object, word, ['score', 'label'])),
  );
}

function toFinding(object: Fields, prefix: string, [score, label]: readonly [string, string]): Finding[] {
  const name = textOf(object, [`${prefix}.name`]);
  const number = object[`${prefix}.${score}`];
  const found = typeof number === 'number' ? number : textOf(object, [`${prefix}.${label}`]);
  return name === undefined || found === undefined ? [] : [[name, found]];
}
