export { binaryWeighted } from './binary-weighted.ts';
export { threeComponent } from './three-component.ts';
export { weighted } from './weighted.ts';
