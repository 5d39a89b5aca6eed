import { formatPercent } from '../../../../src/report/format.ts';
import type { FeedbackView } from '../../../../src/schema/api/feedback-view.ts';
import { Section } from '../../parts/section.tsx';
import { boundsOf, GroupTable, limitsOf } from './group-table.tsx';

/** The share of negative opinions: of those who gave one, and of all users. */
export function OpinionSection({ summary }: { readonly summary: FeedbackView['summary'] }) {
  const { all, categories, targets } = summary;
  return (
    <Section
      title="How many users were not content?"
      note="Of the answers with a thumb or stars, the share with a thumb down or at most two stars, with Wilson's 95 % interval. Who responds is not random: of all users, the share lies between the two bounds, whatever those think who said nothing."
    >
      {all.negative.estimate !== null && (
        <p className="mb-4 flex flex-wrap items-baseline gap-x-3">
          <span className="text-4xl font-semibold tracking-tight">
            {formatPercent(all.negative.estimate)}
          </span>
          <span className="text-lg text-quiet">{limitsOf(all.negative)}</span>
          <span className="text-quiet">of all users: {boundsOf(all)}</span>
        </p>
      )}
      <GroupTable
        label="Feedback by category"
        first="Category"
        groups={[all, ...categories]}
        nameOf={({ category }) => category ?? 'all'}
      />
      {targets.length > 1 && (
        <div className="mt-6">
          <GroupTable
            label="Feedback by target"
            first="Target"
            groups={targets}
            nameOf={({ target }) => target ?? 'all'}
          />
        </div>
      )}
    </Section>
  );
}
