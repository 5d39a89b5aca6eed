import { lintProposal } from '../../library/api/cases/proposals.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { readFacts } from '../../cases/traces/trace-facts.ts';
import { findRun } from '../../look/queries/runs.ts';
import { proposeEdit } from '../../cases/proposals/propose-edit.ts';
import { decide, findProposal } from '../../cases/proposals/decide.ts';
import {
  decisionRequestSchema,
  proposeRequestSchema,
  type ProposalList,
  type ProposalView,
} from '../../core/schema/api/proposals.ts';
import { questionOf } from '../../core/schema/case.ts';
import { type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import type { Store } from '../../stores/store.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import { keepWhileUnchanged } from '../keep-answers.ts';
import { type AddRoute, parseInput, readBody, type RouteContext } from '../route.ts';
import { addProposals as storeProposals } from '../../stores/proposals/proposal-records.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { readTrace } from '../../stores/traces/trace-records.ts';

/** The longest question of a list, in UTF-16 code units. */
const longestQuestion = 200;

/** The longest answer next to a proposal, in UTF-16 code units; the page of its trace has all of it. */
const longestAnswer = 20_000;

/**
 * Adds `GET /api/proposals`, all proposed cases; `POST /api/proposals`, which proposes a question of a run as a person has edited it; `GET /api/proposals/size`, their number and the number of traces; `GET /api/proposals/:proposal`, one of them with what lint finds about it; and
 * `POST /api/proposals/:proposal/decisions`, which answers once the decision is on disk.
 */
export const addProposals: AddRoute = (
  app,
  { openStore, person, isSignedIn = false, folder, isReadingFiles, isOwnAllowed = false },
) => {
  const files = { folder, isReadingFiles };
  const keepSize = keepWhileUnchanged<{ readonly proposals: number; readonly traces: number }>(1);
  app.get('/api/proposals', async ({ json }) => {
    const { documents } = await openStore();
    const starter = await person?.();
    const answer: ProposalList = {
      proposals: await Array.fromAsync(documents.list(proposalKind), toRow),
      person: starter,
      ...(isSignedIn && { isSignedIn }),
    };
    return json(answer);
  });
  app.post('/api/proposals', async ({ req, json }) => {
    const { person: name, run: named, id, ...edit } = parseInput(proposeRequestSchema, await readBody(req));
    const store = await openStore();
    const run = await findRun(store, named);
    const planned = await store.findCase(run.id, id);
    if (planned === undefined)
      throw new TouchstoneError('case-not-found', `Run ${run.id} has no question ${JSON.stringify(id)}.`);
    const by = { type: 'person', name } as const;
    const proposal = proposeEdit(planned, { ...edit, run: run.id, by, at: new Date().toISOString() });
    await storeProposals(store.documents, [proposal]);
    return json({ id: proposal.id });
  });
  app.get('/api/proposals/size', async ({ json }) => {
    const store = await openStore();
    const size = await keepSize(store, 'size', async () => {
      const proposals = await store.documents.count(proposalKind);
      return { proposals, traces: await store.documents.count(traceKind) };
    });
    return json(size);
  });
  app.get('/api/proposals/:proposal', async ({ req, json }) => {
    const store = await openStore();
    const kept = await findProposal(store.documents, req.param('proposal'));
    return json(await toView(store, kept, files));
  });
  app.post('/api/proposals/:proposal/decisions', async ({ req, json }) => {
    const { note, ...given } = parseInput(decisionRequestSchema, await readBody(req));
    const store = await openStore();
    const decision = { ...given, proposal: req.param('proposal'), ...(note !== undefined && { note }) };
    const kept = await decide(store.documents, decision, { isOwnAllowed });
    return json(await toView(store, kept, files));
  });
};

/** The choice of the files of datasets that are read. */
type Files = Pick<RouteContext, 'folder' | 'isReadingFiles'>;

function toRow(kept: KeptProposal): ProposalList['proposals'][number] {
  const { id, case: proposed, picked, dataset } = kept.proposal;
  const question = firstUnits(questionOf(proposed), longestQuestion);
  return { id, state: stateOf(kept), question, reason: picked[0]?.reason ?? 'by-hand', dataset };
}

async function toView(store: Store, kept: KeptProposal, files: Files): Promise<ProposalView> {
  const { source } = kept.proposal;
  const trace = source.type === 'trace' ? await readTrace(store, source.traceId) : undefined;
  const facts = trace && readFacts(trace);
  return {
    proposal: kept.proposal,
    decisions: [...kept.decisions],
    exports: [...kept.exports],
    state: stateOf(kept),
    ...(await check(kept, files)),
    hasTrace: trace !== undefined,
    ...(facts !== undefined && {
      answered: {
        answer: facts.answer === null ? null : firstUnits(facts.answer, longestAnswer),
        tools: facts.tools.map(({ name }) => name),
      },
    }),
  };
}

/** Checks a case with lint. A dataset that cannot be read is no reason to show nothing. */
async function check(
  kept: KeptProposal,
  { folder, isReadingFiles = true }: Files,
): Promise<Pick<ProposalView, 'findings' | 'unchecked'>> {
  if (!isReadingFiles)
    return { findings: null, unchecked: 'The server does not read the files of the dataset.' };
  try {
    return { findings: await lintProposal(kept, folder === undefined ? {} : { folder }) };
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { findings: null, unchecked: error.message };
  }
}
