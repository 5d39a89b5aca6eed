import type { ToolCall } from '../../../core/schema/message.ts';

/** The sources of results in words: nothing that stands in for a tool looks like the tool. */
export const callSources: Readonly<Record<NonNullable<ToolCall['from']>, string>> = {
  tool: 'the tool',
  cassette: 'a recording, not the tool',
  mock: 'a mock, not the tool',
  refused: 'refused by this test, not used',
};
