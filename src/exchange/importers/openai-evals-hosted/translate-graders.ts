import type { JsonObject } from '../importer.ts';
import { unported } from '../fact-label.ts';
import type { Ledger } from '../ledger.ts';
import { render } from '../render.ts';
import { asNumber, asObject, asText, type Fields, textOf } from '../values.ts';
import { type GraderPlan, type MakeCheck, planLabelModel, planScoreModel } from './judged-graders.ts';
import { readWeights } from './read-weights.ts';

/** The things that graders are translated with. */
export interface GraderContext {
  readonly ledger: Ledger;
  /** Returns what is wrong with a check; undefined when it can be made. */
  readonly findFault: (check: JsonObject) => string | undefined;
  /** True for answers that were graded before: checks that would ask a model again are dropped. */
  readonly isJudged: boolean;
  /** True when a grader that is code gets a stub in the project, which is not measured until it is written. */
  readonly hasStubs: boolean;
  /** Collects what checks ask: a judge, an embedding model. */
  readonly asked: Set<string>;
  /** The items of the data source. */
  readonly items: readonly Fields[];
}

/**
 * Translates the graders of an eval to a function that returns the checks of an item. Graders that have no equivalent, and code,
 * are named in the ledger, and are checks that are not measured until they are ported, where no verdict of theirs was recorded.
 */
export function translateGraders(
  graders: readonly Fields[],
  context: GraderContext,
): (item: Fields) => JsonObject[] {
  const plans = graders.flatMap((grader) => {
    const plan = planOf(grader, context);
    return plan === undefined ? [] : [{ name: nameOf(grader), make: plan.make }];
  });
  return (item) =>
    plans.flatMap(({ name, make }) => {
      const check = make(item) ?? (context.isJudged ? undefined : unported(name, withoutField));
      return check === undefined ? [] : [{ ...check, name }];
    });
}

const withoutField = 'The item has not the field that it compares with.';

/** Returns the name of a grader. */
export function nameOf(grader: Fields): string {
  return asText(grader.name) ?? asText(grader.type) ?? 'grader';
}

function planOf(grader: Fields, context: GraderContext): GraderPlan | undefined {
  const { ledger, findFault, isJudged, asked, items } = context;
  const part = `grader ${textOf(grader.type ?? 'without a type')}`;
  const place = nameOf(grader);
  const plan = planByType(grader);
  const reason = typeof plan === 'string' ? plan : faultOf(plan, { findFault, isJudged, items });
  if (reason !== undefined || typeof plan === 'string') {
    const code = codeOf(grader);
    const kept = code === undefined ? {} : ({ code, checks: 'all' } as const);
    ledger.leaveOut(part, { note: reason ?? '', place, ...kept });
    const isElsewhere = isJudged || (code !== undefined && context.hasStubs);
    return isElsewhere ? undefined : { became: '–', make: () => unported(part, reason ?? '') };
  }
  if (plan.asks !== undefined) asked.add(plan.asks);
  if (plan.note === undefined) ledger.take(part, plan.became, place);
  else ledger.approximate(part, { became: plan.became, note: plan.note, place });
  return plan;
}

function faultOf(
  { make, asks }: GraderPlan,
  { findFault, isJudged, items }: Pick<GraderContext, 'findFault' | 'isJudged' | 'items'>,
): string | undefined {
  if (asks !== undefined && isJudged) {
    return 'It asks a model. The recorded verdicts stay; import the eval without its runs to have them made again.';
  }
  const checks = items.map(make).filter((check) => check !== undefined);
  if (items.length > 0 && checks.length === 0) return 'No item has the field that it compares with.';
  const fault = checks.map((check) => faultIn(check, findFault)).find((each) => each !== undefined);
  return fault === undefined ? undefined : `Our metric cannot take it over: ${fault}.`;
}

/** Returns what is wrong with a check, or with one inside it. */
function faultIn(check: JsonObject, findFault: GraderContext['findFault']): string | undefined {
  const { all, not, name: _, weight: __, ...own } = check;
  const inside = (Array.isArray(all) ? all : [not]).flatMap((each) => asObject(each) ?? []);
  if (inside.length === 0) return findFault(own);
  return inside.map((each) => faultIn(each as JsonObject, findFault)).find((fault) => fault !== undefined);
}

/** Returns what a grader becomes; a text is the reason why it becomes nothing. */
function planByType(grader: Fields): GraderPlan | string {
  switch (grader.type) {
    case 'string_check':
      return planStringCheck(grader);
    case 'text_similarity':
      return planSimilarity(grader);
    case 'score_model':
      return planScoreModel(grader);
    case 'label_model':
      return planLabelModel(grader);
    case 'multi':
      return planSeveral(grader);
    case 'python':
      return 'Code of an imported file is never run. Port it to the metric `function`.';
    default:
      return 'There is no equivalent of this type.';
  }
}

const ofAnswer = /^\s*\{\{\s*sample\.output_text\s*\}\}\s*$/;
const otherInput = 'It does not look at the text of the answer, but at something else.';

function planStringCheck({ input, reference, operation }: Fields): GraderPlan | string {
  if (!ofAnswer.test(asText(input) ?? '')) return otherInput;
  const wanted = asText(reference);
  if (wanted === undefined) return 'It compares with nothing.';
  const check =
    (use: JsonObject): MakeCheck =>
    (item) => {
      const value = render(wanted, { item });
      return value === undefined || value === '' ? undefined : { ...use, value };
    };
  switch (operation) {
    case 'eq':
      return { make: check({ use: 'equals' }), became: '`equals`' };
    case 'ne': {
      const equals = check({ use: 'equals' });
      const make: MakeCheck = (item) => {
        const inside = equals(item);
        return inside && { not: inside };
      };
      return { make, became: '`not` `equals`' };
    }
    case 'like':
      return { make: check({ use: 'contains', ignoreCase: false }), became: '`contains`' };
    case 'ilike':
      return { make: check({ use: 'contains' }), became: '`contains`, letter case ignored' };
    default:
      return `There is no operation ${textOf(operation ?? 'without a name')}.`;
  }
}

const otherWords = 'Texts are split and compared a little differently.';

/** The measures of `text_similarity` under our names. */
const measures: Readonly<Record<string, { readonly use: JsonObject; readonly note?: string }>> = {
  fuzzy_match: {
    use: { use: 'edit-similarity' },
    note: 'It is 1 minus the edits as a share of the longer text; OpenAI counts edits of another kind.',
  },
  bleu: { use: { use: 'bleu' }, note: 'It is smoothed in another way.' },
  gleu: { use: { use: 'gleu' }, note: otherWords },
  meteor: { use: { use: 'meteor' }, note: 'Synonyms are not looked up.' },
  cosine: { use: { use: 'semantic-similarity' }, note: "The project's embedding model is used." },
  ...Object.fromEntries(
    ['1', '2', '3', '4', '5', 'l'].map((kind) => [
      `rouge_${kind}`,
      { use: { use: 'rouge', type: `rouge-${kind}` }, note: otherWords },
    ]),
  ),
};

function planSimilarity(grader: Fields): GraderPlan | string {
  const { input, reference, evaluation_metric: name, pass_threshold: threshold } = grader;
  if (!ofAnswer.test(asText(input) ?? '')) return otherInput;
  const measure = typeof name === 'string' && Object.hasOwn(measures, name) ? measures[name] : undefined;
  if (measure === undefined)
    return `There is no equivalent of the measure ${textOf(name ?? 'without a name')}.`;
  const wanted = asText(reference) ?? '';
  const from = `metadata.references.${keyOf(grader)}`;
  const least = asNumber(threshold);
  return {
    make: (item) => {
      const text = render(wanted, { item });
      if (text === undefined || text === '') return undefined;
      return { ...measure.use, from, ...(least !== undefined && { threshold: least }) };
    },
    became: `\`${String(measure.use['use'])}\``,
    note: measure.note,
    ...(name === 'cosine' && { asks: 'embedder' }),
  };
}

/** Returns the texts with which similarities of an item compare, by the name of the grader. */
export function referencesFor(graders: readonly Fields[], item: Fields): Record<string, string> {
  const all = graders.flatMap((grader) => [grader, ...partsOf(grader).map(([, part]) => part)]);
  const entries = all.flatMap((grader) => {
    if (grader.type !== 'text_similarity') return [];
    const text = render(asText(grader.reference) ?? '', { item });
    return text === undefined || text === '' ? [] : [[keyOf(grader), text] as const];
  });
  return Object.fromEntries(entries);
}

/** Returns the name of a grader as a step of a path. */
function keyOf(grader: Fields): string {
  return nameOf(grader).replaceAll(/[^\w-]+/g, '_');
}

function partsOf({ graders, type }: Fields): [string, Fields][] {
  if (type !== 'multi') return [];
  return Object.entries(asObject(graders) ?? {}).flatMap(([name, each]) => {
    const part = asObject(each);
    return part === undefined ? [] : [[name, { ...part, name: asText(part.name) ?? name }]];
  });
}

/** A formula that is a weighted mean of other graders becomes a group of checks. */
function planSeveral(grader: Fields): GraderPlan | string {
  const parts = partsOf(grader);
  const weights = readWeights(
    asText(grader.calculate_output) ?? '',
    parts.map(([name]) => name),
  );
  if (weights === undefined) return 'Its formula is no weighted mean of its graders.';
  const plans = parts.map(([name, part]) => [name, planByType(part)] as const);
  const fault = plans.find(([, plan]) => typeof plan === 'string');
  if (fault !== undefined) return `Its grader ${fault[0]} cannot be taken over: ${String(fault[1])}`;
  const known = plans as (readonly [string, GraderPlan])[];
  const threshold = asNumber(grader.pass_threshold);
  const asks = known.map(([, plan]) => plan.asks).find((each) => each !== undefined);
  return {
    make: (item) => {
      const checks = known.map(([name, { make }]) => ({ name, check: make(item) }));
      if (checks.some(({ check }) => check === undefined)) return undefined;
      const all = checks.map(({ name, check }) => ({ ...check, name, weight: weights.get(name) ?? 0 }));
      return { all, threshold };
    },
    became: '`all` with weights',
    note: 'The value is the weighted mean of the checks, as the formula says; each is as near as its own type allows.',
    asks,
  };
}

/** Returns the code of a grader, so that it can be ported by hand. */
function codeOf(grader: Fields): string | undefined {
  return asText(grader.source) ?? asText(grader.calculate_output);
}
