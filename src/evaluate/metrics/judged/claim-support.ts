import type { Ballot, JudgeContext, JudgeMaterial } from '../../judges/judge.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { foldText, includesText, segmentWords } from '../../../core/lib/text/words.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import type { Metric, MetricInput, MetricNeeds } from '../metric.ts';
import { askSamples, findJudge, type JudgedOptions, perSample, samplesOf } from './ask-judges.ts';
import { createDecideFirst, judgedMetric, toVerdict } from './judged-metric.ts';
import { notApplicable, reaches } from '../verdicts.ts';

/** The check of the claims of one text against sources. */
export interface ClaimCheck {
  readonly name: string;
  /** Any change of the wording raises the version of the metric. */
  readonly version: number;
  /** The question that lists the claims, and the one that checks them. */
  readonly findClaims: string;
  readonly checkClaims: string;
  /** Returns the text that makes the claims, with what helps to understand it. */
  readonly claimant: (input: MetricInput) => JudgeMaterial[];
  readonly sources: (input: MetricInput) => JudgeMaterial[];
  /** Returns why there is nothing to check; undefined when there is. */
  readonly missing: (input: MetricInput) => string | undefined;
  /** The reason why the verdict is not applicable when there are no claims. */
  readonly noClaims: string;
}

/**
 * Creates a metric that measures the share of claims that sources support, from 0 to 1. One question to the judge lists
 * the claims, a second one checks them. Throws `judge-missing`.
 */
export function createClaimMetric(check: ClaimCheck, options: JudgedOptions, needs: MetricNeeds): Metric {
  const { name, version, findClaims, checkClaims, claimant, sources, missing } = check;
  const { samples, threshold } = options;
  const judge = findJudge(name, options, needs);
  const noClaims = notApplicable(check.noClaims);
  const claimsQuestion = (input: MetricInput) =>
    ({
      id: `${name}-claims@${version}`,
      instructions: findClaims,
      material: claimant(input),
      shape: 'claims',
    }) as const;
  const checksQuestion = (input: MetricInput, claims: readonly string[]) =>
    ({
      id: `${name}-checks@${version}`,
      instructions: checkClaims,
      material: [...sources(input), { title: 'claims', text: numberClaims(claims) }],
      shape: 'checks',
      items: claims.length,
    }) as const;

  return judgedMetric({
    judge,
    decideFirst: createDecideFirst(options, needs),
    missing,
    questions: (input) => [
      { ...claimsQuestion(input), sample: 1 },
      ...samplesOf(checksQuestion(input, typicalClaims), samples),
    ],
    ask: async (input: MetricInput, context: JudgeContext) => {
      const found = await askSamples(claimsQuestion(input), { judge, context, samples: 1 });
      if (found.status === 'failed') return toVerdict(found, () => noClaims);
      // The members of a panel return different lists, but they can only vote on a single one.
      const claims = found.ballots[0]?.answer.claims ?? [];
      if (claims.length === 0) return noClaims;
      const checked = await askSamples(checksQuestion(input, claims), { judge, context, samples });
      const foundBy = found.ballots.map(({ judgement }) => judgement);
      if (checked.status === 'failed') {
        return toVerdict({ ...checked, judgements: [...foundBy, ...checked.judgements] }, () => noClaims);
      }
      const { ballots } = checked;
      return verdictOfChecks({ claims, ballots, sources: sources(input), foundBy, threshold });
    },
  });
}

/** Placeholder claims for the price of a run whose answers do not exist yet. */
const typicalClaims: readonly string[] = Array.from(
  { length: 5 },
  () => 'A statement of ten words or so that can be checked.',
);

/** Writes claims as a numbered list, one a line. */
export function numberClaims(claims: readonly string[]): string {
  return claims.map((claim, index) => `${index + 1}. ${claim.replace(/\s+/g, ' ')}`).join('\n');
}

/** The claims of one answer and the judge's checks of them. */
interface CheckedClaims {
  readonly claims: readonly string[];
  readonly ballots: readonly Ballot<'checks'>[];
  readonly sources: readonly JudgeMaterial[];
  /** The ids of the judgements that found the claims. */
  readonly foundBy: readonly string[];
  readonly threshold: number | undefined;
}

/** Returns the verdict: the share of supported claims, and each unsupported claim with the passage nearest to it. */
function verdictOfChecks({ claims, ballots, sources, foundBy, threshold }: CheckedClaims): Verdict {
  const search = searchPassages(sources);
  const checked = claims.map((claim, index) => {
    const checks = ballots.map(({ answer }) => answer.checks[index]).filter((check) => check !== undefined);
    const support = checks.filter(({ supported }) => supported).length / checks.length;
    const [first] = checks;
    const passage = first?.passage ?? '';
    return {
      claim,
      support,
      reason: first?.reason ?? '',
      ...(passage !== '' && { passage, isQuoted: search.contains(passage) }),
      ...(support <= 0.5 && { nearest: (search.nearestTo(claim) ?? null) as Json }),
    };
  });
  const value = checked.reduce((sum, { support }) => sum + support, 0) / checked.length;
  const unsupported = checked.filter(({ support }) => support <= 0.5).map(({ claim }) => claim);
  return {
    status: 'scored',
    value,
    passed: reaches(value, threshold),
    explanation: explain(checked.length, unsupported),
    evidence: { unsupported, claims: checked },
    ...perSample(ballots, (sample) =>
      verdictOfChecks({ claims, ballots: sample, sources, foundBy, threshold }),
    ),
    judgements: [...foundBy, ...ballots.map(({ judgement }) => judgement)],
  };
}

function explain(claims: number, unsupported: readonly string[]): string {
  const supported = `${claims - unsupported.length} of ${claims} claims are supported`;
  return unsupported.length === 0 ? supported : `${supported}; not: ${unsupported.join(' · ')}`;
}

/** A sentence of a source. */
interface Passage {
  /** The title of the source. */
  readonly source: string;
  readonly text: string;
}

/** A passage with the share of a claim's words that it contains. */
interface NearPassage extends Passage {
  readonly overlap: number;
}

const sentences = lazily(() => new Intl.Segmenter('en', { granularity: 'sentence' }));

/** A search for claims and quotations in the sources. */
interface PassageSearch {
  /**
   * Returns the passage that shares the most words with a claim, the first of several; undefined when none shares any.
   */
  nearestTo(claim: string): NearPassage | undefined;
  /** Returns whether a quotation occurs in one of the sources; differences in white space and case are ignored. */
  contains(quotation: string): boolean;
}

/** Creates a search over the sentences of the sources. Each sentence is read once, however many claims there are. */
function searchPassages(sources: readonly JudgeMaterial[]): PassageSearch {
  const passages = lazily(() => splitPassages(sources));
  const placesOf = lazily(() => indexWords(passages().map(({ text }) => wordsOf(text))));
  const squashed = lazily(() => sources.map(({ text }) => squash(text)));
  return {
    nearestTo: (claim) => {
      const wanted = wordsOf(claim);
      const shared = new Map<number, number>();
      for (const word of wanted) {
        for (const place of placesOf().get(word) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
      }
      let nearest = { place: -1, count: 0 };
      for (const [place, count] of shared) {
        const isNearer = count > nearest.count || (count === nearest.count && place < nearest.place);
        if (isNearer) nearest = { place, count };
      }
      const passage = passages()[nearest.place];
      return passage === undefined ? undefined : { ...passage, overlap: nearest.count / wanted.size };
    },
    contains: (quotation) => {
      const wanted = squash(quotation);
      return wanted !== '' && squashed().some((text) => includesText(text, wanted));
    },
  };
}

function splitPassages(sources: readonly JudgeMaterial[]): Passage[] {
  return sources.flatMap(({ title, text }) =>
    Array.from(sentences().segment(text), ({ segment }) => segment.trim())
      .filter((segment) => segment !== '')
      .map((segment) => ({ source: title, text: segment })),
  );
}

/** Returns the positions of the passages that contain each word. */
function indexWords(passages: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, words] of passages.entries()) {
    for (const word of words) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [place]);
      else known.push(place);
    }
  }
  return places;
}

function squash(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().toLowerCase();
}

function wordsOf(text: string): Set<string> {
  return new Set(segmentWords(foldText(text).toLowerCase()));
}
