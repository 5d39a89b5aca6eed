import { withShortReasons } from '../../report/comparison/preferences.ts';
import type { PeoplePreferenceReport } from '../../../core/schema/api/preference/people.ts';
import type { PreferenceReport } from '../../../core/schema/api/preference/report.ts';
import {
  type PreferenceList,
  type PreferenceView,
  preferenceAnswersPath,
  preferencesPath,
} from '../../../core/schema/api/preference/view.ts';
import { readTemplate, writeAnswer } from '../html-page.ts';

/** The most verdicts on single answers in a file. */
const mostAnswers = 5_000;

/**
 * Writes a comparison of answers in pairs, by a judge or by people, as a page in one file: the component of the dashboard, without
 * a server, and the verdicts behind each number.
 */
export async function* preferenceHtml(
  report: PreferenceReport | PeoplePreferenceReport,
): AsyncGenerator<string> {
  const [before, after] = await readTemplate();
  const list: PreferenceList = { preferences: [viewOf(report)], commands: { judge: '', people: '' } };
  yield before;
  yield writeAnswer(preferencesPath, list);
  const rows = report.preferences.slice(0, mostAnswers).map(withShortReasons);
  yield writeAnswer(preferenceAnswersPath, { rows, count: report.preferences.length });
  yield after;
}

function viewOf(report: PreferenceReport | PeoplePreferenceReport): PreferenceView {
  const common = { id: 'report', shown: 0, ...(report.ranking && { ranking: report.ranking }) };
  if ('rule' in report) {
    const { rule, pairs, isStopped } = report;
    return { by: 'judge', ...common, targets: rule.targets, pairs, rule, isStopped };
  }
  const { targets, pairs, task, rubric, frame, drawn, people, labels, bothBad } = report;
  const about = { task, rubric, frame, drawn, people, labels, bothBad };
  return { by: 'people', ...common, targets, pairs, task: about };
}
