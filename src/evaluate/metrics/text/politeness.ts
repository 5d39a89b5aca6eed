import { z } from 'zod';
import { defineMetric } from '../metric.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { reaches, thresholdOption } from '../verdicts.ts';

const usualMarkers = ['please', 'sorry', 'happy to help', 'can help'];
const markersForFullValue = 2;

/**
 * Counts polite phrases in the answer as lower-case substrings and scores min(m / 2, 1) for m distinct phrases, from 0
 * to 1. This is the politeness heuristic of the FAQ-bot framework, not a model of tone.
 */
export const politeness = defineMetric({
  name: 'politeness',
  family: 'style',
  aspect: 'polite-answer',
  version: 1,
  summary: 'Polite phrases in the answer: none 0, one 0.5, two or more 1.',
  words: 'tone, polite, please, thank you, courteous, friendly, manners, rude',
  options: () =>
    z.strictObject({
      markers: z
        .array(nonEmpty())
        .min(1)
        .default(usualMarkers)
        .describe('The phrases to look for; by default, the phrases of the FAQ-bot framework.'),
      threshold: thresholdOption(),
    }),
  create: ({ markers, threshold }) => {
    const wanted = [...new Set(markers.map((marker) => marker.toLowerCase()))];
    return {
      score: ({ trial }) => {
        const answer = (trial.answer ?? '').toLowerCase();
        const found = wanted.filter((marker) => answer.includes(marker));
        const value = Math.min(found.length / markersForFullValue, 1);
        const passed = reaches(value, threshold);
        return { status: 'scored', value, passed, evidence: { found } };
      },
    };
  },
});
