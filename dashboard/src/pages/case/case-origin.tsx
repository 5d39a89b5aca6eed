import { Link } from '@tanstack/react-router';
import { z } from 'zod';
import type { Case } from '../../../../src/schema/case.ts';
import { useData } from '../../data/data-source.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The origin of a case that was proposed and approved, as `touchstone proposals export` writes it. */
const originSchema = z.object({
  proposal: z.string(),
  by: z.string(),
  day: z.string(),
  trace: z.string().optional(),
  document: z.string().optional(),
  synthetic: z.boolean().optional(),
});

/** Where a case comes from: the trace or the document, the proposal, and who approved it. Nothing for any other case. */
export function CaseOrigin({ metadata }: Pick<Case, 'metadata'>) {
  const { isFile = false } = useData();
  const origin = originSchema.safeParse(metadata['origin']).data;
  if (origin === undefined) return null;
  const { proposal, by, day, trace, document, synthetic } = origin;
  return (
    <Section title="Where does the case come from?">
      <p className="wrap-anywhere">
        {trace !== undefined && (
          <>
            Trace{' '}
            {isFile ? (
              <PlainText text={trace} />
            ) : (
              <Link to="/traces/$trace" params={{ trace }} className="link">
                <PlainText text={trace} />
              </Link>
            )}{' '}
            ·{' '}
          </>
        )}
        {document !== undefined && (
          <>
            <PlainText text={document} /> ·{' '}
          </>
        )}
        <PlainText text={day} /> · approved by <PlainText text={by} />
        {synthetic === true && ' · synthetic'} ·{' '}
        {isFile ? (
          <PlainText text={proposal} />
        ) : (
          <Link to="/proposals" search={{ at: proposal }} className="link">
            <PlainText text={proposal} />
          </Link>
        )}
      </p>
    </Section>
  );
}
