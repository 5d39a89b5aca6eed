/** The options of {@link ProgressBar}. */
interface ProgressBarOptions {
  readonly done: number;
  readonly planned: number;
  readonly label: string;
  /** Its height and place. */
  readonly className: string;
}

/** A bar of how much is done. */
export function ProgressBar({ done, planned, label, className }: ProgressBarOptions) {
  const share = planned === 0 ? 0 : Math.min(1, done / planned);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={planned}
      aria-valuenow={Math.min(done, planned)}
      className={`overflow-hidden rounded-full bg-line ${className}`}
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-700 ease-linear"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
