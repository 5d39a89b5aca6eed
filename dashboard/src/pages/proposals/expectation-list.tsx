import { useId } from 'react';
import { describeProof, type Proposal } from '../../../../src/core/schema/proposal/proposal.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { leaveOnEscape } from './case-fields.tsx';
import { type OwnField, ownFields, type ProposalDraft, toggleTick } from './draft.ts';
import { HiddenPreview } from './hidden-preview.tsx';

interface ExpectationListOptions {
  readonly proposal: Proposal;
  readonly draft: ProposalDraft;
  readonly isOpen: boolean;
  /** The place of a ticked value that is no JSON. */
  readonly broken: number | undefined;
  readonly onDraft: (draft: ProposalDraft) => void;
}

/** The proposed expectations, each with its proof: only what is ticked enters the case. */
export function ExpectationList(options: ExpectationListOptions) {
  const { proposal, draft } = options;
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="font-semibold">
        Expectations
      </h2>
      <p className="text-quiet">
        {proposal.expectations.length === 0
          ? 'None is proposed. A question without expectations measures only what is checked for every question.'
          : 'Only what you tick becomes part of the question.'}
      </p>
      <ul className="mt-2 space-y-2">
        {proposal.expectations.map((_each, place) => (
          <Expectation key={place} {...options} place={place} isActive={draft.at === place} />
        ))}
      </ul>
      <OwnExpectations {...options} />
    </section>
  );
}

const ownLabels: Readonly<Record<OwnField, string>> = {
  answer: 'Expected answer',
  keywords: 'Keywords, one on each line',
  tools: 'Tools, one on each line',
  forbidden: 'Texts that must not appear, one on each line',
};

/** The expectations that the person writes. */
function OwnExpectations({ draft, isOpen, onDraft }: ExpectationListOptions) {
  if (!isOpen) return null;
  return (
    <fieldset className="mt-4 space-y-3">
      <legend className="font-medium">Your own</legend>
      {ownFields.map((field) => (
        <label key={field} className="block">
          <span className="text-xs text-quiet">{ownLabels[field]}</span>
          <textarea
            rows={field === 'answer' ? 2 : Math.min(6, draft.own[field].split('\n').length)}
            value={draft.own[field]}
            aria-label={ownLabels[field]}
            dir="auto"
            onChange={({ target }) => onDraft({ ...draft, own: { ...draft.own, [field]: target.value } })}
            onKeyDown={leaveOnEscape}
            className="mt-1 block w-full rounded-md border border-line bg-page px-2 py-1"
          />
        </label>
      ))}
    </fieldset>
  );
}

interface ExpectationOptions extends ExpectationListOptions {
  readonly place: number;
  /** True for the one that the keys are about. */
  readonly isActive: boolean;
}

function Expectation({ proposal, draft, isOpen, broken, onDraft, place, isActive }: ExpectationOptions) {
  const proofId = useId();
  const expectation = proposal.expectations[place];
  if (expectation === undefined) return null;
  const { field, proof } = expectation;
  const isTicked = draft.ticks[place] === true;
  const edit = (text: string) =>
    onDraft({
      ...draft,
      at: place,
      values: draft.values.map((value, each) => (each === place ? text : value)),
    });
  return (
    <li
      aria-current={isActive && isOpen ? 'step' : undefined}
      className={`rounded-lg border px-3 py-2 ${isActive && isOpen ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex items-start gap-3">
        <label className="flex shrink-0 items-center gap-2 pt-1 font-medium">
          <input
            type="checkbox"
            checked={isTicked}
            disabled={!isOpen}
            aria-describedby={proofId}
            onChange={() => onDraft(toggleTick(draft, place))}
          />
          <kbd aria-hidden className="min-w-4 text-center font-mono text-xs text-quiet">
            {place < 9 ? place + 1 : ''}
          </kbd>
          <span className="min-w-20">{field}</span>
        </label>
        <textarea
          id={`expectation-${place}`}
          aria-label={`Value of expectation ${place + 1}, ${field}`}
          aria-invalid={broken === place}
          rows={Math.min(6, Math.max(1, Math.ceil((draft.values[place] ?? '').length / 50)))}
          value={draft.values[place] ?? ''}
          disabled={!isOpen}
          onChange={({ target }) => edit(target.value)}
          onKeyDown={leaveOnEscape}
          className="block w-full min-w-0 rounded-md border border-line bg-page px-2 py-1 disabled:opacity-70"
        />
      </div>
      <HiddenPreview text={draft.values[place] ?? ''} />
      {broken === place && <p className="mt-1 text-bad">This is no JSON, such as [&quot;a&quot;] or 7.</p>}
      <p id={proofId} className="mt-1 text-xs text-quiet wrap-anywhere">
        <PlainText text={describeProof(proof)} />
      </p>
    </li>
  );
}
