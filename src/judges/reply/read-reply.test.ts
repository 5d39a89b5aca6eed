import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatReply } from '../../models/model.ts';
import type { AnswerShape } from '../../schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';
import { readReply } from './read-reply.ts';

function read(
  text: string | null,
  shape: AnswerShape = 'score',
  finishReason: ChatReply['finishReason'] = 'stop',
) {
  const question: JudgeQuestion = { id: 'x@1', instructions: '', material: [], shape, items: 2, sample: 1 };
  return readReply({ text, finishReason }, new Map([['x', question]])).get('x');
}

/** Replies that hold one answer and nothing else, in the dress in which models send it. */
const readable: [name: string, reply: string, score: number][] = [
  ['plain', '{"reason": "Says what was asked.", "score": 0.75}', 0.75],
  ['whole number', '{"reason": "Fully.", "score": 1}', 1],
  ['exponent', '{"reason": "Nearly nothing.", "score": 1e-3}', 0.001],
  ['white space', ' \n\t{"reason":"ok","score":0}\r\n ', 0],
  ['over several lines', '{\n  "reason": "ok",\n  "score": 0.5\n}', 0.5],
  ['fence', '```json\n{"reason": "ok", "score": 0.5}\n```', 0.5],
  ['fence without a name', '```\n{"reason": "ok", "score": 0.5}\n```', 0.5],
  ['bold', '**{"reason": "ok", "score": 0.5}**', 0.5],
  ['code', '`{"reason": "ok", "score": 0.5}`', 0.5],
  ['byte order mark', '\ufeff{"reason": "ok", "score": 0.5}', 0.5],
  ['score first', '{"score": 0.5, "reason": "ok"}', 0.5],
  ['JSON in the reason', '{"reason": "It returns {\\"score\\": 1}, as asked.", "score": 0.5}', 0.5],
  ['braces in the reason', '{"reason": "{}}{[", "score": 0.5}', 0.5],
  ['the same score in the reason', '{"reason": "So the score is 0.5.", "score": 0.5}', 0.5],
  ['the same score in per cent', '{"reason": "Final score: 50 %", "score": 0.5}', 0.5],
  ['the same score out of ten', '{"reason": "Rating: 5/10", "score": 0.5}', 0.5],
  ['a score that is weighed', '{"reason": "A score of 1 would need a date.", "score": 0.5}', 0.5],
  ['a score that is dropped', '{"reason": "First score: 1. But: it lies. Score: 0.", "score": 0}', 0],
];

test.each(readable)('%s is read as it is meant', (_name, reply, score) => {
  expect(read(reply)).toMatchObject({ status: 'answered', answer: { score } });
});

const good = '{"reason": "ok", "score": 1}';

/** Replies that are no answer in the form asked for. Not one of them is a score. */
const unreadable: [name: string, reply: string | null, finish?: ChatReply['finishReason']][] = [
  ['nothing', null],
  ['empty', ''],
  ['white space', ' \n '],
  ['prose', 'The answer is relevant. I would say 1.'],
  ['a refusal', "I'm sorry, but I can't help with that."],
  ['prose before', `Here is my judgement: ${good}`],
  ['prose after', `${good}\nI hope this helps!`],
  ['prose around', `Sure!\n${good}\nAnything else?`],
  ['prose before a fence', `Sure!\n\`\`\`json\n${good}\n\`\`\``],
  ['a quotation of what was injected', `The answer tries to make me reply ${good}`],
  [
    'a quotation in a fence, then a verdict in words',
    `\`\`\`json\n${good}\n\`\`\`\nThat is what it wants. My score: 0.`,
  ],
  ['two objects', `${good}\n{"reason": "no", "score": 0}`],
  ['two equal objects', `${good}\n${good}`],
  ['two in fences', `\`\`\`json\n${good}\n\`\`\`\n\`\`\`json\n{"reason": "no", "score": 0}\n\`\`\``],
  ['a list of one', `[${good}]`],
  ['nested', `{"result": ${good}}`],
  ['a text that holds JSON', JSON.stringify(good)],
  ['trailing comma', '{"reason": "ok", "score": 1,}'],
  ['comment', '{"reason": "ok", /* full */ "score": 1}'],
  ['single quotes', "{'reason': 'ok', 'score': 1}"],
  ['bare keys', '{reason: "ok", score: 1}'],
  ['cut short in the reason', '{"reason": "The answer is'],
  ['cut short in the score', '{"reason": "ok", "score": 0.'],
  ['cut short in the score, but readable', '{"reason": "ok", "score": 0', 'length'],
  ['whole, but at the token limit', good, 'length'],
  ['stopped by a filter', good, 'content-filter'],
  ['unclosed fence', `\`\`\`json\n${good}`],
  ['no score', '{"reason": "ok"}'],
  ['no reason', '{"score": 1}'],
  ['an empty reason', '{"reason": " ", "score": 1}'],
  ['a reason that is no text', '{"reason": ["ok"], "score": 1}'],
  ['a score of null', '{"reason": "ok", "score": null}'],
  ['a score in quotes', '{"reason": "ok", "score": "1"}'],
  ['a score in words', '{"reason": "ok", "score": "high"}'],
  ['a score that is true', '{"reason": "ok", "score": true}'],
  ['out of ten', '{"reason": "ok", "score": 7/10}'],
  ['out of ten in quotes', '{"reason": "ok", "score": "7/10"}'],
  ['per cent', '{"reason": "ok", "score": 70%}'],
  ['per cent in quotes', '{"reason": "ok", "score": "70%"}'],
  ['above one', '{"reason": "ok", "score": 1.01}'],
  ['out of a hundred', '{"reason": "ok", "score": 85}'],
  ['below nothing', '{"reason": "ok", "score": -0.5}'],
  ['infinite', '{"reason": "ok", "score": 1e999}'],
  ['not a number', '{"reason": "ok", "score": NaN}'],
  ['leading zero', '{"reason": "ok", "score": 01}'],
  ['decimal comma', '{"reason": "ok", "score": 0,5}'],
  ['the key twice', '{"reason": "ok", "score": 0, "score": 1}'],
  ['the key twice, once escaped', '{"reason": "ok", "score": 0, "sc\\u006fre": 1}'],
  ['another score beside it', '{"reason": "ok", "score": 1, "final_score": 0}'],
  ['a verdict beside it', '{"reason": "ok", "score": 1, "verdict": "no"}'],
  ['another language', '{"begründung": "gut", "bewertung": 1}'],
  ['capital keys', '{"Reason": "ok", "Score": 1}'],
  ['a prototype', '{"__proto__": {"score": 1}, "reason": "ok"}'],
  ['a reason that says otherwise', '{"reason": "All of it is wrong, so the score is 0.", "score": 1}'],
  ['a reason that gives otherwise', '{"reason": "It is false. I give it a score of 0.", "score": 1}'],
  ['a reason that says otherwise in per cent', '{"reason": "Score: 10 %", "score": 1}'],
  ['a reason that says otherwise out of ten', '{"reason": "Rating: 2/10", "score": 0.9}'],
  ['full-width digits', '{"reason": "ok", "score": １}'],
  ['a form to fill in', '{"reason": "…", "score": <number>}'],
];

test.each(unreadable)('%s is no score', (_name, reply, finish) => {
  expect(read(reply, 'score', finish)).toEqual({
    status: 'failed',
    code: 'judge-unreadable',
    reason: expect.stringMatching(/./),
  });
});

test('a verdict is yes or no, in these letters, and not against its reason', () => {
  const verdict = (value: unknown, reason = 'ok') =>
    read(JSON.stringify({ reason, verdict: value }), 'verdict')?.status;
  expect([verdict('yes'), verdict('no')]).toEqual(['answered', 'answered']);
  for (const other of ['Yes', 'ja', 'true', true, 1, '', null, 'yes/no'])
    expect(verdict(other)).toBe('failed');
  expect(verdict('yes', 'It lacks the date. Verdict: no')).toBe('failed');
  expect(verdict('no', 'It lacks the date. Verdict: no')).toBe('answered');
});

test('every claim is checked once, in order', () => {
  const check = (claim: number) => ({ claim, reason: 'ok', supported: true, passage: '' });
  const checks = (...claims: number[]) =>
    read(JSON.stringify({ checks: claims.map(check) }), 'checks')?.status;
  expect(checks(1, 2)).toBe('answered');
  for (const wrong of [[], [1], [2, 1], [1, 1], [1, 2, 3], [0, 1]]) expect(checks(...wrong)).toBe('failed');
});

test('whatever is cut off or put around an answer, it is that answer or none', () => {
  const noise = fc.oneof(fc.string(), fc.constantFrom('{', '}', '"', '```', '**', '{"score": 1}', good));
  fc.assert(
    fc.property(noise, noise, fc.nat(40), (before, after, cut) => {
      const reply = '{"reason": "The date is missing.", "score": 0.25}';
      for (const text of [
        `${before}${reply}${after}`,
        reply.slice(0, cut) + after,
        before + reply.slice(cut),
      ]) {
        const outcome = read(text);
        if (outcome?.status !== 'answered' || text.trim() === good) continue;
        expect(outcome.answer).toEqual({ reason: 'The date is missing.', score: 0.25 });
      }
    }),
    { numRuns: 2000 },
  );
});
