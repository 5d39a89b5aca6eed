import { expect, test } from 'vitest';
import { mayBeEnglish } from './function-words.ts';

test.each([
  'The database is down.',
  "The data seems corrupted, I can't interpret it.",
  'Ana Ruiz paid $1,850 on July 2, 2024.',
  'Western Slope Mutual',
  'Sorry.',
  'I could not reach the café in São Paulo.',
  '',
  '42',
])('%j may be English', (text) => {
  expect(mayBeEnglish(text)).toBe(true);
});

test.each([
  'Die Datenbank ist derzeit nicht erreichbar.',
  "Je n'ai pas pu accéder à la base de données.",
  'No he podido consultar los pagos.',
  'Não foi possível aceder aos dados.',
  'Non sono riuscito a leggere i dati.',
  'De database is niet bereikbaar.',
  'Jag kunde inte nå kalendern just nu.',
  'Desværre kunne jeg ikke hente data.',
  'Tietokanta ei vastaa juuri nyt.',
  'Takvime ulaşamadım, lütfen daha sonra deneyin.',
  'Nie udało się pobrać danych.',
  'Не удалось получить данные.',
  'データを取得できませんでした。',
  '抱歉，数据库超时。',
  'تعذر الوصول إلى قاعدة البيانات.',
])('%j is not English', (text) => {
  expect(mayBeEnglish(text)).toBe(false);
});

test('a text of a megabyte is read as fast as its beginning', () => {
  expect(mayBeEnglish('Je ne sais pas. '.repeat(70_000))).toBe(false);
});
