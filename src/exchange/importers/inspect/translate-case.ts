import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { asArray, asObject, asText, type Fields, jsonObject } from '../values.ts';
import { translateMessages } from './translate-messages.ts';

/** Translates the question of a sample, with its choices as lettered lines, and what was expected. */
export function translateCase(sample: Fields, id: string, ledger: Ledger): JsonObject {
  const { input, target, choices, metadata, files, sandbox, setup } = sample;
  ledger.take('sample', 'question');
  const wanted = [target].flat().filter((each) => each !== undefined && each !== null && each !== '');
  if (wanted.length > 0) ledger.take('target', 'expected.answer');
  const options = asArray(choices);
  if (options.length > 0) {
    ledger.approximate('choices', {
      became: 'lines of the question',
      note: 'Inspect may have shown them in another order or form.',
    });
  }
  for (const [name, value] of Object.entries({ files, sandbox, setup })) {
    if (value === undefined || value === null) continue;
    ledger.leaveOut(name, {
      note: 'The environment of a sample is not set up here; it is named in the metadata.',
    });
  }
  const kept = asObject(metadata) ?? {};
  if (Object.keys(kept).length > 0) ledger.take('metadata of a sample', 'metadata');
  return jsonObject({
    id,
    input: withChoices(input, options),
    ...(wanted.length > 0 && {
      expected: { answer: wanted.length === 1 ? String(wanted[0]) : wanted.map(String) },
    }),
    category: asText(kept.category),
    metadata: {
      ...kept,
      ...(options.length > 0 && { choices: options }),
      ...namesIn({ files, sandbox, setup }),
    },
  });
}

function withChoices(input: unknown, choices: readonly unknown[]): unknown {
  const lines = choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${String(choice)}`);
  const add = (text: string) => [text, ...(lines.length === 0 ? [] : ['', ...lines])].join('\n');
  if (!Array.isArray(input)) return add(String(input ?? ''));
  const messages = translateMessages(input);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) =>
    index === last && lines.length > 0 ? { ...message, content: add(message.content ?? '') } : message,
  );
}

/** Names what a sample needed, without its content. */
function namesIn(parts: Fields): Record<string, unknown> {
  const found = Object.entries(parts).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(
    found.map(([name, value]) => [name, asObject(value) === undefined ? true : Object.keys(Object(value))]),
  );
}
