import type { JsonObject } from '../../importer.ts';
import type { Ledger } from '../../ledger.ts';
import { asObject, asText, textOf } from '../../values.ts';

const byHand =
  'join the tests with the same conversationId by hand, as `turns` of one question (docs/conversations.md).';

/**
 * Joins the tests of each `conversationId` to one case, whose turns have the expectations of the tests. Returns undefined, with
 * the reason in the ledger, where one of them cannot be joined: turns and single questions are scored by different metrics.
 * @param obstacle - The reason why no tests can be joined, such as a target that does not send the turns before.
 */
export function joinTurns(
  cases: readonly JsonObject[],
  obstacle: string | undefined,
  ledger: Ledger,
): JsonObject[] | undefined {
  const groups = Map.groupBy(cases, conversationOf);
  if (groups.size === 0 || (groups.size === 1 && groups.has(undefined))) return undefined;
  const reason = obstacle ?? [...groups.values()].map(faultIn).find((fault) => fault !== undefined);
  for (const each of cases.filter((testCase) => conversationOf(testCase) !== undefined)) {
    const part = 'test of a conversation';
    if (reason === undefined) ledger.take(part, 'turn of a question');
    else {
      const note = `${reason} It is a question of its own; ${byHand}`;
      ledger.leaveOut(part, { note, place: String(each['id']) });
    }
  }
  if (reason !== undefined) return undefined;
  return [...groups].map(([id, tests]) => ({
    id: id ?? '',
    turns: tests.map(({ input, expected }) => ({
      say: input ?? '',
      expected,
    })),
    metadata: tests[0]?.['metadata'] ?? {},
  }));
}

function conversationOf({ metadata }: JsonObject): string | undefined {
  const id = asObject(metadata)?.conversationId;
  return id === undefined ? undefined : textOf(id);
}

/** Returns why tests are no turns of one case; undefined when they are. */
function faultIn(tests: readonly JsonObject[]): string | undefined {
  const metadata = new Set(tests.map((each) => JSON.stringify(each['metadata'])));
  if (tests.some((each) => conversationOf(each) === undefined)) return 'Other tests are no conversations.';
  if (tests.some((each) => asObject(asObject(each['metadata'])?.references) !== undefined))
    return 'A check compares with a text of its own.';
  if (metadata.size > 1) return 'Tests of one conversation have different variables or metadata.';
  return tests.some(({ input }) => asText(input) === undefined) ? 'A question is no text.' : undefined;
}
