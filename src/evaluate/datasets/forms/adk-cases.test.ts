import { expect, test } from 'vitest';
import { checkDraft } from '../../run/prepare/check-draft.ts';
import { draftCase } from '../draft-case.ts';
import { createFieldMapping } from '../field-mapping.ts';

/** Loads a row as a case, or returns what is wrong with it. */
function load(value: object) {
  const place = { file: 'home.evalset.json', line: 1 };
  const row = { value, place, locate: () => place };
  const checked = checkDraft(draftCase(row, { mapping: createFieldMapping(), hasTextCells: false }));
  return 'problems' in checked ? checked.problems.map(({ message }) => message) : checked.case;
}

const content = (role: string, ...texts: string[]) => ({ role, parts: texts.map((text) => ({ text })) });

const lights = {
  invocation_id: 'e-1',
  user_content: content('user', 'Turn off device_2 in the bedroom.'),
  final_response: content('model', 'I have set ', 'device_2 to off.'),
  intermediate_data: {
    tool_uses: [{ id: 'call-1', name: 'set_device', args: { device: 'device_2', status: 'OFF' } }],
    intermediate_responses: [],
  },
  creation_timestamp: 0,
};

test('a conversation of one question is a case with the answer and the calls that are expected', () => {
  const session = { app_name: 'home', user_id: 'user' };
  expect(
    load({ eval_id: 'bedroom', conversation: [lights], session_input: session, creation_timestamp: 0 }),
  ).toMatchObject({
    id: 'bedroom',
    input: 'Turn off device_2 in the bedroom.',
    expected: {
      answer: 'I have set device_2 to off.',
      calls: [{ name: 'set_device', arguments: { device: 'device_2', status: 'OFF' } }],
    },
    metadata: { session_input: session },
  });
});

test('several questions are the turns of a script, each with what is expected of it', () => {
  const thanks = {
    user_content: content('user', 'And now?'),
    final_response: content('model', 'It is off.'),
  };
  expect(load({ eval_id: 'two', conversation: [lights, thanks] })).toMatchObject({
    id: 'two',
    input: 'Turn off device_2 in the bedroom.',
    user: {
      script: [
        {
          say: 'Turn off device_2 in the bedroom.',
          expected: {
            answer: 'I have set device_2 to off.',
            calls: [{ name: 'set_device', arguments: { device: 'device_2', status: 'OFF' } }],
          },
        },
        { say: 'And now?', expected: { answer: 'It is off.' } },
      ],
    },
  });
});

test('calls among the events of newer files are expected as well, and an answer that is not recorded is not', () => {
  const events = [
    { author: 'agent', content: { parts: [{ function_call: { name: 'roll_die', args: { sides: 6 } } }] } },
    { author: 'agent', content: { parts: [{ text: 'Rolling.' }] } },
  ];
  const roll = {
    user_content: content('user', 'Roll a die.'),
    intermediate_data: { invocation_events: events },
  };
  const read = load({ eval_id: 'roll', conversation: [roll] });
  expect(read).toMatchObject({
    input: 'Roll a die.',
    expected: { calls: [{ name: 'roll_die', arguments: { sides: 6 } }] },
  });
  expect(read).not.toHaveProperty('expected.answer');
});

test('a conversation without a text of the user is refused, and names what the row has', () => {
  const image = { user_content: { role: 'user', parts: [{ inline_data: { mime_type: 'image/png' } }] } };
  expect(load({ eval_id: 'picture', conversation: [image] })).toEqual([
    expect.stringContaining('there is no question'),
  ]);
});
