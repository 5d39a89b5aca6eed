import { expect, test } from 'vitest';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { language } from './language.ts';

const score = async (answer: string | null, tag: string | undefined, options: object = {}) =>
  await language.definition.create(language.definition.options.parse(options), {}).score({
    case: buildCase({ metadata: tag === undefined ? {} : { language: tag } }),
    trial: buildTrial(answer),
  });

const sentences: [string, string][] = [
  ['en', 'You can return the item within 30 days.'],
  ['de', 'Sie können den Artikel innerhalb von 30 Tagen zurückgeben.'],
  ['fr', 'Vous pouvez retourner l’article sous 30 jours.'],
  ['es', 'Puede devolver el artículo en 30 días.'],
  ['pt-BR', 'Você pode devolver o item em até 30 dias.'],
  ['it', 'Può restituire l’articolo entro 30 giorni.'],
  ['uk', 'Наш офіс відкривається о дев’ятій.'],
  ['ja', '本社は東京にあります。'],
  ['zh-Hans', '租金收入为16144美元。'],
  ['ar', 'مكتبنا يفتح في التاسعة.'],
  ['he', 'המשרד נפתח בשעה תשע.'],
  ['id', 'Kantor kami buka pukul sembilan.'],
];

test.each(sentences)('recognises %s: %s', async (tag, text) => {
  expect(await score(text, tag)).toMatchObject({ status: 'scored', value: 1, passed: true });
});

test('takes no sentence for another of these languages', async () => {
  for (const [tag, text] of sentences) {
    for (const [other] of sentences) {
      if (other === tag) continue;
      const verdict = await score(text, other);
      expect(verdict.status === 'scored' && verdict.value === 1).toBe(false);
    }
  }
});

test('names the recognised language', async () => {
  expect(await score('Es tut mir leid, dabei kann ich nicht helfen.', 'en')).toMatchObject({
    value: 0,
    explanation: 'the answer is in de, not en',
  });
});

test('ignores code and addresses', async () => {
  const answer =
    'Führen Sie bitte dieses Programm aus:\n```\nfor item in list: print the item and return the value\n```';
  expect(await score(answer, 'de')).toMatchObject({ value: 1 });
});

test.each([['Ja, gerne.'], ['442,300'], [''], [null]])('%j is too short to recognise', async (answer) => {
  expect(await score(answer, 'de')).toMatchObject({ status: 'not-applicable' });
});

test('is not applicable to a case without a language or with an unknown one; rejects an unknown one in a config', async () => {
  expect(await score('whatever it is', undefined)).toMatchObject({ status: 'not-applicable' });
  expect(await score('whatever it is', 'tlh')).toMatchObject({ status: 'not-applicable' });
  await expect(score('x', undefined, { language: 'tlh' })).rejects.toThrow(/can be recognised/);
});
