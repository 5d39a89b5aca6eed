import type { Ref } from 'react';
import type { ProposalDraft } from './draft.ts';
import { HiddenPreview } from './hidden-preview.tsx';

interface CaseFieldsOptions {
  readonly draft: ProposalDraft;
  readonly isOpen: boolean;
  readonly onDraft: (draft: ProposalDraft) => void;
  readonly questionRef: Ref<HTMLTextAreaElement>;
  readonly categoryRef: Ref<HTMLInputElement>;
}

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2 py-1 disabled:opacity-70';

/** The question and the category of a proposed case, to edit. */
export function CaseFields({ draft, isOpen, onDraft, questionRef, categoryRef }: CaseFieldsOptions) {
  return (
    <>
      <label className="block">
        <span className="text-xs text-quiet">Question</span>
        <textarea
          ref={questionRef}
          rows={Math.min(10, Math.max(2, Math.ceil(draft.question.length / 80)))}
          value={draft.question}
          disabled={!isOpen}
          onChange={({ target }) => onDraft({ ...draft, question: target.value })}
          onKeyDown={leaveOnEscape}
          className={field}
        />
      </label>
      <HiddenPreview text={draft.question} />
      <label className="block max-w-xs">
        <span className="text-xs text-quiet">Category</span>
        <input
          ref={categoryRef}
          value={draft.category}
          disabled={!isOpen}
          onChange={({ target }) => onDraft({ ...draft, category: target.value })}
          onKeyDown={leaveOnEscape}
          className={field}
        />
      </label>
    </>
  );
}

/** Leaves a field on Escape, so that keys work again. */
export function leaveOnEscape(event: { readonly key: string; readonly currentTarget: HTMLElement }): void {
  if (event.key === 'Escape') event.currentTarget.blur();
}
