import { loadGolden } from '../../config/load-lint.ts';
import { loadModel } from '../../config/load-model.ts';
import { createStoredReplies } from '../../../evaluate/judges/asking/create-asker.ts';
import { anyTrace, type KnownQuestion } from '../../../cases/draft/checks/find-duplicates.ts';
import type { FoundDocuments } from '../../../cases/draft/documents/document.ts';
import { readDocuments } from '../../../cases/draft/documents/read-documents.ts';
import { describeTraces } from '../../../cases/draft/documents/trace-documents.ts';
import { usualPassageLength } from '../../../cases/draft/documents/split-passages.ts';
import {
  draftFromDocuments,
  type DraftObserver,
  type DraftRules,
  type DraftSources,
} from '../../../cases/draft/draft.ts';
import { type DraftEstimate, estimateDraft } from '../../../cases/draft/estimate-draft.ts';
import { planSources, traceMix, usualMix } from '../../../cases/draft/plan-draft.ts';
import type { NamedUse } from '../../../core/lib/define.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { readGolden } from '../../../cases/proposals/golden-set.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { DraftReport, QuestionKind } from '../../../core/schema/api/draft-report.ts';
import { type Case, questionOf } from '../../../core/schema/case.ts';
import { gradedDocument } from '../../../core/schema/expected.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import type { Store } from '../../../stores/store.ts';
import { rateTraces } from '../../../cases/traces/rate-traces.ts';
import { type StoreChoice, withStore, withWritableStore } from '../open-store.ts';
import { proposalKind } from '../../../stores/kinds/proposal.ts';
import { addProposals } from '../../../stores/proposals/proposal-records.ts';

/** Options of drafting questions, besides the documents and the model. */
export interface DraftOptions {
  /** The folder that relative paths start from, whose runs are stored in `.touchstone`; the current one by default. */
  readonly folder?: string;
  /** A config, or its folder, whose dataset the questions are proposed for and whose store is used. */
  readonly config?: string;
  /** An open store, in place of the config's; it stays open. */
  readonly store?: Store;
  /** The golden set that the questions are proposed for: a file, which need not exist yet; by default the config's. */
  readonly dataset?: string;
  /** The number of questions to draft; 20 by default. Those that fail a check are not replaced. */
  readonly count?: number;
  /** The weight of each kind of question; by default half ask for one fact. Traces have `fact` and `comparison` alone. */
  readonly mix?: Readonly<Partial<Record<QuestionKind, number>>>;
  /** The categories to choose from; by default the categories of the golden set, and without any the document. */
  readonly categories?: readonly string[];
  /** The seed of the choice of passages; 0 by default. Another seed drafts other questions. */
  readonly seed?: string | number;
  /** The longest passage in UTF-16 code units; 1,600 by default. */
  readonly passageLength?: number;
  /** The number of calls at the same time; 4 by default. */
  readonly concurrency?: number;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
  readonly observer?: DraftObserver;
  readonly signals?: StopSignals;
}

/** The documents and the model of a draft. */
export interface DraftInput {
  /** Folders and files: Markdown, text, or JSONL with a document a line. `traces` alone means the stored traces. */
  readonly from: string | readonly string[];
  /** A model as in a config, its file, or its name such as `gpt-5-mini` or `anthropic:claude-haiku-4-5`. */
  readonly model: NamedUse | string;
}

/**
 * Drafts questions from documents or stored traces by a model, checks each, and stores those that pass as proposals, as `touchstone draft` does.
 * No question enters a golden set before a person has approved it. A repeated draft asks only what is missing.
 * @throws TouchstoneError for documents, a model or a golden set that cannot be used.
 */
export async function draft(input: DraftInput, options: DraftOptions = {}): Promise<DraftReport> {
  const { observer = {}, signals = neverStopped } = options;
  return await withWritableStore(storeOf(options), async (store) => {
    const { sources, rules } = await prepare(input, options, store);
    const { report, proposals } = await draftFromDocuments(sources, rules, {
      environment: process.env,
      createReplies: (onKept) => createStoredReplies(store, onKept),
      observer,
      signals,
    });
    const { known } = await addProposals(store.documents, proposals);
    return { ...report, known };
  });
}

/**
 * Estimates what a draft takes at most, as `touchstone draft --dry-run` does: calls, tokens and their price. Asks nothing.
 * @throws TouchstoneError for documents, a model or a golden set that cannot be used.
 */
export async function planDraft(
  input: DraftInput,
  options: DraftOptions = {},
): Promise<DraftEstimate & Pick<DraftReport, 'dataset' | 'notices'>> {
  return await withStore(storeOf(options), async (store) => {
    const { sources, rules } = await prepare(input, options, store);
    const { tasks, notices } = planSources(sources.documents, rules);
    const estimate = await estimateDraft(tasks, sources.categories, rules.model);
    return { dataset: sources.dataset, ...estimate, notices: [...sources.notices, ...notices] };
  });
}

function storeOf({ folder, config, store }: DraftOptions): StoreChoice {
  return {
    folder,
    config,
    store,
  };
}

async function prepare(
  { from, model }: DraftInput,
  options: DraftOptions,
  store: Store,
): Promise<{ readonly sources: DraftSources; readonly rules: DraftRules }> {
  const { folder = process.cwd(), config, dataset, count = 20, seed = 0 } = options;
  const { passageLength = usualPassageLength, concurrency = 4, maxCost } = options;
  const notices: string[] = [];
  const onNotice = (message: string) => void notices.push(message);
  const golden = await loadGolden({ file: dataset, config, folder, onNotice });
  const cases = await readGolden(golden.dataset);
  const proposed = await Array.fromAsync(
    store.documents.list(proposalKind, { where: { dataset: golden.name } }),
  );
  const known = [...cases.map(fromCase), ...proposed.map(({ proposal }) => fromProposal(proposal))];
  const own = cases.flatMap(({ category }) => (category === undefined ? [] : [category]));
  const categories = {
    names: options.categories ?? [...new Set(own)],
    areGiven: options.categories !== undefined,
  };
  const isOfTraces = [from].flat().includes(storedTraces);
  const { mix = isOfTraces ? traceMix : usualMix } = options;
  if (isOfTraces) checkTraces([from].flat(), mix);
  const found = isOfTraces ? await readTraces(store) : await readDocuments([from].flat(), folder);
  return {
    sources: {
      documents: found.documents,
      notices: [...notices, ...found.notices],
      dataset: golden.name,
      known,
      categories,
    },
    rules: {
      model: await loadModel(model, folder),
      count,
      mix,
      seed,
      passageLength,
      concurrency,
      maxCost,
    },
  };
}

/** The name that means the stored traces, in place of a folder. */
const storedTraces = 'traces';

function checkTraces(from: readonly string[], mix: DraftRules['mix']): void {
  if (from.length > 1) {
    throw new TouchstoneError('usage-invalid', 'Questions are drafted from traces or from documents.', {
      remedy: 'Draft twice. A folder that is named traces is ./traces.',
    });
  }
  const other = Object.entries(mix).find(([kind, weight]) => weight > 0 && !(kind in traceMix));
  if (other === undefined) return;
  throw new TouchstoneError(
    'usage-invalid',
    `No question of the kind "${other[0]}" is drafted from traces.`,
    {
      remedy: `Choose from ${Object.keys(traceMix).join(', ')}: a trace shows only a part of what a target knows.`,
    },
  );
}

async function readTraces(store: Store): Promise<FoundDocuments> {
  // Traces of which a case was proposed stay: a repeated draft finds what it has asked about.
  const { rated, left } = await rateTraces(store, { isProposedToo: true, now: new Date().toISOString() });
  const { documents, notices } = describeTraces(rated);
  const others = Object.entries(left).map(
    ([reason, count]) => `${formatPlural(count, 'trace')} skipped: ${reason}.`,
  );
  if (documents.length > 0) return { documents, notices: [...others, ...notices] };
  throw new TouchstoneError('trace-not-found', 'No stored trace shows anything to ask about.', {
    remedy: [
      ...others,
      ...notices,
      'Import traces: docs/production.md. A folder that is named traces is ./traces.',
    ].join(' '),
  });
}

function fromCase(testCase: Case): KnownQuestion {
  const { id, expected, metadata } = testCase;
  const { origin } = metadata;
  const proposal = isRecord(origin) ? origin['proposal'] : undefined;
  return {
    id,
    question: questionOf(testCase),
    keywords: expected.keywords ?? [],
    documents: (expected.documents ?? []).map((document) => gradedDocument(document).id),
    ...(typeof proposal === 'string' && { proposal }),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function fromProposal({ id, case: proposed, expectations, source, isSynthetic }: Proposal): KnownQuestion {
  const valuesOf = (field: 'keywords' | 'documents') =>
    expectations.flatMap((each) => (each.field === field ? [each.value].flat().map(String) : []));
  return {
    id,
    question: questionOf(proposed),
    keywords: valuesOf('keywords'),
    documents: source.type === 'trace' && isSynthetic ? [anyTrace] : valuesOf('documents'),
    proposal: id,
  };
}
