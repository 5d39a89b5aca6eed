export { binaryWeighted } from './binary-weighted.ts';
export { recorded } from './recorded.ts';
export { threeComponent } from './three-component.ts';
export { weighted } from './weighted.ts';
