import { nearestName } from '../../../core/lib/text/nearest-name.ts';
import type { Case } from '../../../core/schema/case.ts';
import { expectedToolName } from '../../../core/schema/expected.ts';
import type { CaseRef, LintRule } from '../rule.ts';

/** The number of times by which the right spelling of a name is more frequent than a wrong one. */
const oftenEnough = 5;

/** The fields of metadata in which sets list the tools that a case offers. */
const toolFields = ['tools', 'functions', 'available_tools', 'availableTools'];

/** The rule for expected tools that the case does not offer, and for names that look misspelt. */
export const undeclaredTool: LintRule = {
  name: 'undeclared-tool',
  severity: 'error',
  summary: 'a question expects a tool that it does not offer, or whose name looks misspelt',
  create: () => {
    const uses = new Map<string, { readonly first: CaseRef; cases: number }>();
    return {
      *checkCase({ case: testCase, ref }) {
        const offered = offeredTools(testCase);
        for (const [index, tool] of (testCase.expected.tools ?? []).entries()) {
          const name = expectedToolName(tool);
          const entry = uses.get(name) ?? { first: ref, cases: 0 };
          entry.cases += 1;
          uses.set(name, entry);
          if (offered === undefined || offered.includes(name)) continue;
          const shown = offered.slice(0, 5).join(', ') + (offered.length > 5 ? ', …' : '');
          yield {
            at: ref,
            path: ['expected', 'tools', index],
            message: `expects the tool "${name}", and the question offers ${shown}`,
            remedy: 'Correct the name, or add the tool to the tools of the question.',
          };
        }
      },
      *finish() {
        const names = [...uses.keys()];
        for (const [name, { first, cases }] of uses) {
          const others = names.filter((other) => (uses.get(other)?.cases ?? 0) >= cases * oftenEnough);
          const near = isSpelling(name) ? nearestName(name, others, name.length >= 8 ? 2 : 1) : undefined;
          if (near === undefined) continue;
          yield {
            at: first,
            severity: 'warning',
            message: `the tool "${name}" is expected ${cases === 1 ? 'once' : `${cases} times`}, and "${near}" ${uses.get(near)?.cases ?? 0} times: the name looks misspelt`,
            remedy: 'Correct the name if it is.',
          };
        }
      },
    };
  },
};

/** Returns whether a name is long enough to be misspelt, and does not end in a number such as `step_2`. */
function isSpelling(name: string): boolean {
  return name.length >= 6 && !/\d$/.test(name);
}

/** Returns the tools that a case lists in its metadata; undefined when it lists none. */
function offeredTools({ metadata }: Case): string[] | undefined {
  for (const field of toolFields) {
    const list = metadata[field];
    if (!Array.isArray(list) || list.length === 0) continue;
    const names = list.map(toolNameIn);
    if (names.every((name) => name !== undefined)) return names;
  }
  return undefined;
}

function toolNameIn(tool: unknown): string | undefined {
  if (typeof tool === 'string') return tool;
  const { name, function: inner } = (tool ?? {}) as { readonly name?: unknown; readonly function?: unknown };
  if (typeof name === 'string') return name;
  return typeof inner === 'object' && inner !== null ? toolNameIn(inner) : undefined;
}
