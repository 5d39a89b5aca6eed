import { expect, test } from 'vitest';
import { summarizePair } from '../../../decide/analysis/preference/summarize-preferences.ts';
import type { AnswerPreference, PreferenceReport } from '../../../core/schema/api/preference/report.ts';
import { preferenceMarkdown, preferenceText } from './text.ts';

const hostile = 'bot\u001b[2J\u202e<script>';

/** Builds a report on two targets, the first of which has a name that must not reach a terminal as it is. */
function buildReport(
  winners: readonly ('a' | 'b' | null)[],
  parts: Partial<PreferenceReport> = {},
): PreferenceReport {
  const preferences = winners.map(
    (winner, place): AnswerPreference => ({
      caseId: `q${place}`,
      caseHash: `h${place}`,
      attempt: 1,
      a: hostile,
      b: 'plain',
      lengths: { a: 10 + place, b: 12 },
      outcome:
        winner === null
          ? {
              status: 'not-measured',
              code: 'trial-failed',
              reason: `${hostile} gave no answer`,
              judgements: [],
            }
          : {
              status: 'decided',
              winner,
              isConsistent: true,
              positions: ['first', 'second'],
              reasons: [],
              judgements: [],
            },
    }),
  );
  const counted = { preferences, planned: winners.length, casesOnlyInA: 0, casesOnlyInB: 2 };
  return {
    version: 1,
    rule: {
      criterion: 'The better answer is right.',
      order: 'both',
      seed: 0,
      judge: { name: 'judge', fingerprint: 'f', models: ['judge', 'other'] },
      targets: [
        { name: hostile, run: 'run-1', target: hostile },
        { name: 'plain', run: 'run-2', target: 'plain' },
      ],
    },
    pairs: [summarizePair({ a: hostile, b: 'plain', ...counted })],
    judging: { calls: 20, judgements: 20, cost: null },
    isStopped: false,
    preferences,
    ...parts,
  };
}

const view = { verbose: false, methods: false, width: 100, color: false };
const linesOf = (report: PreferenceReport) => preferenceText(report, view).split('\n');

test('the report says who is preferred, of how many pairs, and what was not compared', () => {
  const winners = Array.from('aaaaaaaaba', (winner) => winner as 'a' | 'b');
  const text = preferenceText(buildReport([...winners, null]), { ...view, width: 200 });
  expect(text).toContain('is preferred to plain');
  expect(text).toMatch(/wins 90\.0 % \[\d+\.\d, \d+\.\d\] of 10 pairs of answers: 9 wins, 0 ties, 1 loss\./);
  expect(text).toContain('10 of 11 pairs measured; not measured: 1 trial-failed');
  expect(text).toContain('2 questions of plain alone, not compared.');
  expect(text).toContain('Position: the same result in both orders for 10 of 10 pairs.');
  expect(text).toContain('Judge judge (other): 20 calls, cost unknown.');
});

test('names and reasons reach the terminal without control characters, and no line is too long', () => {
  const lines = linesOf(buildReport(['a', 'b', null, 'a', 'a', 'a']));
  // oxlint-disable-next-line no-control-regex -- exactly these must not occur
  expect(lines.filter((line) => /[\u0000-\u001f\u202e]/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
});

test('without any verdict there is no rate and no ranking, with the reasons', () => {
  const ranking = { targets: [], prior: 0.5, resamples: 2000, caution: null, reason: 'no verdicts' };
  const text = preferenceText(buildReport([null, null], { ranking, isStopped: true }), view);
  expect(text).toContain('Not enough data');
  expect(text).toContain('No pair of answers was compared.');
  expect(text).toContain('No ranking: no verdicts.');
  expect(text).toContain('Stopped before all pairs were asked.');
  expect(text).not.toContain('NaN');
});

test('the Markdown says the same as the terminal, with names from outside as code', () => {
  const text = preferenceMarkdown(buildReport(['b', 'b', 'b', 'b', 'b', 'b', null]));
  expect(text).toContain('`plain` **is preferred to** `bot␛[2J');
  expect(text).toContain('wins 0.0 % [0.0, 39.0] of 6 pairs of answers: 0 wins, 0 ties, 6 losses.');
  expect(text).toContain('not measured: 1 `trial-failed`');
  // A tag outside of a code span would be read as one.
  expect(text.replaceAll(/`[^`]*`/g, '')).not.toContain('<script>');
  expect(text).not.toContain('\u001b');
});
