import { shorten } from '../../lib/terminal-text.ts';
import type { Decision } from '../../schema/summary.ts';
import { flow, indented } from './flow.ts';
import { type Line, span } from './line.ts';

const mostRules = 5;
const longest = 400;

/** Of a run that ended when its gate was decided: the decision, what that saved, and what each rule rests on. */
export function sequentialLines(
  { sequential, outcome, reasons, rules = [] }: Decision,
  width: number,
): Line[] {
  const [first, caution] = reasons;
  if (sequential?.isDecided !== true || first === undefined) return [];
  const word = outcome === 'pass' ? span('PASS', 'good') : span('FAIL', 'bad');
  const told = rules
    .slice(0, mostRules)
    .flatMap(({ name, arithmetic }) =>
      indented([span(shorten(`${name}: ${arithmetic}`, longest), 'quiet')], width, 2),
    );
  const rest = rules.length - mostRules;
  return [
    [],
    ...flow([span(shorten(first, longest))], { width, first: [word, span('  ')] }),
    ...told,
    ...(caution === undefined || sequential.saved?.calls === 0
      ? []
      : indented([span(shorten(caution, longest), 'quiet')], width, 2)),
    ...(rest > 0 ? indented([span(`… and ${rest} more rules`, 'quiet')], width, 2) : []),
  ];
}
