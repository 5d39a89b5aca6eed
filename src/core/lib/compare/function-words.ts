/** Words that join others and state nothing of themselves, as terms have them. */
export const functionWords: ReadonlySet<string> = new Set(
  [
    'is are was were be been it its that this these those there they he she you we i of in on at to for by with from as',
    'so then thus therefore hence here do does did has have had can will would or if which who what and also',
    'ist sind war das der die den dem ein eine es im am von zu auf und',
    'です だ である 的 了 个 個 입니다',
    'est sont le la les un une de du des il elle ce et es son el los las una y',
  ]
    .join(' ')
    .split(' '),
);
