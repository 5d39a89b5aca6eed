import { defineCommand } from '../../program/define-command.ts';
import { json, store } from '../../program/shared-inputs.ts';

/** `touchstone predict`: whether scores predict what users think. */
export const predict = defineCommand({
  name: 'predict',
  summary: 'show whether scores predict what users think of the answers',
  description:
    "Compares scores and judges' verdicts with users' thumbs and stars: rank correlations, AUC, calibration.",
  inputs: { json, store },
  help: `
Examples:
  $ touchstone predict          from the feedback and the scores in the store
  $ touchstone predict --json

Exit codes: 0 measured; 2 not measured, with the reason. More: docs/production.md.`,
  run: async (flags, output) => {
    const { predict: measure } = await import('../../../library/api/feedback.ts');
    const { describePrediction } = await import('../../texts/prediction.ts');
    const prediction = await measure({ store: flags.store });
    await output.print(flags.json, prediction, describePrediction);
    const { spearman, separations } = prediction;
    return spearman.status === 'measured' || separations.status === 'measured' ? 0 : 2;
  },
});
