import { expect, test } from 'vitest';
import { assembleStream as assembleAnthropic } from '../anthropic/assemble-stream.ts';
import { assembleStream as assembleOpenai } from '../openai-chat/assemble-stream.ts';
import type { StreamAssembler } from './protocol.ts';

const farOff = 4_294_967_294;

function assemble(assembler: StreamAssembler, events: readonly object[]): unknown {
  for (const event of events) assembler.add({ event: 'message', data: JSON.stringify(event) });
  return assembler.finish();
}

test.each([farOff, Number.MAX_SAFE_INTEGER])(
  'tool calls stand in the order of their numbers, up to %d',
  (far) => {
    const call = (index: number | undefined, id: string) => ({
      choices: [{ delta: { tool_calls: [{ index, id, function: { name: 'look', arguments: '{}' } }] } }],
    });
    const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };
    const reply = assemble(assembleOpenai(), [call(far, 'last'), call(1, 'second'), call(0, 'first'), end]);
    const calls = ['first', 'second', 'last'].map((id) => expect.objectContaining({ id }));
    expect(reply).toMatchObject({ choices: [{ message: { tool_calls: calls } }] });
  },
);

test('tool calls without numbers stand in the order in which they came', () => {
  const piece = (id: string | null, written: string) => ({
    choices: [{ delta: { tool_calls: [{ id, function: { name: 'look', arguments: written } }] } }],
  });
  const end = { choices: [{ delta: {}, finish_reason: 'tool_calls' }] };
  const pieces = [piece('a', '{"x"'), piece(null, ':1}'), piece('b', '{}'), end];
  expect(assemble(assembleOpenai(), pieces)).toMatchObject({
    choices: [
      {
        message: { tool_calls: [{ function: { arguments: '{"x":1}' } }, { function: { arguments: '{}' } }] },
      },
    ],
  });
});

test('blocks of a Messages reply stand in the order of their numbers, however large', () => {
  const text = (index: number, written: string) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index, delta: { type: 'text_delta', text: written } },
  ];
  const events = [...text(farOff, 'b'), ...text(0, 'a'), { type: 'message_stop' }];
  expect(assemble(assembleAnthropic(), events)).toMatchObject({
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  });
});
