import { demo } from './demo/demo.ts'
import { guide } from './demo/guide.ts'
import { mapDemo } from './demo/map-demo.ts'
import { mapService } from './demo/map-service.ts'

/** Topics of rarely used pages: the pages add them, so that nobody else loads them. */
export const lazyTexts = { demo, guide, mapDemo, mapService }
