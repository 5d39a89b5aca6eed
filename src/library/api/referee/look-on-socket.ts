import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import {
  type LookReport,
  type SentAnswer,
  sentAnswerSchema,
  type VersionAsked,
} from '../../../core/schema/referee/look-request.ts';
import { socketOf } from './held-out-folder.ts';
import type { LookOptions } from './look-report.ts';
import { pickCandidate, type RefereeProject, versionOf } from './open-project.ts';

/**
 * Asks the referee that listens on a socket for a look, and waits for its answer.
 * @throws TouchstoneError `look-refused` for what it refuses, and where none listens.
 */
export async function lookOnSocket(
  { heldOut, evaluation }: RefereeProject,
  { candidate, margin, signals }: LookOptions,
): Promise<LookReport> {
  const { target, label: version } = versionOf(pickCandidate(evaluation, candidate, undefined));
  const answer = await send(socketOf(heldOut) ?? '', { target, version, margin }, signals?.stop);
  if ('report' in answer) return answer.report;
  throw new TouchstoneError('look-refused', answer.refusal.message);
}

async function send(
  socketPath: string,
  asked: VersionAsked,
  signal: AbortSignal | undefined,
): Promise<SentAnswer> {
  try {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request({ socketPath, method: 'POST', path: '/looks', signal }, resolve);
      sent.on('error', reject);
      sent.end(JSON.stringify(asked));
    });
    return sentAnswerSchema.parse(parseJson(await text(reply)));
  } catch (error) {
    if (signal?.aborted === true)
      throw new TouchstoneError(
        'run-stopped',
        'The look was not waited for: it continues, and the same command gets its answer.',
      );
    throw new TouchstoneError('look-refused', `No referee answers at ${socketPath}: ${messageOf(error)}.`, {
      remedy: 'Start it under its own account: `touchstone referee serve --socket PATH`.',
      cause: error,
    });
  }
}
