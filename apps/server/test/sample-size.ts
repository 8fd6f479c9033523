/**
 * Size of a random or repeated test: a third in `npm test`, the whole in `npm run test:all`. Each run of a property test
 * draws other cases, so that many short runs find what one long run finds.
 */
export const sampleSize = (whole: number): number =>
  process.env['TEST_WHOLE'] === undefined ? Math.ceil(whole / 3) : whole
