import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Message } from '../../../core/schema/message.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { toolCalls } from './tool-calls.ts';
import {
  type TrajectoryCase,
  type TrajectoryMessage,
  trajectoryCalls,
} from '../../../../test/support/agentevals-calls.ts';

/** Test cases of agentevals with its verdicts; not part of the repository. */
const file = '../shared/data/toolcalls/agentevals_unit_cases.json';

interface Row extends TrajectoryCase {
  readonly source_test: string;
  readonly outputs: readonly TrajectoryMessage[];
  readonly expected: boolean;
}

const isThere = existsSync(file);
const rows: Row[] = isThere ? JSON.parse(readFileSync(file, 'utf8')) : [];
const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

test.skipIf(!isThere)('every trajectory gets the verdict of agentevals (needs ../shared/data)', () => {
  for (const row of rows) {
    const input = {
      case: buildCase({ expected: { calls: trajectoryCalls(row) } }),
      trial: buildTrial('x', { transcript: row.outputs.map(toMessage) }),
    };
    const name = `${row.source_test} ${row.mode} ${row.tool_args_match_mode}`;
    expect.soft(valueOf(metric.score(input) as Verdict), name).toBe(Number(row.expected));
  }
  expect(rows.length).toBeGreaterThan(60);
});

function toMessage({ role, tool_calls = [] }: TrajectoryMessage): Message {
  const toolCalls = tool_calls.map(({ function: call }) => ({ name: call.name, arguments: call.arguments }));
  return { role: role as Message['role'], content: '', toolCalls };
}
