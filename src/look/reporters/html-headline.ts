import { markHidden } from '../../core/lib/text/hidden-characters.ts';
import { headOfDecision } from '../../core/schema/api/to-run-head.ts';
import type { RunView } from '../../core/schema/api/run-view.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { formatPlural, formatTime } from '../report/format.ts';
import { missingParts } from '../report/headline.ts';
import { pageTitle } from '../report/page-title.ts';
import type { Phrase } from '../report/phrase.ts';
import { failsForAll, failsForAllWords } from '../report/rows/failed-questions.ts';
import { scoreInWords } from '../report/score-in-words.ts';

/** The part of a report that is HTML before any script runs; the texts in it are escaped. */
export interface Headline {
  readonly title: string;
  readonly content: string;
}

/** The headline of a report without one of its own. */
export const noHeadline: Headline = {
  title: 'Touchstone',
  content:
    '<noscript>This report needs JavaScript. <code>touchstone compare</code> prints the same in a terminal.</noscript>',
};

/**
 * Writes what a reader without JavaScript sees of a report, such as in a preview: what was asked, the decision, the score of each
 * target in words, and the questions that did not pass. The page replaces it.
 */
export function writeHeadline(view: RunView): Headline {
  return { title: escapeText(`${pageTitle(view.run)} · Touchstone`), content: writeContent(view) };
}

function writeContent({ run, summary, failing }: RunView): string {
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const targets = (summary?.targets ?? []).filter(({ target }) => plain.has(target));
  const gate = summary === null ? undefined : headOfDecision(run, summary);
  const about = `${run.id} · ${formatTime(run.createdAt)} · ${formatPlural(run.dataset.cases, 'question')}`;
  return [
    '<main class="mx-auto max-w-[1440px] px-4 pt-5 pb-24 sm:px-8">',
    `<h1 class="text-xl font-semibold tracking-tight wrap-anywhere">${escapeText(pageTitle(run))}</h1>`,
    `<p class="text-quiet">${escapeText(about)}</p>`,
    ...(gate?.isGated === true
      ? [line(`Gate: ${[gate.outcome.replace('-', ' '), ...(summary?.decision.reasons ?? [])].join('; ')}`)]
      : []),
    ...targets.map((target) =>
      line([`${target.target}: ${scoreInWords(target, run)}`, ...missingParts(target, run)].join(' · ')),
    ),
    ...(failing.length === 0 ? [] : ['<h2 class="mt-6 font-medium">What to look at first</h2>', '<ul>']),
    ...failing.map(
      ({ question, id, target, said, lacks, outcomes, alike }) =>
        `<li class="py-1.5">${[
          question === '' ? id : question,
          ...(said === null ? [] : [`${outcomes.length > 1 ? `${target} said` : 'said'} “${said}”`]),
          ...(lacks.length === 0 ? [] : [plainPhrase(lacks)]),
          ...(alike === undefined ? [] : [`${formatPlural(alike, 'other question')} ended alike`]),
          ...(failsForAll({ outcomes }) ? [failsForAllWords] : []),
        ]
          .map(escapeText)
          .join('<br>')}</li>`,
    ),
    ...(failing.length === 0 ? [] : ['</ul>']),
    '<noscript><p class="mt-6 text-quiet">Everything else needs JavaScript; <code>touchstone show</code> prints the same in a terminal.</p></noscript>',
    '</main>',
  ].join('\n');
}

function line(text: string): string {
  return `<p class="mt-1 font-medium wrap-anywhere">${escapeText(text)}</p>`;
}

function plainPhrase(phrase: Phrase): string {
  return phrase
    .map((part) =>
      typeof part === 'string' ? part : part.isText === true ? `“${part.quoted}”` : part.quoted,
    )
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text from outside for HTML; characters that could not be seen are shown by their code points. */
function escapeText(text: string): string {
  return markHidden(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? '');
}
