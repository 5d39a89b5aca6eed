import { toTerminalText } from '../lib/terminal-text.ts';
import { tellTargetChanges } from '../report/comparison/target-changes.ts';
import type { LiveTarget } from '../run/evaluation.ts';
import { findTargetChanges } from '../analysis/compare/find-target-changes.ts';

/** Which targets are A and B, and what is another in B, in a sentence. */
export function describeArms(a: LiveTarget, b: LiveTarget): string {
  const changes = tellTargetChanges(findTargetChanges(a, b)) ?? [];
  const told = changes.map((part) => (typeof part === 'string' ? part : toTerminalText(part.quoted)));
  return `A is ${a.name}, B is ${b.name}. ${told.join('')}.`;
}
