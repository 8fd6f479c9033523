import { demo } from './demo/demo.ts'
import { guide } from './demo/guide.ts'

/** Topics that most people never read: the pages that show them add them, so that nobody else loads them. */
export const lazyTexts = { demo, guide }
