import { expect, test } from 'vitest';
import { scripted } from '../../models/scripted.ts';
import { unbounded } from '../../testing/prepare-target.ts';
import { createRewriter } from './rewriter.ts';

function rewriterOf(reply: string) {
  const { definition } = scripted;
  const model = definition.create(definition.options.parse({ otherwise: reply }), {
    folder: '.',
    environment: {},
  });
  let calls = 0;
  const counted = {
    ...model,
    generate: (...given: Parameters<typeof model.generate>) => {
      calls += 1;
      return model.generate(...given);
    },
  };
  return { rewrite: createRewriter(counted).within(unbounded), calls: () => calls };
}

test('the model writes the question anew, each one once', async () => {
  const { rewrite, calls } = rewriterOf(' How much is the rent of B12? ');
  expect(await rewrite('Rewrite', 'What is the rent of B12?')).toBe('How much is the rent of B12?');
  await rewrite('Rewrite', 'What is the rent of B12?');
  expect(calls()).toBe(1);
  await rewrite('Translate', 'What is the rent of B12?');
  expect(calls()).toBe(2);
});

test('a rewriting that loses a number, a quotation or everything fails the trial', async () => {
  await expect(rewriterOf('How much is the rent?').rewrite('', 'What is the rent of B12?')).rejects.toThrow(
    'left out "B12"',
  );
  await expect(rewriterOf('Are pets fine?').rewrite('', 'What does "no pets" mean?')).rejects.toThrow(
    'left out "no pets"',
  );
  await expect(rewriterOf('  ').rewrite('', 'What?')).rejects.toThrow('wrote nothing');
});

test('punctuation after a number may change', async () => {
  expect(await rewriterOf('In 2024 how much, please').rewrite('', 'How much in 2024?')).toBe(
    'In 2024 how much, please',
  );
});

test('it is opened and closed once, however many targets use it', async () => {
  const opened: string[] = [];
  const { definition } = scripted;
  const model = {
    ...definition.create(definition.options.parse({ otherwise: 'x' }), { folder: '.', environment: {} }),
    open: async () => void opened.push('open'),
    close: async () => void opened.push('close'),
  };
  const rewriter = createRewriter(model);
  await Promise.all([rewriter.open(), rewriter.open()]);
  await Promise.all([rewriter.close(), rewriter.close()]);
  expect(opened).toEqual(['open', 'close']);
});
