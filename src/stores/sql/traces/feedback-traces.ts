import type { Feedback } from '../../../schema/feedback/feedback.ts';
import { chooseTurn, traceQueryOf } from '../../feedback/choose-answer.ts';
import type { SqlSession } from '../database.ts';

/** Looks for the trace that a feedback is about, and stores it. Returns whether it was found now. */
export async function matchTrace(
  session: SqlSession,
  { id, subject }: Pick<Feedback, 'id' | 'subject'>,
): Promise<boolean> {
  const trace = await findTrace(session, subject);
  if (trace === undefined) return false;
  const sql = 'INSERT INTO feedback_traces (feedback, trace) VALUES (?, ?) ON CONFLICT DO NOTHING';
  return (await session.run(sql, [id, trace])) > 0;
}

async function findTrace(session: SqlSession, subject: Feedback['subject']): Promise<string | undefined> {
  const query = traceQueryOf(subject);
  if (query === undefined) return undefined;
  if ('traceId' in query) {
    const [row] = await session.all('SELECT id FROM traces WHERE id = ?', [query.traceId.toWellFormed()]);
    return row?.[0] as string | undefined;
  }
  const sql = "SELECT id FROM traces WHERE conversation = ? ORDER BY coalesce(started_at, ''), id";
  const rows = await session.all(sql, [query.conversation.toWellFormed()]);
  return chooseTurn(
    rows.map(([id]) => id as string),
    query.turn,
  );
}
